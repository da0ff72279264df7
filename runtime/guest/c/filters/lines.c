#include "lines.h"

#include "cells.h"

static AmlaFilterState visit_held(AmlaLines *lines, bool ended, AmlaLineVisitor *visit, void *self, AmlaBuffer *out)
{
    if (lines->held.failed)
        return AMLA_FILTER_MEMORY;
    const AmlaFilterState state = visit(self, lines->held.data, lines->held.length, ended, out);
    lines->held.length = 0;
    return state;
}

AmlaFilterState amla_lines_feed(AmlaLines *lines, uint8_t end, const uint8_t *bytes, size_t length, AmlaLineVisitor *visit,
                                void *self, AmlaBuffer *out)
{
    const uint8_t *at = bytes, *const last = bytes + length;
    AmlaFilterState state = AMLA_FILTER_MORE;
    const uint8_t *stop;
    while (at < last && (stop = memchr(at, end, (size_t)(last - at)))) {
        if (lines->held.length > 0) {
            amla_buffer_append(&lines->held, at, (size_t)(stop - at));
            state = visit_held(lines, true, visit, self, out);
        } else
            state = visit(self, at, (size_t)(stop - at), true, out);
        if (state != AMLA_FILTER_MORE)
            return state;
        at = stop + 1;
    }
    amla_buffer_append(&lines->held, at, (size_t)(last - at));
    if (lines->held.failed || out->failed)
        return AMLA_FILTER_MEMORY;
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

AmlaFilterState amla_lines_end(AmlaLines *lines, AmlaLineVisitor *visit, void *self, AmlaBuffer *out)
{
    return lines->held.length > 0 ? visit_held(lines, false, visit, self, out) : AMLA_FILTER_MORE;
}

void amla_lines_clear(AmlaLines *lines)
{
    amla_buffer_clear(&lines->held);
}
