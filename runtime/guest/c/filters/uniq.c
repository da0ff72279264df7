/* uniq over one file.
 *
 * Options: end (the byte that ends lines), skipFields, skipChars, compare (how many bytes; absent: all), ignoreCase,
 * count, hideUnique, hideFirst, hideLater (lines that are alone, first of a group, or later in it), group (every line is
 * shown, as with --group), breaks ("none", "prepend", "separate", "append", "both": empty lines around groups).
 */
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "filter.h"
#include "lines.h"
#include "options.h"

typedef enum { BREAK_NONE, BREAK_PREPEND, BREAK_SEPARATE, BREAK_APPEND, BREAK_BOTH } Breaks;

typedef struct {
    uint8_t end;
    int64_t skip_fields, skip_chars, compare;
    bool ignore_case, count;
    bool hide_unique, hide_first, hide_later; /* of a group: alone, the first of several, the others */
    bool group;
    Breaks breaks;
    AmlaLines lines;
    AmlaBuffer last; /* the first line of the present group, or with -D the last line seen */
    bool any, printed;
    uint64_t repeats; /* of `last`, not counting itself */
} Uniq;

static Breaks read_breaks(JSContext *ctx, JSValueConst options)
{
    static const char *const names[] = { "none", "prepend", "separate", "append", "both" };
    char *word = amla_option_text(ctx, options, "breaks", NULL);
    Breaks breaks = BREAK_NONE;
    for (size_t i = 0; word && i < sizeof names / sizeof *names; i++)
        if (!strcmp(word, names[i]))
            breaks = (Breaks)i;
    free(word);
    return breaks;
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Uniq *uniq = self;
    uniq->end = (uint8_t)amla_option_integer(ctx, options, "end", '\n');
    uniq->skip_fields = amla_option_integer(ctx, options, "skipFields", 0);
    uniq->skip_chars = amla_option_integer(ctx, options, "skipChars", 0);
    uniq->compare = amla_option_integer(ctx, options, "compare", -1);
    uniq->ignore_case = amla_option_flag(ctx, options, "ignoreCase");
    uniq->count = amla_option_flag(ctx, options, "count");
    uniq->hide_unique = amla_option_flag(ctx, options, "hideUnique");
    uniq->hide_first = amla_option_flag(ctx, options, "hideFirst");
    uniq->hide_later = amla_option_flag(ctx, options, "hideLater");
    uniq->group = amla_option_flag(ctx, options, "group");
    uniq->breaks = read_breaks(ctx, options);
    return 0;
}

/* The part of a line that is compared. */
static const uint8_t *key_of(const Uniq *uniq, const uint8_t *line, size_t *length)
{
    const uint8_t *at = line, *const stop = line + *length;
    for (int64_t n = uniq->skip_fields; n > 0 && at < stop; n--) {
        while (at < stop && isblank(*at))
            at++;
        while (at < stop && !isblank(*at))
            at++;
    }
    at += stop - at < uniq->skip_chars ? stop - at : uniq->skip_chars;
    *length = (size_t)(stop - at);
    if (uniq->compare >= 0 && *length > (uint64_t)uniq->compare)
        *length = (size_t)uniq->compare;
    return at;
}

static bool differs(const Uniq *uniq, const uint8_t *left, size_t left_length, const uint8_t *right, size_t right_length)
{
    left = key_of(uniq, left, &left_length);
    right = key_of(uniq, right, &right_length);
    if (left_length != right_length)
        return true;
    if (!uniq->ignore_case)
        return left_length && memcmp(left, right, left_length);
    for (size_t i = 0; i < left_length; i++)
        if (toupper(left[i]) != toupper(right[i]))
            return true;
    return false;
}

static void put_line(const Uniq *uniq, const uint8_t *line, size_t length, AmlaBuffer *out)
{
    amla_buffer_append(out, line, length);
    amla_buffer_put(out, uniq->end);
}

static void put_count(uint64_t count, AmlaBuffer *out)
{
    char text[32];
    int at = sizeof text, digits = 0;
    text[--at] = ' ';
    for (; count; count /= 10, digits++)
        text[--at] = (char)('0' + count % 10);
    for (; digits < 7; digits++)
        text[--at] = ' ';
    amla_buffer_append(out, text + at, sizeof text - (size_t)at);
}

static void print_group(Uniq *uniq, AmlaBuffer *out)
{
    if (uniq->repeats ? uniq->hide_first : uniq->hide_unique)
        return;
    if (uniq->count)
        put_count(uniq->repeats + 1, out);
    put_line(uniq, uniq->last.data, uniq->last.length, out);
}

static AmlaFilterState keep(Uniq *uniq, const uint8_t *line, size_t length)
{
    uniq->last.length = 0;
    amla_buffer_append(&uniq->last, line, length);
    uniq->any = true;
    return uniq->last.failed ? AMLA_FILTER_MEMORY : AMLA_FILTER_MORE;
}

/* -D: the last line of a group of several; -u hides it. */
static void end_group(Uniq *uniq, AmlaBuffer *out)
{
    if (uniq->repeats == 0)
        return;
    if (!uniq->hide_first)
        put_line(uniq, uniq->last.data, uniq->last.length, out);
    uniq->printed = true;
}

/* -D: each line of a group of several, with breaks between groups. */
static AmlaFilterState visit_all(Uniq *uniq, const uint8_t *line, size_t length, bool fresh, AmlaBuffer *out)
{
    if (fresh) {
        end_group(uniq, out);
        uniq->repeats = 0;
        return keep(uniq, line, length);
    }
    if (uniq->repeats++ == 0 && (uniq->breaks == BREAK_PREPEND || (uniq->breaks == BREAK_SEPARATE && uniq->printed)))
        amla_buffer_put(out, uniq->end);
    put_line(uniq, uniq->last.data, uniq->last.length, out);
    return keep(uniq, line, length);
}

/* --group: every line, with breaks between groups. */
static AmlaFilterState visit_grouped(Uniq *uniq, const uint8_t *line, size_t length, bool fresh, AmlaBuffer *out)
{
    const bool before = uniq->breaks == BREAK_PREPEND || uniq->breaks == BREAK_BOTH;
    if (fresh && (uniq->printed || before))
        amla_buffer_put(out, uniq->end);
    uniq->printed = true;
    put_line(uniq, line, length, out);
    return fresh ? keep(uniq, line, length) : AMLA_FILTER_MORE;
}

static AmlaFilterState visit(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out)
{
    (void)ended;
    Uniq *uniq = self;
    const bool fresh = !uniq->any || differs(uniq, uniq->last.data, uniq->last.length, line, length);
    if (uniq->group)
        return visit_grouped(uniq, line, length, fresh, out);
    if (!uniq->hide_later)
        return visit_all(uniq, line, length, fresh, out);
    if (!fresh) {
        uniq->repeats++;
        return AMLA_FILTER_MORE;
    }
    if (uniq->any)
        print_group(uniq, out);
    uniq->repeats = 0;
    return keep(uniq, line, length);
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Uniq *uniq = self;
    return amla_lines_feed(&uniq->lines, uniq->end, bytes, length, visit, uniq, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Uniq *uniq = self;
    const AmlaFilterState state = amla_lines_end(&uniq->lines, visit, uniq, out);
    if (uniq->group) {
        if (uniq->any && (uniq->breaks == BREAK_APPEND || uniq->breaks == BREAK_BOTH))
            amla_buffer_put(out, uniq->end);
    } else if (uniq->any && uniq->hide_later)
        print_group(uniq, out);
    else
        end_group(uniq, out);
    return state;
}

static void destroy(void *self)
{
    Uniq *uniq = self;
    amla_lines_clear(&uniq->lines);
    amla_buffer_clear(&uniq->last);
}

const AmlaFilterType amla_filter_uniq = {
    .name = "uniq",
    .size = sizeof(Uniq),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
