/* Streams: what an engine reads and writes, by the name that the program gives it.
 *
 * The bytes wait in a buffer on our side; the caller is asked to open, fill, empty and close.
 */
#ifndef AWK_STREAM_H
#define AWK_STREAM_H

#include "awk.h"
#include "filters/buffer.h"
#include "splitter.h"
#include "step.h"

typedef struct AwkStream AwkStream;

typedef enum { AWK_STREAM_NEW, AWK_STREAM_OPEN, AWK_STREAM_CLOSING, AWK_STREAM_CLOSED } AwkStreamState;

struct AwkStream {
    AwkStream *next;
    AwkText *name;
    AmlaAwkMode mode;
    unsigned id;
    AwkStreamState state;
    AmlaBuffer buffer; /* read: from `at` on not used yet; write: not written yet */
    size_t at;
    size_t searched; /* read: bytes from `at` on that hold no terminator */
    bool ended;      /* read: no more comes */
    bool is_folder;
    const char *reason; /* why it could not be opened, of the pool; NULL if it could */
    int status;         /* of close */
};

enum { AWK_STDOUT = 1, AWK_STDERR = 2, AWK_STREAM_FIRST = 3, AWK_FLUSH_AT = 64 * 1024 };

/* The stream of that name and mode, NULL if there is none. */
AwkStream *awk_stream_find(AwkVm *vm, const AwkText *name, AmlaAwkMode mode);

/* A new one, of which the caller is yet to be told.  NULL without memory. */
AwkStream *awk_stream_create(AwkVm *vm, AwkText *name, AmlaAwkMode mode);

/* Both sides of a new two-way pipe; returns the writing one, which is to be opened for both. */
AwkStream *awk_stream_create_both(AwkVm *vm, AwkText *name);

/* The other side of a two-way pipe; NULL once that is closed, and for all else. */
AwkStream *awk_stream_other_side(AwkVm *vm, const AwkStream *stream);

void awk_stream_destroy(AwkVm *vm, AwkStream *stream);

static inline bool awk_mode_writes(AmlaAwkMode mode)
{
    return mode >= AMLA_AWK_WRITE_FILE;
}

/* Ask the caller to open, fill, empty or close a stream.  The instruction is to be run again afterwards unless it moved
 * on. */
AwkStep awk_stream_ask(AwkVm *vm, AwkStream *stream, AmlaAwkState what);

/* Ask for the first of the open streams that has bytes to write; AWK_ON when none has. */
AwkStep awk_flush_all(AwkVm *vm);

/* Empty and close; anything but AWK_ON is for the instruction to return. */
AwkStep awk_close_stream(AwkVm *vm, AwkStream *stream);

void awk_stream_write(AwkVm *vm, AwkStream *stream, const char *bytes, size_t length);

#endif
