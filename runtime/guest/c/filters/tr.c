/* tr. Options: table, dropped, squeezed: 256 bytes each, by byte: what it becomes; whether it goes; whether a run of it
 * (after the change) becomes one.  Absent: no change. */
#include <stdlib.h>

#include "cells.h"
#include "filter.h"
#include "options.h"

typedef struct {
    uint8_t table[256];
    bool dropped[256], squeezed[256];
    bool plain; /* nothing is dropped or squeezed */
    int last;   /* the byte put last, or -1 */
} Tr;

static bool read_flags(JSContext *ctx, JSValueConst options, const char *name, bool flags[256])
{
    size_t length = 0;
    char *bytes = amla_option_text(ctx, options, name, &length);
    for (size_t i = 0; bytes && i < 256 && i < length; i++)
        flags[i] = bytes[i] != 0;
    free(bytes);
    return bytes != NULL;
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Tr *tr = self;
    size_t length = 0;
    char *table = amla_option_text(ctx, options, "table", &length);
    for (size_t i = 0; i < 256; i++)
        tr->table[i] = table && i < length ? (uint8_t)table[i] : (uint8_t)i;
    free(table);
    const bool dropped = read_flags(ctx, options, "dropped", tr->dropped);
    const bool squeezed = read_flags(ctx, options, "squeezed", tr->squeezed);
    tr->plain = !dropped && !squeezed;
    tr->last = -1;
    return 0;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Tr *tr = self;
    if (!amla_buffer_reserve(out, length))
        return AMLA_FILTER_MEMORY;
    uint8_t *to = out->data + out->length;
    for (size_t i = 0; tr->plain && i < length; i++)
        *to++ = tr->table[bytes[i]];
    int last = tr->last;
    for (size_t i = 0; !tr->plain && i < length; i++) {
        const uint8_t byte = tr->table[bytes[i]];
        *to = byte;
        const bool goes = tr->dropped[bytes[i]];
        to += !goes && !(tr->squeezed[byte] && byte == last);
        last = goes ? last : byte;
    }
    tr->last = last;
    out->length = (size_t)(to - out->data);
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)self, (void)more_files, (void)out;
    return AMLA_FILTER_MORE;
}

const AmlaFilterType amla_filter_tr = {
    .name = "tr",
    .size = sizeof(Tr),
    .create = create,
    .feed = feed,
    .end = end,
};
