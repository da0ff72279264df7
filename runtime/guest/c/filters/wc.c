/* wc over one file after the other: counts of the present file.
 *
 * Options: words, chars, longest (which of the dear counts are wanted), bytewise (each byte is a character).  configure() starts a file anew.
 * Report: [lines, words, chars, bytes, longest].
 */
#include <wchar.h>
#include <wctype.h>

#include "cells.h"
#include "characters.h"
#include "filter.h"
#include "options.h"

typedef struct {
    bool want_words, want_chars, want_longest, bytewise;
    uint64_t lines, words, chars, bytes, longest;
    uint64_t column; /* of the present line */
    bool inside;     /* a word */
    uint8_t partial[4]; /* a character that the chunk cut */
    size_t partial_length;
} Wc;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Wc *wc = self;
    wc->want_words = amla_option_flag(ctx, options, "words");
    wc->want_chars = amla_option_flag(ctx, options, "chars");
    wc->want_longest = amla_option_flag(ctx, options, "longest");
    wc->bytewise = amla_option_flag(ctx, options, "bytewise");
    return 0;
}

static int configure(JSContext *ctx, void *self, JSValueConst options)
{
    (void)ctx, (void)options;
    Wc *wc = self;
    const bool bytewise = wc->bytewise;
    *wc = (Wc){ .want_words = wc->want_words, .want_chars = wc->want_chars, .want_longest = wc->want_longest, .bytewise = bytewise };
    return 0;
}

static void end_line(Wc *wc)
{
    if (wc->column > wc->longest)
        wc->longest = wc->column;
    wc->column = 0;
}

static void end_word(Wc *wc)
{
    wc->words += wc->inside;
    wc->inside = false;
}

static void count_control(Wc *wc, uint8_t byte)
{
    switch (byte) {
    case '\t':
        wc->column += 8 - wc->column % 8;
        break;
    case '\n':
        wc->lines++;
        /* fall through */
    case '\r':
    case '\f':
        end_line(wc);
        break;
    case '\v':
        break;
    default:
        return;
    }
    end_word(wc);
}

/* Spaces that do not break a line separate words for wc all the same. */
static bool separates(uint32_t code)
{
    return iswspace((wint_t)code) || code == 0xa0 || code == 0x2007 || code == 0x202f || code == 0x2060;
}

static void count_wide(Wc *wc, uint32_t code)
{
    wc->chars++;
    if (!iswprint((wint_t)code) && !separates(code))
        return;
    const int width = wcwidth((wchar_t)code);
    wc->column += width > 0 ? (uint64_t)width : 0;
    if (separates(code))
        end_word(wc);
    else
        wc->inside = true;
}

static void count_ascii(Wc *wc, uint8_t byte)
{
    wc->chars++;
    if (byte < ' ' || byte == 0x7f) {
        count_control(wc, byte);
        return;
    }
    wc->column++;
    if (byte == ' ')
        end_word(wc);
    else
        wc->inside = true;
}

/* Words and lines of a run of plain text, where only space and newline are no letters of words. */
static size_t count_plain(Wc *wc, const uint8_t *bytes, size_t length)
{
    uint64_t lines = 0, words = 0;
    size_t at = 0;
    unsigned inside = wc->inside;
    for (; at < length; at++) {
        const uint8_t byte = bytes[at];
        const unsigned letter = byte > ' ';
        if ((!letter && byte != ' ' && byte != '\n') || byte >= 0x7f)
            break;
        lines += byte == '\n';
        words += inside & !letter;
        inside = letter;
    }
    wc->inside = inside;
    wc->lines += lines;
    wc->words += words;
    wc->chars += at;
    return at;
}

static void count_text(Wc *wc, const uint8_t *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        if (!wc->want_longest && (at += count_plain(wc, bytes + at, length - at)) == length)
            break;
        if (bytes[at] < 0x80) {
            count_ascii(wc, bytes[at++]);
            continue;
        }
        if (wc->bytewise) {
            wc->chars++;
            at++;
            continue;
        }
        uint32_t code;
        const size_t size = amla_character(bytes + at, length - at, &code);
        if (size == 0 && amla_character_cut(bytes + at, length - at)) {
            memcpy(wc->partial, bytes + at, wc->partial_length = length - at);
            break;
        }
        if (size)
            count_wide(wc, code);
        at += size ? size : 1;
    }
}

static void count_lines(Wc *wc, const uint8_t *bytes, size_t length)
{
    uint64_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += bytes[i] == '\n';
    wc->lines += lines;
}

/* A character that the last chunk cut, with the bytes that came now. */
static void join_partial(Wc *wc, const uint8_t **bytes, size_t *length)
{
    while (wc->partial_length > 0 && *length > 0 && (**bytes & 0xc0) == 0x80) {
        uint32_t code;
        wc->partial[wc->partial_length++] = *(*bytes)++;
        --*length;
        if (amla_character(wc->partial, wc->partial_length, &code)) {
            count_wide(wc, code);
            wc->partial_length = 0;
        } else if (!amla_character_cut(wc->partial, wc->partial_length))
            wc->partial_length = 0;
    }
    if (*length > 0)
        wc->partial_length = 0;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    (void)out;
    Wc *wc = self;
    wc->bytes += length;
    if (!wc->want_words && !wc->want_chars && !wc->want_longest)
        count_lines(wc, bytes, length);
    else {
        join_partial(wc, &bytes, &length);
        count_text(wc, bytes, length);
    }
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files, (void)out;
    end_line(self);
    end_word(self);
    return AMLA_FILTER_MORE;
}

static JSValue report(JSContext *ctx, void *self)
{
    const Wc *wc = self;
    const uint64_t counts[] = { wc->lines, wc->words, wc->chars, wc->bytes, wc->longest };
    JSValue array = JS_NewArray(ctx);
    for (uint32_t i = 0; i < sizeof counts / sizeof *counts; i++)
        JS_SetPropertyUint32(ctx, array, i, JS_NewInt64(ctx, (int64_t)counts[i]));
    return array;
}

const AmlaFilterType amla_filter_wc = {
    .name = "wc",
    .size = sizeof(Wc),
    .create = create,
    .configure = configure,
    .feed = feed,
    .end = end,
    .report = report,
};
