/* seq of whole numbers.  Options: first, step (not 0), last, width (filled with zeros), separator (bytes). */
#include <stdlib.h>

#include "cells.h"
#include "filter.h"
#include "options.h"

typedef struct {
    int64_t next, step, last;
    int width;
    char *separator; /* owned */
    size_t separator_length;
    bool any;
} Seq;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Seq *seq = self;
    seq->next = amla_option_integer(ctx, options, "first", 1);
    seq->step = amla_option_integer(ctx, options, "step", 1);
    seq->last = amla_option_integer(ctx, options, "last", 1);
    seq->width = (int)amla_option_integer(ctx, options, "width", 0);
    seq->separator = amla_option_text(ctx, options, "separator", &seq->separator_length);
    return 0;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    (void)self, (void)bytes, (void)length, (void)out;
    return AMLA_FILTER_MORE;
}

static void put_number(const Seq *seq, AmlaBuffer *out)
{
    char text[24];
    int at = sizeof text;
    uint64_t left = seq->next < 0 ? (uint64_t)-seq->next : (uint64_t)seq->next;
    do {
        text[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    const int digits = (int)sizeof text - at;
    if (seq->next < 0)
        amla_buffer_put(out, '-');
    for (int missing = seq->width - digits - (seq->next < 0); missing > 0; missing--)
        amla_buffer_put(out, '0');
    amla_buffer_append(out, text + at, (size_t)digits);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Seq *seq = self;
    while (seq->step > 0 ? seq->next <= seq->last : seq->next >= seq->last) {
        if (out->length >= AMLA_FILTER_CHUNK)
            return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_FULL;
        if (seq->any)
            amla_buffer_append(out, seq->separator, seq->separator_length);
        seq->any = true;
        put_number(seq, out);
        seq->next += seq->step;
    }
    if (seq->any)
        amla_buffer_put(out, '\n');
    return AMLA_FILTER_MORE;
}

static void destroy(void *self)
{
    free(((Seq *)self)->separator);
}

const AmlaFilterType amla_filter_seq = {
    .name = "seq",
    .size = sizeof(Seq),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
