/* Chunks to lines: a line that a chunk's end cuts is kept until the rest of it comes. */
#ifndef AMLA_FILTER_LINES_H
#define AMLA_FILTER_LINES_H

#include "filter.h"

/* Takes a line without its end, lent for the call; `ended` is false for a last line that has no end.  Anything but MORE
 * stops the walk: the lines behind are lost. */
typedef AmlaFilterState AmlaLineVisitor(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out);

/* Zeroed, it is ready; free with amla_lines_clear(). */
typedef struct {
    AmlaBuffer held; /* the start of a line that is not whole yet */
} AmlaLines;

/* Visit each line that `bytes` completes; lines end in `end`.  Polls for interruption. */
AmlaFilterState amla_lines_feed(AmlaLines *lines, uint8_t end, const uint8_t *bytes, size_t length, AmlaLineVisitor *visit,
                                void *self, AmlaBuffer *out);

/* Visit what is left, if anything is. */
AmlaFilterState amla_lines_end(AmlaLines *lines, AmlaLineVisitor *visit, void *self, AmlaBuffer *out);

void amla_lines_clear(AmlaLines *lines);

#endif
