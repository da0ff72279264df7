/* sed as an engine that is polled: GNU sed without the commands that run programs.
 *
 * The guest has no files and nothing may block, so the engine comes back to its caller whenever it needs the world.
 * The caller alternates: amla_sed_run() until AMLA_SED_DONE, and between the calls does what amla_sed_request() asks
 * for, answering as the state says:
 *
 *   CREATE  nothing               open file `text` for writing, as `stream`; its name may be one of /dev/
 *   OPEN    amla_sed_opened()     the next input file that can be read, or none
 *   READ    amla_sed_feed()       the next bytes of that file, none at its end
 *   LINE    amla_sed_feed()       the next line of file `text` with its end, none when there is no more
 *   COPY    nothing               write all of file `text`, if it can be read, to `stream`
 *   WRITE   nothing               write `text` to `stream`
 *   PAUSED  nothing               nothing: others may want their turn, or stop this one
 *
 * Stream 0 is standard output, 1 what an edited file becomes, others are as CREATE gave them.  What was written before
 * an OPEN or before the end belongs to the file opened before; there an edited file is whole.
 * One engine is one run of one program; it owns all it is given copies of.
 */
#ifndef AMLA_SED_H
#define AMLA_SED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct AmlaSed AmlaSed;

typedef enum {
    AMLA_SED_DONE,
    AMLA_SED_CREATE,
    AMLA_SED_OPEN,
    AMLA_SED_READ,
    AMLA_SED_LINE,
    AMLA_SED_COPY,
    AMLA_SED_WRITE,
    AMLA_SED_FAILED,      /* amla_sed_fault() says why; the engine is of no more use */
    AMLA_SED_INTERRUPTED, /* the interrupt flag was up; the engine is of no more use */
    AMLA_SED_MEMORY,      /* memory ran out; the engine is of no more use */
    AMLA_SED_PAUSED,
} AmlaSedState;

typedef struct {
    bool quiet;      /* -n */
    bool extended;   /* -E */
    bool separate;   /* -s */
    bool in_place;   /* -i: the output goes to stream 1 */
    bool nul;        /* -z */
    bool unbuffered; /* -u */
    bool posix;
    bool bytewise;   /* each byte is a character */
    bool sandbox;
    uint64_t width; /* -l */
} AmlaSedOptions;

typedef struct {
    AmlaSedState state;
    unsigned stream;
    const uint8_t *text; /* lent until the next call */
    size_t length;
} AmlaSedRequest;

/* NULL without memory.  Free with amla_sed_free(). */
AmlaSed *amla_sed_create(const AmlaSedOptions *options);

void amla_sed_free(AmlaSed *sed);

/* Add a part of the script, in order; `name` is the file's name, or NULL for one of the command line. */
void amla_sed_source(AmlaSed *sed, const char *name, const char *text, size_t length);

/* Parses the script at the first call. */
AmlaSedState amla_sed_run(AmlaSed *sed);

const AmlaSedRequest *amla_sed_request(const AmlaSed *sed);

/* Answers OPEN: the file's name ("-" is standard input), or NULL when there is no more input. */
void amla_sed_opened(AmlaSed *sed, const char *name);

/* Answers READ and LINE: bytes, copied; none means the end. */
void amla_sed_feed(AmlaSed *sed, const void *bytes, size_t length);

/* The exit status: of a run that is done, or that failed. */
int amla_sed_status(const AmlaSed *sed);

/* What is wrong, without the program's name in front. */
const char *amla_sed_fault(const AmlaSed *sed);

/* Bytes of the current file that were fed but not used. */
size_t amla_sed_unused(const AmlaSed *sed);

#endif
