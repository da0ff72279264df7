/* expand.  Options: those of tab_stops.h, and initial (only tabs in front of text are changed). */
#include "cells.h"
#include "filter.h"
#include "options.h"
#include "tab_stops.h"

typedef struct {
    AmlaTabStops stops;
    bool initial;
    uint64_t column;
    bool text; /* something else than blanks was seen in the line */
} Expand;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Expand *expand = self;
    expand->initial = amla_option_flag(ctx, options, "initial");
    return amla_tab_stops_read(ctx, options, &expand->stops);
}

static void put_tab(Expand *expand, AmlaBuffer *out)
{
    uint64_t stop = amla_tab_stop(&expand->stops, expand->column);
    if (stop == 0)
        stop = expand->column + 1;
    for (; expand->column < stop && !out->failed; expand->column++)
        amla_buffer_put(out, ' ');
}

static void put_byte(Expand *expand, uint8_t byte, AmlaBuffer *out)
{
    amla_buffer_put(out, byte);
    expand->text |= byte != ' ' && byte != '\t';
    if (byte == '\n') {
        expand->column = 0;
        expand->text = false;
    } else if (byte == '\b')
        expand->column -= expand->column > 0;
    else if (byte == '\t') {
        const uint64_t stop = amla_tab_stop(&expand->stops, expand->column);
        expand->column = stop ? stop : expand->column + 1;
    } else
        expand->column++;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Expand *expand = self;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\t' && !(expand->initial && expand->text))
            put_tab(expand, out);
        else
            put_byte(expand, bytes[i], out);
    }
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)self, (void)more_files, (void)out;
    return AMLA_FILTER_MORE;
}

static void destroy(void *self)
{
    amla_tab_stops_free(&((Expand *)self)->stops);
}

const AmlaFilterType amla_filter_expand = {
    .name = "expand",
    .size = sizeof(Expand),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
