/* A stream parted before its last lines or bytes: those alone (tail), or all but those (head -n -5).
 *
 * Options: count, bytes (whether bytes are counted, else lines), end (what ends lines), before (whether what lies before
 * is the output).
 */
#include "cells.h"
#include "filter.h"
#include "options.h"

typedef struct {
    uint64_t count;
    bool bytes, before;
    uint8_t end;
    AmlaBuffer held;
    size_t start;   /* in `held`: bytes before it have been let go */
    uint64_t lines; /* whole ones from `start` on */
} Tail;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Tail *tail = self;
    tail->count = (uint64_t)amla_option_integer(ctx, options, "count", 10);
    tail->bytes = amla_option_flag(ctx, options, "bytes");
    tail->before = amla_option_flag(ctx, options, "before");
    tail->end = (uint8_t)amla_option_integer(ctx, options, "end", '\n');
    return 0;
}

static void let_go(Tail *tail, size_t to, AmlaBuffer *out)
{
    if (tail->before)
        amla_buffer_append(out, tail->held.data + tail->start, to - tail->start);
    tail->start = to;
}

static void let_lines_go(Tail *tail, uint64_t most, AmlaBuffer *out)
{
    size_t at = tail->start;
    while (tail->lines > most) {
        const uint8_t *found = memchr(tail->held.data + at, tail->end, tail->held.length - at);
        if (!found)
            break;
        at = (size_t)(found - tail->held.data) + 1;
        tail->lines--;
    }
    let_go(tail, at, out);
}

static void count_lines(Tail *tail, const uint8_t *bytes, size_t length)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += bytes[i] == tail->end;
    tail->lines += lines;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Tail *tail = self;
    amla_buffer_append(&tail->held, bytes, length);
    if (tail->held.failed)
        return AMLA_FILTER_MEMORY;
    if (tail->bytes) {
        const size_t size = tail->held.length - tail->start;
        if (size > tail->count)
            let_go(tail, tail->held.length - (size_t)tail->count, out);
    } else {
        count_lines(tail, bytes, length);
        let_lines_go(tail, tail->count, out);
    }
    if (tail->start > tail->held.length / 2) {
        amla_buffer_consume(&tail->held, tail->start);
        tail->start = 0;
    }
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Tail *tail = self;
    const bool cut_line = tail->held.length > tail->start && tail->held.data[tail->held.length - 1] != tail->end;
    if (!tail->bytes && cut_line) {
        if (tail->count == 0)
            let_go(tail, tail->held.length, out);
        else
            let_lines_go(tail, tail->count - 1, out);
    }
    if (!tail->before)
        amla_buffer_append(out, tail->held.data + tail->start, tail->held.length - tail->start);
    tail->held.length = tail->start = tail->lines = 0;
    return AMLA_FILTER_MORE;
}

static void destroy(void *self)
{
    amla_buffer_clear(&((Tail *)self)->held);
}

const AmlaFilterType amla_filter_tail = {
    .name = "tail",
    .size = sizeof(Tail),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
