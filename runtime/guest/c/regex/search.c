#include <string.h>

#include "cells.h"
#include "matcher.h"
#include "utf8.h"

static const AmlaSpan unset = { AMLA_REGEX_UNSET, AMLA_REGEX_UNSET };

static RxText text_of(const char *bytes, size_t length)
{
    return (RxText){ (const uint8_t *)bytes, length };
}

static AmlaRegexResult run_any(AmlaRegex *regex, RxText text, size_t from, size_t *end)
{
    RxDfa *any = rx_machine(regex, RX_DFA_ANY);
    return any ? rx_dfa_forward(any, text, from, end) : AMLA_REGEX_TOO_COMPLEX;
}

static size_t line_start(const AmlaRegex *regex, RxText text, size_t from, size_t at)
{
    while (at > from && text.bytes[at - 1] != regex->line_end)
        at--;
    return at;
}

static size_t line_end(const AmlaRegex *regex, RxText text, size_t at)
{
    const uint8_t *end = memchr(text.bytes + at, regex->line_end, text.length - at);
    return end ? (size_t)(end - text.bytes) : text.length;
}

/* The leftmost, longest match of the search program. */
static AmlaRegexResult run_span(AmlaRegex *regex, RxText text, size_t from, AmlaSpan *span)
{
    RxDfa *longest = rx_machine(regex, RX_DFA_LONGEST), *backward = rx_machine(regex, RX_DFA_BACKWARD);
    if (!longest || !backward)
        return AMLA_REGEX_TOO_COMPLEX;
    const AmlaRegexResult result = rx_dfa_forward(longest, text, from, &span->end);
    if (result != AMLA_REGEX_MATCH)
        return result;
    span->start = from;
    if (longest->anchored)
        return result;
    if (longest->line_anchored && regex->flags & AMLA_REGEX_LINES) {
        span->start = line_start(regex, text, from, span->end);
        return result;
    }
    return rx_dfa_backward(backward, text, from, span->end, &span->start);
}

/* Move *from on to where a match may start at the earliest, by the string that it must contain.  MATCH: there is that
 * string, at *hit. */
static AmlaRegexResult skip(AmlaRegex *regex, RxText text, size_t *from, size_t *hit)
{
    bool interrupted;
    const RxLiteral *literal = &regex->literal;
    if (!literal->length)
        return AMLA_REGEX_MATCH;
    *hit = rx_literal_find(literal, text.bytes, text.length, *from, &interrupted);
    if (*hit == SIZE_MAX)
        return interrupted ? AMLA_REGEX_INTERRUPTED : AMLA_REGEX_NONE;
    if (literal->whole)
        *from = *hit;
    else if (regex->flags & AMLA_REGEX_LINES)
        *from = line_start(regex, text, *from, *hit);
    return AMLA_REGEX_MATCH;
}

static AmlaRegexResult find_groups(AmlaRegex *regex, RxText text, AmlaSpan *spans, size_t count)
{
    RxGroups *finder = rx_finder(regex);
    if (!finder)
        return AMLA_REGEX_TOO_COMPLEX;
    const AmlaRegexResult result = rx_groups_find(finder, text, spans[0].start, spans[0].end);
    for (size_t i = 1; i < count; i++)
        spans[i] = i < finder->span_count ? finder->spans[i] : unset;
    return result;
}

static AmlaRegexResult search_regular(AmlaRegex *regex, RxText text, size_t from, AmlaSpan *spans, size_t count)
{
    size_t hit = 0;
    const RxLiteral *literal = &regex->literal;
    AmlaRegexResult result = skip(regex, text, &from, &hit);
    if (result != AMLA_REGEX_MATCH)
        return result;
    if (count == 0)
        return literal->whole ? AMLA_REGEX_MATCH : run_any(regex, text, from, &hit);
    if (literal->whole)
        spans[0] = (AmlaSpan){ hit, hit + literal->length };
    else
        result = run_span(regex, text, from, &spans[0]);
    for (size_t i = 1; i < count; i++)
        spans[i] = unset;
    return result == AMLA_REGEX_MATCH && count > 1 && regex->groups ? find_groups(regex, text, spans, count) : result;
}

/* Try one place after another, the first of which the search program finds. */
static AmlaRegexResult try_places(AmlaRegex *regex, RxText text, size_t from)
{
    AmlaSpan near;
    RxBacktrack *backtrack = rx_backtracker(regex);
    AmlaRegexResult result = run_span(regex, text, from, &near);
    if (result != AMLA_REGEX_MATCH)
        return result;
    if (!backtrack)
        return AMLA_REGEX_TOO_COMPLEX;
    for (size_t at = near.start;;) {
        result = rx_backtrack_at(backtrack, at);
        if (result != AMLA_REGEX_NONE || at >= text.length)
            return result;
        uint32_t c;
        at += regex->flags & AMLA_REGEX_BYTES ? 1 : rx_decode(text.bytes + at, text.length - at, &c);
    }
}

/* The backtracker sees one line at a time, which is *line in the end. */
static AmlaRegexResult try_lines(AmlaRegex *regex, RxText text, size_t from, AmlaSpan *line)
{
    RxBacktrack *backtrack = rx_backtracker(regex);
    if (!backtrack)
        return AMLA_REGEX_TOO_COMPLEX;
    while (from <= text.length) {
        if (amla_interrupted())
            return AMLA_REGEX_INTERRUPTED;
        size_t at;
        AmlaRegexResult result = run_any(regex, text, from, &at);
        if (result != AMLA_REGEX_MATCH)
            return result;
        *line = (AmlaSpan){ line_start(regex, text, 0, at), line_end(regex, text, at) };
        const RxText part = { text.bytes + line->start, line->end - line->start };
        rx_backtrack_begin(backtrack, part);
        result = try_places(regex, part, from > line->start ? from - line->start : 0);
        if (result != AMLA_REGEX_NONE)
            return result;
        from = line->end + 1;
    }
    return AMLA_REGEX_NONE;
}

static AmlaRegexResult search_backtracking(AmlaRegex *regex, RxText text, size_t from, AmlaSpan *spans, size_t count)
{
    AmlaSpan line = { 0, text.length };
    size_t hit;
    RxBacktrack *backtrack = rx_backtracker(regex);
    if (!backtrack)
        return AMLA_REGEX_TOO_COMPLEX;
    AmlaRegexResult result = skip(regex, text, &from, &hit);
    if (result != AMLA_REGEX_MATCH)
        return result;
    rx_backtrack_begin(backtrack, text);
    result = regex->flags & AMLA_REGEX_LINES ? try_lines(regex, text, from, &line) : try_places(regex, text, from);
    for (size_t i = 0; i < count && result == AMLA_REGEX_MATCH; i++) {
        spans[i] = rx_backtrack_span(backtrack, i);
        if (spans[i].start != AMLA_REGEX_UNSET)
            spans[i] = (AmlaSpan){ spans[i].start + line.start, spans[i].end + line.start };
    }
    return result;
}

AmlaRegexResult amla_regex_search(AmlaRegex *regex, const char *bytes, size_t length, size_t from, AmlaSpan *spans,
                                  size_t count)
{
    const RxText text = text_of(bytes, length);
    if (from > length)
        return AMLA_REGEX_NONE;
    if (regex->backtracks && !(regex->exact && count == 0))
        return search_backtracking(regex, text, from, spans, count);
    return search_regular(regex, text, from, spans, count);
}

/* The line of the first match of the search program. */
static AmlaRegexResult find_line(AmlaRegex *regex, RxText text, size_t from, AmlaSpan *line)
{
    for (;;) {
        size_t at = from;
        AmlaRegexResult result = skip(regex, text, &from, &at);
        const bool known = regex->literal.length; /* the line to look at: there the string is */
        const RxText part = { text.bytes, known && result == AMLA_REGEX_MATCH ? line_end(regex, text, at) : text.length };
        if (known)
            from = line_start(regex, text, 0, from);
        if (result == AMLA_REGEX_MATCH && !regex->literal.whole)
            result = run_any(regex, part, from, &at);
        if (result == AMLA_REGEX_MATCH)
            *line = (AmlaSpan){ line_start(regex, text, from, at), line_end(regex, text, at) };
        if (result != AMLA_REGEX_NONE || !known || part.length >= text.length)
            return result;
        if (amla_interrupted())
            return AMLA_REGEX_INTERRUPTED;
        from = part.length + 1;
    }
}

AmlaRegexResult amla_regex_search_line(AmlaRegex *regex, const char *bytes, size_t length, size_t from, AmlaSpan *line)
{
    const RxText text = text_of(bytes, length);
    if (from >= length)
        return AMLA_REGEX_NONE;
    const AmlaRegexResult result = regex->exact ? find_line(regex, text, from, line) : try_lines(regex, text, from, line);
    const bool behind_last = line->start == length && text.bytes[length - 1] == regex->line_end;
    return result == AMLA_REGEX_MATCH && behind_last ? AMLA_REGEX_NONE : result;
}
