/* Records from a stream, as RS says. */
#ifndef AWK_READER_H
#define AWK_READER_H

#include "stream.h"

typedef enum { AWK_READ_RECORD, AWK_READ_MORE, AWK_READ_END } AwkReading;

/* Finds the next record and its terminator in the stream's buffer, valid until the stream is fed or read again.
 * AWK_READ_MORE: more bytes are needed to tell. */
AwkReading awk_read(AwkVm *vm, AwkStream *stream, AwkRun *record, AwkRun *terminator);

/* Note the terminator as RT. */
void awk_read_terminator(AwkVm *vm, const AwkStream *stream, const AwkRun *terminator);

#endif
