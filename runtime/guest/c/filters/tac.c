/* tac of one file after the other.  Options: separator (bytes), before (whether it begins records), regex (whether it is
 * a basic regular expression), flags (of regex.h). */
#include <stdlib.h>

#include "cells.h"
#include "filter.h"
#include "options.h"
#include "regex/regex.h"

typedef struct {
    char *separator; /* owned */
    size_t separator_length;
    bool before;
    AmlaRegex *regex; /* owned; NULL for a literal separator */
    AmlaBuffer text;  /* the file */
    bool running;     /* the file is whole, and `end` and `limit` hold */
    size_t end;       /* of the record that is looked for */
    size_t limit;     /* separators begin before it */
} Tac;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Tac *tac = self;
    tac->separator = amla_option_text(ctx, options, "separator", &tac->separator_length);
    tac->before = amla_option_flag(ctx, options, "before");
    if (!tac->separator) {
        JS_ThrowOutOfMemory(ctx);
        return -1;
    }
    if (!amla_option_flag(ctx, options, "regex"))
        return 0;
    const unsigned flags = AMLA_REGEX_MULTILINE | (unsigned)amla_option_integer(ctx, options, "flags", 0);
    const char *error = NULL;
    tac->regex = amla_regex_create(tac->separator, tac->separator_length, flags, &error);
    if (tac->regex)
        return 0;
    JS_ThrowSyntaxError(ctx, "%s", error ? error : "Memory exhausted");
    return -1;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    (void)out;
    Tac *tac = self;
    amla_buffer_append(&tac->text, bytes, length);
    if (tac->text.failed)
        return AMLA_FILTER_MEMORY;
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

/* The last separator that ends at or before the limit. */
static bool find_literal(const Tac *tac, AmlaSpan *span)
{
    const uint8_t *text = tac->text.data;
    const char first = tac->separator[0];
    for (size_t at = tac->limit; at >= tac->separator_length;) {
        const uint8_t *found = memrchr(text, first, at - tac->separator_length + 1);
        if (!found)
            return false;
        at = (size_t)(found - text);
        if (!memcmp(found, tac->separator, tac->separator_length)) {
            *span = (AmlaSpan){ at, at + tac->separator_length };
            return true;
        }
        at += tac->separator_length - 1;
    }
    return false;
}

/* The last place before the limit where the expression matches, be it nothing. */
static AmlaRegexResult find_regex(const Tac *tac, AmlaSpan *span)
{
    for (size_t at = tac->limit; at-- > 0;) {
        const AmlaRegexResult result = amla_regex_search(tac->regex, (const char *)tac->text.data, tac->limit, at, span, 1);
        if (result < 0 || (result == AMLA_REGEX_MATCH && span->start == at))
            return result;
    }
    return AMLA_REGEX_NONE;
}

static AmlaFilterState put_records(Tac *tac, AmlaBuffer *out)
{
    const uint8_t *text = tac->text.data;
    AmlaSpan span;
    while (tac->limit > 0) {
        if (out->length >= AMLA_FILTER_CHUNK)
            return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_FULL;
        const AmlaRegexResult result = tac->regex ? find_regex(tac, &span) : (AmlaRegexResult)find_literal(tac, &span);
        if (result < 0)
            return AMLA_FILTER_INTERRUPTED;
        if (result == AMLA_REGEX_NONE)
            break;
        const size_t start = tac->before ? span.start : span.end;
        amla_buffer_append(out, text + start, tac->end - start);
        tac->end = start;
        tac->limit = span.start;
    }
    amla_buffer_append(out, text, tac->end);
    return AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Tac *tac = self;
    if (!tac->running)
        tac->end = tac->limit = tac->text.length;
    const AmlaFilterState state = put_records(tac, out);
    tac->running = state == AMLA_FILTER_FULL;
    if (!tac->running)
        tac->text.length = 0;
    return state;
}

static void destroy(void *self)
{
    Tac *tac = self;
    free(tac->separator);
    amla_regex_free(tac->regex);
    amla_buffer_clear(&tac->text);
}

const AmlaFilterType amla_filter_tac = {
    .name = "tac",
    .size = sizeof(Tac),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
