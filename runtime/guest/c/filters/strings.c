/* strings over one file after the other.
 *
 * Options: least (bytes of a string), blanks (all white space belongs to strings), eight (bytes from 128 on belong to
 * them), radix (of offsets: 8, 10 or 16; absent for none), separator (bytes).  configure(): prefix (bytes).
 */
#include <stdio.h>
#include <stdlib.h>

#include "cells.h"
#include "filter.h"
#include "options.h"

typedef struct {
    uint64_t least;
    bool blanks, eight;
    int radix;
    char *separator, *prefix; /* owned */
    size_t separator_length, prefix_length;
    AmlaBuffer held;          /* a string that is still too short */
    bool inside;              /* a string that is long enough */
    uint64_t offset;
} Strings;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Strings *strings = self;
    strings->least = (uint64_t)amla_option_integer(ctx, options, "least", 4);
    strings->blanks = amla_option_flag(ctx, options, "blanks");
    strings->eight = amla_option_flag(ctx, options, "eight");
    strings->radix = (int)amla_option_integer(ctx, options, "radix", 0);
    strings->separator = amla_option_text(ctx, options, "separator", &strings->separator_length);
    return 0;
}

static int configure(JSContext *ctx, void *self, JSValueConst options)
{
    Strings *strings = self;
    free(strings->prefix);
    strings->prefix = amla_option_text(ctx, options, "prefix", &strings->prefix_length);
    strings->offset = 0;
    return 0;
}

static bool printable(const Strings *strings, uint8_t byte)
{
    if (byte >= 0x80)
        return strings->eight;
    if (byte == '\t' || (byte >= ' ' && byte < 0x7f))
        return true;
    return strings->blanks && byte >= '\n' && byte <= '\r';
}

static void put_start(const Strings *strings, uint64_t offset, AmlaBuffer *out)
{
    char text[32];
    const char *format = strings->radix == 8 ? "%7llo " : strings->radix == 16 ? "%7llx " : "%7llu ";
    if (strings->prefix)
        amla_buffer_append(out, strings->prefix, strings->prefix_length);
    if (strings->radix)
        amla_buffer_append(out, text, (size_t)snprintf(text, sizeof text, format, (unsigned long long)offset));
    amla_buffer_append(out, strings->held.data, strings->held.length);
}

static void end_string(Strings *strings, AmlaBuffer *out)
{
    if (strings->inside) {
        if (strings->separator)
            amla_buffer_append(out, strings->separator, strings->separator_length);
        else
            amla_buffer_put(out, '\n');
    }
    strings->inside = false;
    strings->held.length = 0;
}

static void take(Strings *strings, uint8_t byte, AmlaBuffer *out)
{
    if (strings->inside) {
        amla_buffer_put(out, byte);
        return;
    }
    amla_buffer_put(&strings->held, byte);
    if (strings->held.length < strings->least)
        return;
    put_start(strings, strings->offset + 1 - strings->held.length, out);
    strings->inside = true;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Strings *strings = self;
    for (size_t i = 0; i < length; i++, strings->offset++) {
        if (printable(strings, bytes[i]))
            take(strings, bytes[i], out);
        else
            end_string(strings, out);
    }
    if (strings->held.failed)
        return AMLA_FILTER_MEMORY;
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    end_string(self, out);
    return AMLA_FILTER_MORE;
}

static void destroy(void *self)
{
    Strings *strings = self;
    free(strings->separator);
    free(strings->prefix);
    amla_buffer_clear(&strings->held);
}

const AmlaFilterType amla_filter_strings = {
    .name = "strings",
    .size = sizeof(Strings),
    .create = create,
    .configure = configure,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
