/* nl.  Options: body, header, footer (bytes: a all lines, t those that are not empty, n none, pBRE those that match),
 * first, increment, join (so many empty lines count as one), width, format ("ln", "rn", "rz"), separator (bytes),
 * delimiter (bytes, which begin a section of a page), noRenumber, flags (of regex.h). */
#include "filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "options.h"
#include "regex/regex.h"

enum { FOOTER, BODY, HEADER, SECTIONS };

typedef struct {
    char kind;
    AmlaRegex *regex; /* owned; of kind p */
} Style;

typedef struct {
    Style styles[SECTIONS];
    const Style *style; /* of the present section */
    int64_t number, first, increment, join, blanks;
    int width;
    bool left, zeros, keeps_number;
    char *separator, *delimiter; /* owned */
    size_t separator_length, delimiter_length;
    AmlaLines lines;
} Nl;

/* 0, or -1 with an exception pending. */
static int read_style(JSContext *ctx, JSValueConst options, const char *name, Style *style)
{
    size_t length = 0;
    char *text = amla_option_text(ctx, options, name, &length);
    const char *error = "Memory exhausted";
    style->kind = text && length ? *text : 'n';
    if (style->kind == 'p')
        style->regex = amla_regex_create(text + 1, length - 1, (unsigned)amla_option_integer(ctx, options, "flags", 0), &error);
    free(text);
    if (style->kind != 'p' || style->regex)
        return 0;
    JS_ThrowSyntaxError(ctx, "%s", error);
    return -1;
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    static const char *const names[SECTIONS] = { "footer", "body", "header" };
    Nl *nl = self;
    for (int i = 0; i < SECTIONS; i++)
        if (read_style(ctx, options, names[i], &nl->styles[i]))
            return -1;
    nl->style = &nl->styles[BODY];
    nl->number = nl->first = amla_option_integer(ctx, options, "first", 1);
    nl->increment = amla_option_integer(ctx, options, "increment", 1);
    nl->join = amla_option_integer(ctx, options, "join", 1);
    nl->width = (int)amla_option_integer(ctx, options, "width", 6);
    nl->keeps_number = amla_option_flag(ctx, options, "noRenumber");
    char *format = amla_option_text(ctx, options, "format", NULL);
    nl->left = format && !strcmp(format, "ln");
    nl->zeros = format && !strcmp(format, "rz");
    free(format);
    nl->separator = amla_option_text(ctx, options, "separator", &nl->separator_length);
    nl->delimiter = amla_option_text(ctx, options, "delimiter", &nl->delimiter_length);
    return 0;
}

/* The section that a line begins, or -1. */
static int section_of(const Nl *nl, const uint8_t *line, size_t length)
{
    const size_t unit = nl->delimiter_length;
    if (!unit || length < unit || length % unit || length / unit > SECTIONS)
        return -1;
    for (size_t at = 0; at < length; at += unit)
        if (memcmp(line + at, nl->delimiter, unit))
            return -1;
    return (int)(length / unit) - 1;
}

/* Whether a line gets a number; negative when the regex gave up. */
static int is_numbered(const Nl *nl, const uint8_t *line, size_t length)
{
    AmlaSpan match;
    switch (nl->style->kind) {
    case 'a':
        return length || nl->blanks % nl->join == 0;
    case 't':
        return length > 0;
    case 'p':
        return (int)amla_regex_search(nl->style->regex, (const char *)line, length, 0, &match, 1);
    default:
        return 0;
    }
}

static void put_blanks(AmlaBuffer *out, int64_t count)
{
    while (count-- > 0)
        amla_buffer_put(out, ' ');
}

static void put_number(const Nl *nl, AmlaBuffer *out)
{
    char text[24];
    const int length = snprintf(text, sizeof text, "%lld", (long long)nl->number), missing = nl->width - length;
    if (nl->zeros) {
        const int sign = *text == '-';
        amla_buffer_append(out, text, (size_t)sign);
        for (int i = 0; i < missing; i++)
            amla_buffer_put(out, '0');
        amla_buffer_append(out, text + sign, (size_t)(length - sign));
        return;
    }
    if (!nl->left)
        put_blanks(out, missing);
    amla_buffer_append(out, text, (size_t)length);
    if (nl->left)
        put_blanks(out, missing);
}

static void begin_section(Nl *nl, int section)
{
    nl->style = &nl->styles[section];
    nl->blanks = 0;
    if (!nl->keeps_number)
        nl->number = nl->first;
}

static AmlaFilterState visit(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out)
{
    (void)ended;
    Nl *nl = self;
    const int section = section_of(nl, line, length);
    if (section >= 0) {
        begin_section(nl, section);
        amla_buffer_put(out, '\n');
        return AMLA_FILTER_MORE;
    }
    nl->blanks = length ? 0 : nl->blanks + 1;
    const int numbered = is_numbered(nl, line, length);
    if (numbered < 0)
        return numbered == AMLA_REGEX_INTERRUPTED ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_FAULT;
    if (numbered) {
        nl->blanks = 0;
        put_number(nl, out);
        amla_buffer_append(out, nl->separator, nl->separator_length);
        nl->number += nl->increment;
    } else
        put_blanks(out, nl->width + (int64_t)nl->separator_length);
    amla_buffer_append(out, line, length);
    amla_buffer_put(out, '\n');
    return AMLA_FILTER_MORE;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    return amla_lines_feed(&((Nl *)self)->lines, '\n', bytes, length, visit, self, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    return amla_lines_end(&((Nl *)self)->lines, visit, self, out);
}

static const char *fault(void *self)
{
    (void)self;
    return "the regular expression is too complex";
}

static void destroy(void *self)
{
    Nl *nl = self;
    for (int i = 0; i < SECTIONS; i++)
        amla_regex_free(nl->styles[i].regex);
    free(nl->separator);
    free(nl->delimiter);
    amla_lines_clear(&nl->lines);
}

const AmlaFilterType amla_filter_nl = {
    .name = "nl",
    .size = sizeof(Nl),
    .create = create,
    .feed = feed,
    .end = end,
    .fault = fault,
    .destroy = destroy,
};
