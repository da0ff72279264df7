/* grep over one file after the other.
 *
 * Options: pattern (bytes), flags (of regex.h), and of configure(): invert, lineNumbers, byteOffsets, initialTab, color,
 * show ("lines", "matches", "nothing"), most, before, after, grouped, prefix (bytes), nullAfterName, separator (bytes), text
 * (bytes that are no text do not matter), nullLines.
 * Report: selected (lines), binary (whether lines were held back because the file is no text).
 */
#include "grep.h"

#include <stdlib.h>

#include "cells.h"
#include "options.h"

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Grep *grep = self;
    size_t length = 0;
    char *pattern = amla_option_text(ctx, options, "pattern", &length);
    if (!pattern) {
        JS_ThrowOutOfMemory(ctx);
        return -1;
    }
    const char *error = NULL;
    const unsigned flags = (unsigned)amla_option_integer(ctx, options, "flags", 0);
    grep->bytewise = flags & AMLA_REGEX_BYTES;
    grep->regex = amla_regex_create(pattern, length, flags, &error);
    free(pattern);
    if (grep->regex)
        return 0;
    JS_ThrowSyntaxError(ctx, "%s", error ? error : "Memory exhausted");
    return -1;
}

static GrepShow read_show(JSContext *ctx, JSValueConst options)
{
    char *word = amla_option_text(ctx, options, "show", NULL);
    const GrepShow show = !word || !strcmp(word, "lines") ? GREP_LINES : !strcmp(word, "matches") ? GREP_MATCHES : GREP_NOTHING;
    free(word);
    return show;
}

static int configure(JSContext *ctx, void *self, JSValueConst options)
{
    Grep *grep = self;
    grep->invert = amla_option_flag(ctx, options, "invert");
    grep->line_numbers = amla_option_flag(ctx, options, "lineNumbers");
    grep->byte_offsets = amla_option_flag(ctx, options, "byteOffsets");
    grep->initial_tab = amla_option_flag(ctx, options, "initialTab");
    grep->color = amla_option_flag(ctx, options, "color");
    grep->lenient = amla_option_flag(ctx, options, "text");
    grep->null_after_name = amla_option_flag(ctx, options, "nullAfterName");
    grep->end = amla_option_flag(ctx, options, "nullLines") ? '\0' : '\n';
    grep->show = read_show(ctx, options);
    grep->most = amla_option_integer(ctx, options, "most", -1);
    grep->before = amla_option_integer(ctx, options, "before", 0);
    grep->after = amla_option_integer(ctx, options, "after", 0);
    grep->grouped = amla_option_flag(ctx, options, "grouped");
    free(grep->prefix);
    free(grep->separator);
    grep->prefix = amla_option_text(ctx, options, "prefix", &grep->prefix_length);
    grep->separator = amla_option_text(ctx, options, "separator", &grep->separator_length);
    grep->held.length = grep->history = grep->floor = 0;
    grep->offset = grep->line = 0;
    grep->selected = grep->trailing = 0;
    grep->adjacent = grep->binary = false;
    grep->done = grep->most == 0;
    return 0;
}

static void destroy(void *self)
{
    Grep *grep = self;
    amla_regex_free(grep->regex);
    free(grep->prefix);
    free(grep->separator);
    amla_buffer_clear(&grep->held);
}

/* --- one stretch of whole lines ---------------------------------------------------------- */

/* text[0..length) holds whole lines; those before `from` were looked at before. */
typedef struct {
    const char *text;
    size_t length, at;
    size_t counted; /* grep->line counts up to here */
} Stretch;

static size_t line_end(const Grep *grep, const Stretch *stretch, size_t from)
{
    const char *end = memchr(stretch->text + from, grep->end, stretch->length - from);
    return end ? (size_t)(end - stretch->text) : stretch->length;
}

static void count_lines(Grep *grep, Stretch *stretch, size_t to)
{
    if (!grep->line_numbers)
        return;
    const char *at = stretch->text + stretch->counted, *end = stretch->text + to;
    while (at < end && (at = memchr(at, grep->end, (size_t)(end - at)))) {
        grep->line++;
        at++;
    }
    stretch->counted = to;
}

/* Whether a line holds bytes that are no text. */
static bool is_binary(const Grep *grep, const char *text, size_t length)
{
    if (grep->bytewise)
        return memchr(text, 0, length);
    for (size_t i = 0; i < length;) {
        const uint8_t lead = (uint8_t)text[i];
        const size_t size = lead == 0 ? 0 : lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
        if (size == 0 || size > length - i)
            return true;
        for (size_t k = 1; k < size; k++)
            if ((text[i + k] & 0xc0) != 0x80)
                return true;
        i += size;
    }
    return false;
}

static AmlaRegexResult print_line(Grep *grep, Stretch *stretch, AmlaSpan line, char mark, AmlaBuffer *out)
{
    if (!grep->lenient && grep->show != GREP_NOTHING && (grep->binary || is_binary(grep, stretch->text + line.start, line.end - line.start))) {
        grep->binary = grep->done = true;
        return AMLA_REGEX_MATCH;
    }
    count_lines(grep, stretch, line.start);
    return grep_print(grep, stretch->text, stretch->length, line, grep->offset + line.start, mark, out);
}

/* Lines right before `start` that are context and were not printed yet. */
static AmlaRegexResult print_before(Grep *grep, Stretch *stretch, size_t floor, size_t start, AmlaBuffer *out)
{
    size_t first = start;
    for (int64_t n = 0; n < grep->before && first > floor; n++) {
        size_t at = first - 1;
        while (at > floor && stretch->text[at - 1] != (char)grep->end)
            at--;
        first = at;
    }
    if (grep->grouped && grep->printed && !(grep->adjacent && first == floor) && grep->separator && grep->show != GREP_NOTHING)
        grep_print_separator(grep, out);
    if (grep->line_numbers && stretch->counted > first) {
        /* the history was counted before: count back */
        for (size_t at = first; at < stretch->counted; at++)
            grep->line -= stretch->text[at] == (char)grep->end;
        stretch->counted = first;
    }
    while (first < start) {
        const AmlaSpan line = { first, line_end(grep, stretch, first) };
        const AmlaRegexResult result = print_line(grep, stretch, line, '-', out);
        if (result < 0 || grep->binary)
            return result;
        first = line.end + 1;
    }
    return AMLA_REGEX_MATCH;
}

/* Lines in [from, to) are not selected: print those that are context of a line before. */
static AmlaRegexResult pass_over(Grep *grep, Stretch *stretch, size_t from, size_t to, size_t *floor, AmlaBuffer *out)
{
    while (from < to && grep->trailing > 0) {
        const AmlaSpan line = { from, line_end(grep, stretch, from) };
        const AmlaRegexResult result = print_line(grep, stretch, line, '-', out);
        if (result < 0)
            return result;
        grep->trailing--;
        from = *floor = line.end + 1;
    }
    return AMLA_REGEX_MATCH;
}

static AmlaRegexResult select_line(Grep *grep, Stretch *stretch, AmlaSpan line, size_t *floor, AmlaBuffer *out)
{
    grep->selected++;
    if (grep->show != GREP_NOTHING) {
        AmlaRegexResult result = print_before(grep, stretch, *floor, line.start, out);
        if (result < 0 || grep->binary)
            return result;
        result = print_line(grep, stretch, line, ':', out);
        if (result < 0)
            return result;
        grep->printed = grep->adjacent = true;
        grep->trailing = grep->after;
    }
    *floor = line.end + 1;
    return AMLA_REGEX_MATCH;
}

/* The next line from `at` on that is (or with -v: is not) matched. */
static AmlaRegexResult next_selected(Grep *grep, const Stretch *stretch, size_t at, AmlaSpan *line)
{
    AmlaSpan match;
    if (!grep->invert)
        return amla_regex_search_line(grep->regex, stretch->text, stretch->length, at, line);
    while (at < stretch->length) {
        const AmlaRegexResult result = amla_regex_search_line(grep->regex, stretch->text, stretch->length, at, &match);
        if (result < 0)
            return result;
        if (result == AMLA_REGEX_NONE || match.start > at) {
            *line = (AmlaSpan){ at, line_end(grep, stretch, at) };
            return AMLA_REGEX_MATCH;
        }
        at = match.end + 1;
    }
    return AMLA_REGEX_NONE;
}

static AmlaFilterState failed(AmlaRegexResult result)
{
    return result == AMLA_REGEX_INTERRUPTED ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_FAULT;
}

static AmlaFilterState run(Grep *grep, Stretch *stretch, AmlaBuffer *out)
{
    while (!grep->done) {
        AmlaSpan line;
        AmlaRegexResult result = AMLA_REGEX_NONE;
        const bool full = grep->most >= 0 && grep->selected >= grep->most;
        if (!full && stretch->at < stretch->length)
            result = next_selected(grep, stretch, stretch->at, &line);
        if (result < 0)
            return failed(result);
        const size_t until = result == AMLA_REGEX_MATCH ? line.start : stretch->length;
        if (grep->show != GREP_NOTHING && (result = pass_over(grep, stretch, stretch->at, until, &grep->floor, out)) < 0)
            return failed(result);
        if (until == stretch->length) {
            if (full && grep->trailing == 0)
                grep->done = true;
            break;
        }
        if ((result = select_line(grep, stretch, line, &grep->floor, out)) < 0)
            return failed(result);
        stretch->at = line.end + 1;
        if (grep->show == GREP_NOTHING && grep->most < 0)
            continue;
        if (grep->most >= 0 && grep->selected >= grep->most && grep->trailing == 0)
            grep->done = true;
        if (amla_interrupted())
            return AMLA_FILTER_INTERRUPTED;
    }
    if (stretch->length > 0)
        count_lines(grep, stretch, stretch->length);
    return grep->done ? AMLA_FILTER_DONE : AMLA_FILTER_MORE;
}

/* --- chunks ------------------------------------------------------------------------------ */

/* Where the last `before` lines of text[0..length) begin. */
static size_t history_start(const Grep *grep, const char *text, size_t length)
{
    size_t at = length;
    for (int64_t n = 0; n < grep->before && at > 0; n++) {
        at--;
        while (at > 0 && text[at - 1] != (char)grep->end)
            at--;
    }
    return at;
}

/* The first `length` bytes are gone: what was printed last may be no more in sight. */
static void move_floor(Grep *grep, size_t length)
{
    grep->adjacent = grep->adjacent && grep->floor >= length;
    grep->floor = grep->adjacent ? grep->floor - length : 0;
}

/* Run over the whole lines in `held`, and keep what later lines need. */
static AmlaFilterState run_held(Grep *grep, size_t whole, AmlaBuffer *out)
{
    Stretch stretch = { (const char *)grep->held.data, whole, grep->history, grep->history };
    const AmlaFilterState state = run(grep, &stretch, out);
    const size_t keep = history_start(grep, stretch.text, whole);
    grep->history = whole - keep;
    grep->offset += keep;
    move_floor(grep, keep);
    amla_buffer_consume(&grep->held, keep);
    return state;
}

static size_t after_last_end(const Grep *grep, const uint8_t *bytes, size_t length)
{
    const uint8_t *last = memrchr(bytes, grep->end, length);
    return last ? (size_t)(last - bytes) + 1 : 0;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Grep *grep = self;
    if (grep->done)
        return AMLA_FILTER_DONE;
    if (!grep->lenient && !grep->binary && grep->end == '\n' && memchr(bytes, 0, length))
        grep->binary = true;
    const size_t whole = after_last_end(grep, bytes, length);
    if (whole == 0 || grep->held.length > 0 || grep->before > 0) {
        const size_t before = grep->held.length;
        amla_buffer_append(&grep->held, bytes, length);
        if (grep->held.failed)
            return AMLA_FILTER_MEMORY;
        return whole == 0 ? AMLA_FILTER_MORE : run_held(grep, before + whole, out);
    }
    Stretch stretch = { (const char *)bytes, whole, 0, 0 };
    const AmlaFilterState state = run(grep, &stretch, out);
    grep->offset += whole;
    move_floor(grep, whole);
    amla_buffer_append(&grep->held, bytes + whole, length - whole);
    return grep->held.failed ? AMLA_FILTER_MEMORY : state;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Grep *grep = self;
    AmlaFilterState state = AMLA_FILTER_MORE;
    if (!grep->done && grep->held.length > grep->history)
        state = run_held(grep, grep->held.length, out);
    grep->held.length = grep->history = 0;
    return state < 0 ? state : AMLA_FILTER_MORE;
}

static JSValue report(JSContext *ctx, void *self)
{
    const Grep *grep = self;
    JSValue object = JS_NewObject(ctx);
    JS_SetPropertyStr(ctx, object, "selected", JS_NewInt64(ctx, grep->selected));
    JS_SetPropertyStr(ctx, object, "binary", JS_NewBool(ctx, grep->binary));
    return object;
}

static const char *fault(void *self)
{
    (void)self;
    return "the pattern needs too many steps on this text";
}

const AmlaFilterType amla_filter_grep = {
    .name = "grep",
    .size = sizeof(Grep),
    .create = create,
    .configure = configure,
    .feed = feed,
    .end = end,
    .report = report,
    .fault = fault,
    .destroy = destroy,
};
