#include "splitter.h"

#include "number.h"
#include "vm.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

#define NEXT_FIELD(name)                                                                                      \
    static bool name(AwkVm *vm, const AwkSplitter *splitter, const char *bytes, size_t length, AwkCursor *cursor, \
                     AwkRun *field, AwkRun *separator)

/* A field up to a separator at [start, end), or up to the end of the text. */
static bool take(AwkCursor *cursor, AwkRun *field, AwkRun *separator, size_t start, size_t end, bool last)
{
    *field = (AwkRun){ cursor->at, start };
    *separator = (AwkRun){ start, end };
    cursor->at = end;
    cursor->done = last;
    cursor->index++;
    return true;
}

/* Where blanks end; bytes above the blank, which most are, take one comparison. */
static size_t skip_blanks(const char *bytes, size_t at, size_t length)
{
    while (at < length && (uint8_t)bytes[at] <= ' ' && is_blank(bytes[at]))
        at++;
    return at;
}

static size_t skip_word(const char *bytes, size_t at, size_t length)
{
    while (at < length && ((uint8_t)bytes[at] > ' ' || !is_blank(bytes[at])))
        at++;
    return at;
}

/* Leading blanks belong to the separator before the first field, which split() stores as number 0. */
NEXT_FIELD(next_blanks)
{
    (void)vm, (void)splitter;
    field->start = skip_blanks(bytes, cursor->at, length);
    if (field->start == length)
        return false;
    field->end = separator->start = skip_word(bytes, field->start, length);
    separator->end = cursor->at = skip_blanks(bytes, field->end, length);
    cursor->index++;
    return true;
}

NEXT_FIELD(next_byte)
{
    (void)vm;
    if (cursor->done || !length)
        return false;
    const char *found = memchr(bytes + cursor->at, splitter->byte, length - cursor->at);
    size_t end = found ? (size_t)(found - bytes) : length;
    if (splitter->lines) {
        const char *newline = memchr(bytes + cursor->at, '\n', end - cursor->at);
        end = newline ? (size_t)(newline - bytes) : end;
    }
    return take(cursor, field, separator, end, end < length ? end + 1 : end, end == length);
}

/* The next match that is not empty. */
static bool find_separator(AwkVm *vm, const AwkSplitter *splitter, const char *bytes, size_t length, size_t from,
                           AmlaSpan *span)
{
    while (from < length && awk_pattern_search(vm, splitter->pattern, bytes, length, from, span, 1)) {
        if (span->end > span->start)
            return true;
        from = span->start < length ? span->start + awk_character_size(bytes, length, span->start) : length;
    }
    return false;
}

NEXT_FIELD(next_regex)
{
    AmlaSpan span;
    if (cursor->done || !length)
        return false;
    const bool found = find_separator(vm, splitter, bytes, length, cursor->at, &span);
    if (!found)
        return take(cursor, field, separator, length, length, true);
    return take(cursor, field, separator, span.start, span.end, false);
}

NEXT_FIELD(next_character)
{
    (void)vm, (void)splitter;
    if (cursor->at >= length)
        return false;
    const size_t end = cursor->at + awk_character_size(bytes, length, cursor->at);
    return take(cursor, field, separator, end, end, false);
}

/* FPAT: fields are the matches, and what is between them separates; an empty match right behind another is none. */
NEXT_FIELD(next_content)
{
    AmlaSpan span;
    for (size_t from = cursor->at;; from += awk_character_size(bytes, length, from)) {
        if (!length || !awk_pattern_search(vm, splitter->pattern, bytes, length, from, &span, 1))
            return false;
        if (span.end > span.start || !cursor->index || span.start > cursor->at)
            break;
        if (span.start == length)
            return false;
        from = span.start;
    }
    *field = (AwkRun){ span.start, span.end };
    *separator = (AwkRun){ cursor->at, span.start };
    cursor->at = span.end;
    cursor->index++;
    return true;
}

/* One item of FIELDWIDTHS: "skip:width", or "*" for the rest. */
static bool parse_width(const AwkText *widths, uint32_t index, size_t *skip, size_t *width)
{
    const char *at = widths->bytes, *end = at + widths->length;
    for (uint32_t i = 0;; i++) {
        while (at < end && is_blank(*at))
            at++;
        if (at == end)
            return false;
        size_t number = 0;
        *skip = 0;
        for (; at < end && !is_blank(*at); at++) {
            if (*at == ':') {
                *skip = number;
                number = 0;
            } else if (*at == '*') {
                number = AWK_TEXT_MAX;
            } else if (*at >= '0' && *at <= '9' && number < AWK_TEXT_MAX / 10) {
                number = number * 10 + (size_t)(*at - '0');
            }
        }
        *width = number;
        if (i == index)
            return true;
    }
}

NEXT_FIELD(next_width)
{
    size_t skip, width;
    (void)vm;
    if (cursor->at >= length || !parse_width(splitter->widths, cursor->index, &skip, &width))
        return false;
    cursor->at = awk_skip_characters(bytes, length, cursor->at, skip);
    const size_t end = awk_skip_characters(bytes, length, cursor->at, width);
    return take(cursor, field, separator, end, end, false);
}

AwkSplitter awk_splitter(AwkVm *vm, AwkValue *separator, bool lines)
{
    AwkSplitter splitter = { .lines = lines };
    if (separator->kind == AWK_REGEX) {
        splitter.pattern = awk_pattern_of(vm, separator);
        splitter.next = splitter.pattern && splitter.pattern->source->length ? next_regex : next_character;
        return splitter;
    }
    AwkText *text = awk_to_text(vm, separator);
    if (text->length == 1 && text->bytes[0] == ' ') {
        splitter.next = next_blanks;
    } else if (!text->length) {
        splitter.next = next_character;
    } else if (text->length == 1) {
        splitter.next = next_byte;
        splitter.byte = text->bytes[0];
    } else {
        splitter.next = next_regex;
        splitter.pattern = awk_pattern_of_text(vm, text);
    }
    awk_text_release(&vm->pool, text);
    return splitter;
}

AwkSplitter awk_splitter_by_content(AwkVm *vm, AwkValue *pattern)
{
    return (AwkSplitter){ .next = next_content, .pattern = awk_pattern_of(vm, pattern) };
}

AwkSplitter awk_splitter_by_width(AwkText *widths)
{
    return (AwkSplitter){ .next = next_width, .widths = widths };
}
