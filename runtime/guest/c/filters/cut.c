/* cut over all files.
 *
 * Options: fields (whether fields are chosen, else bytes), ranges (u32 pairs, first and last counted from 1, in order,
 * without overlap), delimiter (a byte), outputDelimiter (bytes; absent for none), onlyDelimited, end (what ends lines).
 */
#include <stdlib.h>

#include "filter.h"
#include "lines.h"
#include "options.h"

typedef struct {
    uint32_t first, last;
} Range;

typedef struct {
    bool fields, only_delimited;
    uint8_t delimiter, end;
    Range *ranges; /* owned */
    size_t count;
    char *between; /* owned: the output delimiter, or NULL */
    size_t between_length;
    AmlaLines lines;
    /* where the delimiter is the end of lines: the file is one record */
    uint32_t line;
    bool printed;
} Cut;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Cut *cut = self;
    size_t length = 0;
    cut->fields = amla_option_flag(ctx, options, "fields");
    cut->only_delimited = amla_option_flag(ctx, options, "onlyDelimited");
    cut->delimiter = (uint8_t)amla_option_integer(ctx, options, "delimiter", '\t');
    cut->end = (uint8_t)amla_option_integer(ctx, options, "end", '\n');
    cut->between = amla_option_text(ctx, options, "outputDelimiter", &cut->between_length);
    cut->ranges = (Range *)amla_option_text(ctx, options, "ranges", &length);
    cut->count = length / sizeof *cut->ranges;
    if (cut->ranges)
        return 0;
    JS_ThrowOutOfMemory(ctx);
    return -1;
}

static void put_between(const Cut *cut, AmlaBuffer *out)
{
    if (cut->between_length == 1)
        amla_buffer_put(out, (uint8_t)cut->between[0]);
    else if (cut->between)
        amla_buffer_append(out, cut->between, cut->between_length);
}

static AmlaFilterState visit_bytes(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out)
{
    (void)ended;
    const Cut *cut = self;
    for (size_t i = 0; i < cut->count && cut->ranges[i].first <= length; i++) {
        const Range range = cut->ranges[i];
        if (i > 0)
            put_between(cut, out);
        amla_buffer_append(out, line + range.first - 1, (range.last < length ? range.last : length) - range.first + 1);
    }
    amla_buffer_put(out, cut->end);
    return AMLA_FILTER_MORE;
}

static const uint8_t *field_end(const Cut *cut, const uint8_t *at, const uint8_t *stop)
{
    while (at < stop && *at != cut->delimiter)
        at++;
    return at;
}

static void put_fields(const Cut *cut, const uint8_t *line, const uint8_t *stop, AmlaBuffer *out)
{
    const Range *range = cut->ranges, *const ranges_end = range + cut->count;
    bool first = true;
    const uint8_t *at = line;
    for (uint32_t field = 1; range < ranges_end; field++) {
        if (range->last == UINT32_MAX && field >= range->first && cut->between_length == 1 &&
            (uint8_t)cut->between[0] == cut->delimiter) {
            if (!first)
                put_between(cut, out);
            amla_buffer_append(out, at, (size_t)(stop - at));
            return;
        }
        const uint8_t *next = field_end(cut, at, stop);
        if (field >= range->first) {
            if (!first)
                put_between(cut, out);
            first = false;
            amla_buffer_append(out, at, (size_t)(next - at));
        }
        if (next == stop)
            return;
        range += field == range->last;
        at = next + 1;
    }
}

static AmlaFilterState visit_fields(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out)
{
    (void)ended;
    const Cut *cut = self;
    if (length == 0 || !memchr(line, cut->delimiter, length)) {
        if (cut->only_delimited)
            return AMLA_FILTER_MORE;
        amla_buffer_append(out, line, length);
    } else
        put_fields(cut, line, line + length, out);
    amla_buffer_put(out, cut->end);
    return AMLA_FILTER_MORE;
}

static AmlaFilterState visit_lines(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out)
{
    Cut *cut = self;
    cut->line++;
    if (cut->line == 1 && !ended && !cut->only_delimited) {
        cut->printed = true;
        amla_buffer_append(out, line, length);
        return AMLA_FILTER_MORE;
    }
    for (size_t i = 0; i < cut->count; i++) {
        if (cut->line < cut->ranges[i].first || cut->line > cut->ranges[i].last)
            continue;
        if (cut->printed)
            put_between(cut, out);
        cut->printed = true;
        amla_buffer_append(out, line, length);
    }
    return AMLA_FILTER_MORE;
}

static AmlaLineVisitor *visitor(const Cut *cut)
{
    return !cut->fields ? visit_bytes : cut->delimiter == cut->end ? visit_lines : visit_fields;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Cut *cut = self;
    return amla_lines_feed(&cut->lines, cut->end, bytes, length, visitor(cut), cut, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Cut *cut = self;
    const AmlaFilterState state = amla_lines_end(&cut->lines, visitor(cut), cut, out);
    if (cut->printed)
        amla_buffer_put(out, cut->end);
    cut->line = 0;
    cut->printed = false;
    return state;
}

static void destroy(void *self)
{
    Cut *cut = self;
    free(cut->ranges);
    free(cut->between);
    amla_lines_clear(&cut->lines);
}

const AmlaFilterType amla_filter_cut = {
    .name = "cut",
    .size = sizeof(Cut),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
