/* seq of decimal numbers with the same number of places.
 *
 * Options: first, step (not 0), last, all without their points; places (digits behind the point), width, fill (the byte that
 * fills it), before and after (bytes around each number), separator (bytes).
 */
#include <stdlib.h>

#include "cells.h"
#include "filter.h"
#include "options.h"

typedef struct {
    int64_t next, step, last;
    int places, width;
    uint8_t fill;
    char *before, *after, *separator; /* owned */
    size_t before_length, after_length, separator_length;
    bool any;
} Seq;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Seq *seq = self;
    seq->next = amla_option_integer(ctx, options, "first", 1);
    seq->step = amla_option_integer(ctx, options, "step", 1);
    seq->last = amla_option_integer(ctx, options, "last", 1);
    seq->width = (int)amla_option_integer(ctx, options, "width", 0);
    seq->places = (int)amla_option_integer(ctx, options, "places", 0);
    seq->fill = (uint8_t)amla_option_integer(ctx, options, "fill", '0');
    seq->before = amla_option_text(ctx, options, "before", &seq->before_length);
    seq->after = amla_option_text(ctx, options, "after", &seq->after_length);
    seq->separator = amla_option_text(ctx, options, "separator", &seq->separator_length);
    return 0;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    (void)self, (void)bytes, (void)length, (void)out;
    return AMLA_FILTER_MORE;
}

/* The digits, with a point before the last places; the place of the first in `text`, which they end at. */
static size_t write_digits(uint64_t number, int places, char *text, size_t at)
{
    int digits = 0;
    do {
        if (digits == places && places > 0)
            text[--at] = '.';
        text[--at] = (char)('0' + number % 10);
        number /= 10;
        digits++;
    } while (number || digits <= places);
    return at;
}

static void put_fill(const Seq *seq, int count, AmlaBuffer *out)
{
    for (; count > 0; count--)
        amla_buffer_put(out, seq->fill);
}

static void put_number(const Seq *seq, AmlaBuffer *out)
{
    char text[48];
    const bool negative = seq->next < 0;
    const size_t at = write_digits(negative ? (uint64_t)-seq->next : (uint64_t)seq->next, seq->places, text, sizeof text);
    const int missing = seq->width - (int)(sizeof text - at) - negative;
    if (seq->fill != '0')
        put_fill(seq, missing, out);
    if (negative)
        amla_buffer_put(out, '-');
    if (seq->fill == '0')
        put_fill(seq, missing, out);
    amla_buffer_append(out, text + at, sizeof text - at);
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
        amla_buffer_append(out, seq->before, seq->before_length);
        put_number(seq, out);
        amla_buffer_append(out, seq->after, seq->after_length);
        seq->next += seq->step;
    }
    if (seq->any)
        amla_buffer_put(out, '\n');
    return AMLA_FILTER_MORE;
}

static void destroy(void *self)
{
    Seq *seq = self;
    free(seq->before);
    free(seq->after);
    free(seq->separator);
}

const AmlaFilterType amla_filter_seq = {
    .name = "seq",
    .size = sizeof(Seq),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
