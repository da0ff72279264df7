/* hexdump over blocks.
 *
 * Options: block (bytes), start (the first offset), all (equal blocks are printed too), formats, texts (bytes that formats
 * point into).  Formats are u32s: for each the number of its units; for each of these its count and the number of its
 * pieces; for each of these, as in Piece below, texts by their place and length.  Report: the offset behind the last byte.
 */
#include <stdio.h>
#include <stdlib.h>

#include "blocks.h"
#include "filter.h"
#include "options.h"

typedef enum { TEXT, OFFSET, SIGNED, UNSIGNED, FLOAT, CHARACTER, ESCAPED, PRINTABLE, NAMED, STRING } Kind;

typedef struct {
    uint32_t before, before_length; /* text in front */
    uint32_t kind, size;            /* of what is shown; bytes that it takes */
    uint32_t form;                  /* a printf format for it, which ends in NUL */
    uint32_t width;                 /* blanks where the bytes are missing */
} Piece;

typedef struct {
    AmlaBlocks blocks;
    uint32_t *formats; /* owned */
    size_t format_count; /* u32s */
    char *texts;         /* owned */
    uint64_t offset;
    bool all;
} Hexdump;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Hexdump *hexdump = self;
    size_t length = 0;
    hexdump->blocks.size = (size_t)amla_option_integer(ctx, options, "block", 16);
    hexdump->offset = (uint64_t)amla_option_integer(ctx, options, "start", 0);
    hexdump->all = amla_option_flag(ctx, options, "all");
    hexdump->texts = amla_option_text(ctx, options, "texts", NULL);
    hexdump->formats = (uint32_t *)amla_option_text(ctx, options, "formats", &length);
    hexdump->format_count = length / sizeof *hexdump->formats;
    if (hexdump->texts && hexdump->formats)
        return 0;
    JS_ThrowOutOfMemory(ctx);
    return -1;
}

/* --- one piece ------------------------------------------------------------------------------ */

static uint64_t read_unsigned(const uint8_t *bytes, uint32_t size)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < size && i < 8; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static int64_t read_signed(const uint8_t *bytes, uint32_t size)
{
    const uint32_t unused = 64 - 8 * size;
    return (int64_t)(read_unsigned(bytes, size) << unused) >> unused;
}

static double read_float(const uint8_t *bytes, uint32_t size)
{
    float single;
    double twice;
    memcpy(&single, bytes, sizeof single);
    if (size == sizeof single)
        return (double)single;
    memcpy(&twice, bytes, sizeof twice);
    return twice;
}

/* A byte as a text of at most four characters. */
static const char *show_byte(Kind kind, uint8_t byte, char *text)
{
    static const char names[][4] = { "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "lf",
                                     "vt",  "ff",  "cr",  "so",  "si",  "dle", "dcl", "dc2", "dc3", "dc4", "nak",
                                     "syn", "etb", "can", "em",  "sub", "esc", "fs",  "gs",  "rs",  "us" };
    const char *const escapes = "0......abtnvfr";
    text[0] = (char)byte;
    text[1] = '\0';
    if (kind == NAMED && (byte < 32 || byte == 127))
        return byte == 127 ? "del" : names[byte];
    if (kind == PRINTABLE && !amla_is_printable(byte))
        return ".";
    if (amla_is_printable(byte))
        return text;
    if (kind == ESCAPED && (byte == 0 || (byte >= 7 && byte <= 13)))
        snprintf(text, 5, "\\%c", escapes[byte]);
    else
        snprintf(text, 5, kind == NAMED ? "%02x" : "%03o", byte);
    return text;
}

static int write_value(const Hexdump *hexdump, const Piece *piece, const uint8_t *at, uint64_t offset, char *room, size_t size)
{
    char text[8];
    const char *const form = hexdump->texts + piece->form;
    switch ((Kind)piece->kind) {
    case OFFSET:
        return snprintf(room, size, form, (unsigned long long)offset);
    case SIGNED:
        return snprintf(room, size, form, (long long)read_signed(at, piece->size));
    case UNSIGNED:
        return snprintf(room, size, form, (unsigned long long)read_unsigned(at, piece->size));
    case FLOAT:
        return snprintf(room, size, form, read_float(at, piece->size));
    case CHARACTER:
        return snprintf(room, size, form, *at);
    default:
        return snprintf(room, size, form, show_byte((Kind)piece->kind, *at, text));
    }
}

static void put_value(const Hexdump *hexdump, const Piece *piece, const uint8_t *at, uint64_t offset, AmlaBuffer *out)
{
    enum { USUAL = 64 };
    if (!amla_buffer_reserve(out, USUAL))
        return;
    const int length = write_value(hexdump, piece, at, offset, (char *)out->data + out->length, USUAL);
    if (length >= USUAL) {
        if (!amla_buffer_reserve(out, (size_t)length + 1))
            return;
        write_value(hexdump, piece, at, offset, (char *)out->data + out->length, (size_t)length + 1);
    }
    out->length += length > 0 ? (size_t)length : 0;
}

/* A text of several bytes, up to a NUL. */
static void put_string(const Piece *piece, const uint8_t *at, AmlaBuffer *out)
{
    const uint8_t *nul = memchr(at, 0, piece->size);
    const size_t length = nul ? (size_t)(nul - at) : piece->size;
    amla_put_spaces(out, piece->width > length ? piece->width - length : 0);
    amla_buffer_append(out, at, length);
}

/* Of what lies behind the last byte only texts are left, and blanks. */
static void put_piece(const Hexdump *hexdump, const Piece *piece, const uint8_t *block, size_t at, size_t length, AmlaBuffer *out)
{
    amla_buffer_append(out, hexdump->texts + piece->before, piece->before_length);
    if (piece->kind == TEXT)
        return;
    if (at >= length && piece->kind != OFFSET)
        amla_put_spaces(out, piece->width);
    else if (piece->kind == STRING)
        put_string(piece, block + at, out);
    else
        put_value(hexdump, piece, block + at, hexdump->offset + at, out);
}

/* --- formats -------------------------------------------------------------------------------- */

/* One use of a unit's pieces; the place behind what they took. */
static size_t put_pieces(const Hexdump *hexdump, const Piece *pieces, uint32_t count, const uint8_t *block, size_t at, size_t length,
                         AmlaBuffer *out)
{
    for (uint32_t i = 0; i < count; i++) {
        put_piece(hexdump, &pieces[i], block, at, length, out);
        at += pieces[i].size;
    }
    return at;
}

static bool ends_blank(const AmlaBuffer *out)
{
    const uint8_t last = out->length ? out->data[out->length - 1] : 0;
    return last == ' ' || (last >= '\t' && last <= '\r');
}

/* A unit; where the next one's description begins.  A blank behind the last use of what is repeated is left out. */
static const uint32_t *put_unit(const Hexdump *hexdump, const uint32_t *unit, const uint8_t *block, size_t *at, size_t length, AmlaBuffer *out)
{
    const uint32_t turns = unit[0], count = unit[1];
    const Piece *const pieces = (const Piece *)(const void *)(unit + 2);
    for (uint32_t turn = 0; turn < turns; turn++)
        *at = put_pieces(hexdump, pieces, count, block, *at, length, out);
    if (turns > 1 && count > 0 && pieces[count - 1].kind == TEXT && ends_blank(out))
        out->length--;
    return (const uint32_t *)(const void *)(pieces + count);
}

static void put_block(const Hexdump *hexdump, const uint8_t *block, size_t length, AmlaBuffer *out)
{
    const uint32_t *format = hexdump->formats, *const stop = format + hexdump->format_count;
    while (format < stop) {
        size_t at = 0;
        for (uint32_t units = *format++; units > 0; units--)
            format = put_unit(hexdump, format, block, &at, length, out);
    }
}

static void visit(void *self, const uint8_t *block, size_t length, AmlaBuffer *out)
{
    Hexdump *hexdump = self;
    if (hexdump->all || !amla_blocks_squeezed(&hexdump->blocks, block, length, out)) {
        AmlaBuffer *whole = &hexdump->blocks.held; /* where a block that is cut off lies: its end counts as zeros */
        if (length < hexdump->blocks.size && amla_buffer_reserve(whole, hexdump->blocks.size - length)) {
            memset(whole->data + length, 0, hexdump->blocks.size - length);
            block = whole->data;
        }
        put_block(hexdump, block, length, out);
    }
    hexdump->offset += length;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    return amla_blocks_feed(&((Hexdump *)self)->blocks, bytes, length, visit, self, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    return amla_blocks_end(&((Hexdump *)self)->blocks, visit, self, out);
}

static JSValue report(JSContext *ctx, void *self)
{
    return JS_NewInt64(ctx, (int64_t)((Hexdump *)self)->offset);
}

static void destroy(void *self)
{
    Hexdump *hexdump = self;
    amla_blocks_clear(&hexdump->blocks);
    free(hexdump->formats);
    free(hexdump->texts);
}

const AmlaFilterType amla_filter_hexdump = {
    .name = "hexdump",
    .size = sizeof(Hexdump),
    .create = create,
    .feed = feed,
    .end = end,
    .report = report,
    .destroy = destroy,
};
