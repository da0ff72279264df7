#include "grep.h"

#include <stdio.h>

/* The colours of GREP_COLORS's defaults. */
#define NAME "35"
#define NUMBER "32"
#define MATCH "01;31"
#define SEPARATOR "36"

static void put_text(AmlaBuffer *out, const char *text)
{
    amla_buffer_append(out, text, strlen(text));
}

static void put_colored(const Grep *grep, AmlaBuffer *out, const char *color, const char *text, size_t length)
{
    if (grep->color) {
        put_text(out, "\33[");
        put_text(out, color);
        put_text(out, "m\33[K");
    }
    amla_buffer_append(out, text, length);
    if (grep->color)
        put_text(out, "\33[m\33[K");
}

void grep_print_separator(const Grep *grep, AmlaBuffer *out)
{
    put_colored(grep, out, SEPARATOR, grep->separator, grep->separator_length);
    amla_buffer_put(out, '\n');
}

static void put_number(const Grep *grep, AmlaBuffer *out, uint64_t number, char mark)
{
    char text[24];
    const int length = snprintf(text, sizeof text, grep->initial_tab ? "%4llu" : "%llu", (unsigned long long)number);
    put_colored(grep, out, NUMBER, text, (size_t)length);
    put_colored(grep, out, SEPARATOR, &mark, 1);
}

static void put_head(const Grep *grep, AmlaBuffer *out, uint64_t offset, char mark, bool empty)
{
    if (grep->prefix) {
        put_colored(grep, out, NAME, grep->prefix, grep->prefix_length);
        if (grep->null_after_name)
            amla_buffer_put(out, '\0');
        else
            put_colored(grep, out, SEPARATOR, &mark, 1);
    }
    if (grep->line_numbers)
        put_number(grep, out, grep->line + 1, mark);
    if (grep->byte_offsets)
        put_number(grep, out, offset, mark);
    if (grep->initial_tab && !empty && (grep->prefix || grep->line_numbers || grep->byte_offsets))
        amla_buffer_put(out, '\t');
}

/* Each match that is not empty: alone on a line, or coloured within its line. */
static AmlaRegexResult put_matches(Grep *grep, const char *text, size_t length, AmlaSpan line, uint64_t offset, char mark,
                                   AmlaBuffer *out)
{
    const bool alone = grep->show == GREP_MATCHES;
    size_t at = line.start, shown = line.start;
    while (at <= line.end) {
        AmlaSpan match;
        const AmlaRegexResult result = amla_regex_search(grep->regex, text, line.end, at, &match, 1);
        if (result < 0)
            return result;
        if (result == AMLA_REGEX_NONE)
            break;
        if (match.end == match.start) {
            at = match.end + 1;
            continue;
        }
        if (alone)
            put_head(grep, out, offset + (match.start - line.start), mark, false);
        else
            amla_buffer_append(out, text + shown, match.start - shown);
        put_colored(grep, out, MATCH, text + match.start, match.end - match.start);
        if (alone)
            amla_buffer_put(out, grep->end);
        at = shown = match.end;
    }
    (void)length;
    if (!alone)
        amla_buffer_append(out, text + shown, line.end - shown);
    return AMLA_REGEX_MATCH;
}

AmlaRegexResult grep_print(Grep *grep, const char *text, size_t length, AmlaSpan line, uint64_t offset, char mark,
                           AmlaBuffer *out)
{
    if (grep->show == GREP_MATCHES)
        return mark == ':' && !grep->invert ? put_matches(grep, text, length, line, offset, mark, out) : AMLA_REGEX_MATCH;
    put_head(grep, out, offset, mark, line.start == line.end);
    AmlaRegexResult result = AMLA_REGEX_MATCH;
    if (grep->color && (mark == ':') != grep->invert)
        result = put_matches(grep, text, length, line, offset, mark, out);
    else
        amla_buffer_append(out, text + line.start, line.end - line.start);
    amla_buffer_put(out, grep->end);
    return result;
}
