/* fmt over one file after the other.
 *
 * Options: most, goal (columns of a line), mode (0; 1 split-only, 2 crown-margin, 3 tagged-paragraph), uniform, prefix
 * (bytes, without the blanks around it), prefixLead (how many blanks were in front of it).
 */
#include <stdlib.h>

#include "cells.h"
#include "filter.h"
#include "fmt_break.h"
#include "lines.h"
#include "options.h"

enum { TAG_INDENT = 3, MOST_WORDS = 998, MOST_BYTES = 5000 };
typedef enum { PLAIN, SPLIT, CROWN, TAGGED } Mode;

/* A line as fmt sees it. */
typedef struct {
    int32_t prefix_indent, indent; /* columns in front of the prefix, and of the text */
    const uint8_t *rest;           /* behind the first blanks */
    const uint8_t *text, *stop;    /* behind prefix and indentation; nothing where the line is not to be changed */
    bool prefixed;                 /* the prefix is there */
} Line;

typedef struct {
    Mode mode;
    bool uniform;
    char *prefix; /* owned */
    size_t prefix_length;
    int32_t prefix_lead, most, goal;
    bool tabs; /* the file had any: then blanks become tabs too */
    int32_t tag_indent;
    AmlaLines lines;
    /* the paragraph */
    size_t line_count;
    int32_t prefix_indent, first_indent, second_indent;
    AmlaBuffer text;
    AmlaBuffer words; /* FmtWord */
} Fmt;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Fmt *fmt = self;
    fmt->most = (int32_t)amla_option_integer(ctx, options, "most", 75);
    fmt->goal = (int32_t)amla_option_integer(ctx, options, "goal", 70);
    fmt->mode = (Mode)amla_option_integer(ctx, options, "mode", PLAIN);
    fmt->uniform = amla_option_flag(ctx, options, "uniform");
    fmt->prefix_lead = (int32_t)amla_option_integer(ctx, options, "prefixLead", 0);
    fmt->prefix = amla_option_text(ctx, options, "prefix", &fmt->prefix_length);
    if (fmt->prefix)
        return 0;
    JS_ThrowOutOfMemory(ctx);
    return -1;
}

/* --- reading lines -------------------------------------------------------------------------- */

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t';
}

static const uint8_t *skip_blanks(const uint8_t *at, const uint8_t *stop, int32_t *column)
{
    for (; at < stop && is_blank(*at); at++)
        *column += *at == '\t' ? 8 - *column % 8 : 1;
    return at;
}

static Line parse(const Fmt *fmt, const uint8_t *at, const uint8_t *stop)
{
    Line line = { .stop = stop, .prefixed = true };
    line.rest = skip_blanks(at, stop, &line.indent);
    line.prefix_indent = line.indent;
    line.text = line.rest;
    if (!fmt->prefix_length) {
        if (line.prefix_indent > fmt->prefix_lead)
            line.prefix_indent = fmt->prefix_lead;
        return line;
    }
    if (line.indent < fmt->prefix_lead || (size_t)(stop - line.rest) < fmt->prefix_length ||
        memcmp(line.rest, fmt->prefix, fmt->prefix_length)) {
        line.prefixed = false;
        line.text = stop;
        return line;
    }
    line.indent += (int32_t)fmt->prefix_length;
    line.text = skip_blanks(line.rest + fmt->prefix_length, stop, &line.indent);
    return line;
}

/* Whether the line goes on with the present paragraph. */
static bool belongs(const Fmt *fmt, const Line *line)
{
    const bool second = fmt->line_count == 1;
    if (fmt->mode == SPLIT || line->prefix_indent != fmt->prefix_indent)
        return false;
    if (fmt->mode == CROWN)
        return second || line->indent == fmt->second_indent;
    if (fmt->mode == TAGGED)
        return second ? line->indent != fmt->first_indent : line->indent == fmt->second_indent;
    return line->indent == fmt->first_indent;
}

static bool is_punctuation(uint8_t byte)
{
    return byte > ' ' && byte < 127 && !((byte | 32) >= 'a' && (byte | 32) <= 'z') && !(byte >= '0' && byte <= '9');
}

/* Whether the word ends with a mark of a sentence's end, and brackets or quotes behind it. */
static bool ends_with_period(const uint8_t *word, size_t length)
{
    while (length > 0 && memchr(")]'\"", word[length - 1], 4))
        length--;
    return length > 0 && memchr(".?!", word[length - 1], 3);
}

static FmtWord *add_word(Fmt *fmt, const uint8_t *word, size_t length, int32_t space)
{
    const bool punctuated = is_punctuation(word[length - 1]), period = punctuated && ends_with_period(word, length);
    const FmtWord added = {
        .start = fmt->text.length,
        .length = (int32_t)length,
        .space = space,
        .opens = memchr("(['`\"", word[0], 5),
        .punctuated = punctuated,
        .period = period,
        .final = period && space > 1,
    };
    amla_buffer_append(&fmt->text, word, length);
    amla_buffer_append(&fmt->words, &added, sizeof added);
    if (fmt->words.failed || fmt->text.failed)
        return NULL;
    return (FmtWord *)(void *)(fmt->words.data + fmt->words.length) - 1;
}

static bool add_words(Fmt *fmt, const Line *line)
{
    int32_t column = line->indent;
    for (const uint8_t *at = line->text; at < line->stop;) {
        const uint8_t *const start = at;
        while (at < line->stop && !is_blank(*at))
            at++;
        const size_t length = (size_t)(at - start);
        const int32_t end = column + (int32_t)length;
        column = end;
        at = skip_blanks(at, line->stop, &column);
        FmtWord *word = add_word(fmt, start, length, column - end);
        if (!word)
            return false;
        if (at == line->stop)
            word->final = word->period;
        if (at == line->stop || fmt->uniform)
            word->space = word->final ? 2 : 1;
    }
    return true;
}

static bool add_line(Fmt *fmt, const Line *line)
{
    if (fmt->line_count == 0) {
        fmt->prefix_indent = line->prefix_indent;
        fmt->first_indent = line->indent;
    } else if (fmt->line_count == 1)
        fmt->second_indent = line->indent;
    fmt->line_count++;
    return add_words(fmt, line);
}

/* --- printing ------------------------------------------------------------------------------- */

/* What leads from one column to another. */
static void put_blanks(const Fmt *fmt, int32_t from, int32_t to, AmlaBuffer *out)
{
    const int32_t stop = to - to % 8;
    if (fmt->tabs && from + 1 < stop)
        for (; from < stop; from += 8 - from % 8)
            amla_buffer_put(out, '\t');
    for (; from < to; from++)
        amla_buffer_put(out, ' ');
}

static void put_line(const Fmt *fmt, const FmtWord *words, uint32_t from, uint32_t to, int32_t indent, AmlaBuffer *out)
{
    put_blanks(fmt, 0, fmt->prefix_indent, out);
    amla_buffer_append(out, fmt->prefix, fmt->prefix_length);
    int32_t column = fmt->prefix_indent + (int32_t)fmt->prefix_length;
    put_blanks(fmt, column, indent, out);
    if (column < indent)
        column = indent;
    for (uint32_t at = from; at < to; at++) {
        const FmtWord *word = &words[at];
        amla_buffer_append(out, fmt->text.data + word->start, (size_t)word->length);
        column += word->length;
        if (at + 1 < to)
            put_blanks(fmt, column, column + word->space, out);
        column += word->space;
    }
    amla_buffer_put(out, '\n');
}

/* Lines of `words` up to `end`; the length of the last one. */
static int32_t put_lines(const Fmt *fmt, const FmtWord *words, uint32_t end, const FmtMeasures *measures, AmlaBuffer *out)
{
    int32_t length = 0;
    for (uint32_t at = 0; at < end; at = words[at].next) {
        put_line(fmt, words, at, words[at].next, at ? measures->indent : measures->first_indent, out);
        length = words[at].line;
    }
    return length;
}

/* The indentation of all lines but the first. */
static int32_t other_indent(Fmt *fmt)
{
    if (fmt->mode == CROWN && fmt->line_count > 1)
        return fmt->second_indent;
    if (fmt->mode != TAGGED)
        return fmt->first_indent;
    /* A single line takes that of the paragraph before, which must differ from the first line's. */
    if (fmt->line_count > 1)
        fmt->tag_indent = fmt->second_indent;
    else if (fmt->tag_indent == fmt->first_indent)
        fmt->tag_indent = fmt->first_indent == 0 ? TAG_INDENT : 0;
    return fmt->tag_indent;
}

/* In parts of bounded size. */
static void put_paragraph(Fmt *fmt, AmlaBuffer *out)
{
    FmtWord *words = (FmtWord *)(void *)fmt->words.data;
    const uint32_t count = (uint32_t)(fmt->words.length / sizeof *words);
    const FmtMeasures measures = { fmt->most, fmt->goal, fmt->first_indent, other_indent(fmt) };
    words[count - 1].period = words[count - 1].final = true;
    uint32_t from = 0;
    int32_t bytes = 0, before = 0;
    for (uint32_t at = 0; at < count; at++) {
        bytes += words[at].length;
        if (at == from || (bytes <= MOST_BYTES && at - from < MOST_WORDS))
            continue;
        fmt_break_words(words + from, at - from, &measures, before);
        const uint32_t end = fmt_part_end(words + from, at - from);
        before = put_lines(fmt, words + from, end, &measures, out);
        from += end;
        bytes = 0;
        for (uint32_t i = from; i <= at; i++)
            bytes += words[i].length;
    }
    fmt_break_words(words + from, count - from, &measures, before);
    put_lines(fmt, words + from, count - from, &measures, out);
}

static void end_paragraph(Fmt *fmt, AmlaBuffer *out)
{
    if (fmt->line_count > 0)
        put_paragraph(fmt, out);
    fmt->line_count = fmt->text.length = fmt->words.length = 0;
}

/* A line that is not to be changed; one of blanks, or of the prefix alone, is put without what ends it. */
static void put_untouched(const Fmt *fmt, const Line *line, AmlaBuffer *out)
{
    if (line->rest < line->stop) {
        const bool bare = fmt->prefix_length && line->prefixed;
        put_blanks(fmt, 0, line->prefix_indent, out);
        amla_buffer_append(out, line->rest, bare ? fmt->prefix_length : (size_t)(line->stop - line->rest));
    }
    amla_buffer_put(out, '\n');
}

static AmlaFilterState visit(void *self, const uint8_t *bytes, size_t length, bool ended, AmlaBuffer *out)
{
    (void)ended;
    Fmt *fmt = self;
    fmt->tabs |= length && memchr(bytes, '\t', length);
    const Line line = parse(fmt, bytes, bytes + length);
    const bool changed = line.text < line.stop;
    if (!changed || (fmt->line_count > 0 && !belongs(fmt, &line)))
        end_paragraph(fmt, out);
    if (!changed)
        put_untouched(fmt, &line, out);
    else if (!add_line(fmt, &line))
        return AMLA_FILTER_MEMORY;
    return AMLA_FILTER_MORE;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    return amla_lines_feed(&((Fmt *)self)->lines, '\n', bytes, length, visit, self, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Fmt *fmt = self;
    const AmlaFilterState state = amla_lines_end(&fmt->lines, visit, fmt, out);
    if (state != AMLA_FILTER_MORE)
        return state;
    end_paragraph(fmt, out);
    fmt->tabs = false;
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

static void destroy(void *self)
{
    Fmt *fmt = self;
    amla_lines_clear(&fmt->lines);
    amla_buffer_clear(&fmt->text);
    amla_buffer_clear(&fmt->words);
    free(fmt->prefix);
}

const AmlaFilterType amla_filter_fmt = {
    .name = "fmt",
    .size = sizeof(Fmt),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
