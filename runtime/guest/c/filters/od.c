/* od over blocks.
 *
 * Options: types (u32s, four for each: a letter of -t, bytes of a field, its columns without the blank in front, whether the
 * text follows), block (bytes of a line), base of offsets (0: none), width of offsets, start (the first offset), big (bytes
 * of a field are in that order), all (equal lines are printed too), strings (instead of lines, texts of so many printable
 * characters that end in a NUL byte; 0 or absent: lines).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "blocks.h"
#include "filter.h"
#include "options.h"

typedef struct {
    uint32_t letter, size, width, text;
} Type;

typedef struct {
    AmlaBlocks blocks;
    Type *types; /* owned */
    size_t type_count, columns;
    unsigned base;
    int width;
    uint64_t offset;
    bool big, all;
    size_t least; /* characters of a text, with `strings` */
    AmlaBuffer run;
} Od;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Od *od = self;
    size_t length = 0;
    od->types = (Type *)amla_option_text(ctx, options, "types", &length);
    od->type_count = length / sizeof *od->types;
    od->blocks.size = (size_t)amla_option_integer(ctx, options, "block", 16);
    od->base = (unsigned)amla_option_integer(ctx, options, "base", 8);
    od->width = (int)amla_option_integer(ctx, options, "width", 7);
    od->offset = (uint64_t)amla_option_integer(ctx, options, "start", 0);
    od->big = amla_option_flag(ctx, options, "big");
    od->all = amla_option_flag(ctx, options, "all");
    od->least = (size_t)amla_option_integer(ctx, options, "strings", 0);
    for (size_t i = 0; od->types && i < od->type_count; i++) {
        const size_t columns = (od->types[i].width + 1) * (od->blocks.size / od->types[i].size);
        od->columns = columns > od->columns ? columns : od->columns;
    }
    if (od->types)
        return 0;
    JS_ThrowOutOfMemory(ctx);
    return -1;
}

/* --- fields: each writes its text, and returns how long that is ------------------------------ */

enum { ROOM = 64 };

static uint64_t read_field(const Od *od, const uint8_t *bytes, uint32_t size)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[od->big ? size - 1 - i : i] << (8 * i);
    return value;
}

static size_t show_name(uint8_t byte, char *text)
{
    static const char names[][4] = { "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl",
                                     "vt",  "ff",  "cr",  "so",  "si",  "dle", "dc1", "dc2", "dc3", "dc4", "nak",
                                     "syn", "etb", "can", "em",  "sub", "esc", "fs",  "gs",  "rs",  "us",  "sp" };
    byte &= 127;
    const char *name = byte == 127 ? "del" : byte <= ' ' ? names[byte] : NULL;
    text[0] = (char)byte;
    if (name)
        memcpy(text, name, 4);
    return name ? strlen(name) : 1;
}

static size_t show_character(uint8_t byte, char *text)
{
    const char *const escapes = "0......abtnvfr";
    if (amla_is_printable(byte)) {
        text[0] = (char)byte;
        return 1;
    }
    if (byte == 0 || (byte >= 7 && byte <= 13)) {
        text[0] = '\\';
        text[1] = escapes[byte];
        return 2;
    }
    return (size_t)snprintf(text, ROOM, "%03o", byte);
}

/* The fewest digits that read back as the same number. */
static size_t show_float(uint64_t bits, uint32_t size, char *text)
{
    union {
        uint32_t bits;
        float number;
    } single = { (uint32_t)bits };
    union {
        uint64_t bits;
        double number;
    } twice = { bits };
    const double number = size == 4 ? (double)single.number : twice.number;
    if (isnan(number))
        return (size_t)snprintf(text, ROOM, "%snan", signbit(number) ? "-" : "");
    const bool normal = fabs(number) >= (size == 4 ? 0x1p-126 : 0x1p-1022);
    int length = 0;
    for (int digits = !normal ? 1 : size == 4 ? 6 : 15; digits <= 17; digits++) {
        length = snprintf(text, ROOM, "%.*g", digits, number);
        const double read = strtod(text, NULL);
        if (size == 4 ? (float)read == single.number : read == number)
            break;
    }
    return (size_t)length;
}

static size_t show_integer(const Type *type, uint64_t value, char *text)
{
    const uint32_t unused = 64 - 8 * type->size;
    if (type->letter == 'd')
        return (size_t)snprintf(text, ROOM, "%lld", (long long)(int64_t)(value << unused) >> unused);
    AmlaBuffer buffer = { .data = (uint8_t *)text, .capacity = ROOM };
    const unsigned base = type->letter == 'x' ? 16 : type->letter == 'o' ? 8 : 10;
    amla_put_digits(&buffer, value, base, type->letter == 'u' ? 1 : (int)type->width, false);
    return buffer.length;
}

static size_t show(const Od *od, const Type *type, const uint8_t *bytes, char *text)
{
    if (type->letter == 'a')
        return show_name(*bytes, text);
    if (type->letter == 'c')
        return show_character(*bytes, text);
    const uint64_t value = read_field(od, bytes, type->size);
    return type->letter == 'f' ? show_float(value, type->size, text) : show_integer(type, value, text);
}

/* --- lines ---------------------------------------------------------------------------------- */

static void put_offset(const Od *od, uint64_t offset, AmlaBuffer *out)
{
    if (od->base)
        amla_put_digits(out, offset, od->base, od->width, false);
}

/* Blanks are shared out so that fields of all types are below each other. */
static void put_fields(const Od *od, const Type *type, const uint8_t *block, size_t length, AmlaBuffer *out)
{
    const size_t fields = od->blocks.size / type->size, used = (length + type->size - 1) / type->size;
    const size_t extra = od->columns - type->width * fields;
    for (size_t i = 0; i < used; i++) {
        char text[ROOM];
        const size_t before = extra * (fields - i) / fields - extra * (fields - i - 1) / fields;
        const size_t shown = show(od, type, block + i * type->size, text), room = type->width + before;
        amla_put_spaces(out, room > shown ? room - shown : 0);
        amla_buffer_append(out, text, shown);
    }
}

static void put_text(const uint8_t *block, size_t length, AmlaBuffer *out)
{
    amla_buffer_append(out, "  >", 3);
    for (size_t i = 0; i < length; i++)
        amla_buffer_put(out, amla_is_printable(block[i]) ? block[i] : '.');
    amla_buffer_put(out, '<');
}

static void put_lines(const Od *od, const uint8_t *block, size_t length, AmlaBuffer *out)
{
    for (size_t i = 0; i < od->type_count; i++) {
        if (i == 0)
            put_offset(od, od->offset, out);
        else
            amla_put_spaces(out, od->base ? (size_t)od->width : 0);
        const size_t from = out->length;
        put_fields(od, &od->types[i], block, length, out);
        if (od->types[i].text) {
            amla_put_spaces(out, from + od->columns > out->length ? from + od->columns - out->length : 0);
            put_text(block, length, out);
        }
        amla_buffer_put(out, '\n');
    }
}

static void visit(void *self, const uint8_t *block, size_t length, AmlaBuffer *out)
{
    Od *od = self;
    if (od->all || !amla_blocks_squeezed(&od->blocks, block, length, out)) {
        if (length == od->blocks.size)
            put_lines(od, block, length, out);
        else if (amla_buffer_reserve(&od->run, od->blocks.size)) { /* what is missing counts as zeros */
            memset(od->run.data, 0, od->blocks.size);
            memcpy(od->run.data, block, length);
            put_lines(od, od->run.data, length, out);
        }
    }
    od->offset += length;
}

/* --- texts ---------------------------------------------------------------------------------- */

static AmlaFilterState find_texts(Od *od, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    for (size_t i = 0; i < length; i++, od->offset++) {
        const uint8_t byte = bytes[i];
        if (amla_is_printable(byte)) {
            amla_buffer_put(&od->run, byte);
            continue;
        }
        if (byte == 0 && od->run.length >= od->least) {
            put_offset(od, od->offset - od->run.length, out);
            if (od->base)
                amla_buffer_put(out, ' ');
            amla_buffer_append(out, od->run.data, od->run.length);
            amla_buffer_put(out, '\n');
        }
        od->run.length = 0;
    }
    return od->run.failed ? AMLA_FILTER_MEMORY : AMLA_FILTER_MORE;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Od *od = self;
    return od->least ? find_texts(od, bytes, length, out) : amla_blocks_feed(&od->blocks, bytes, length, visit, od, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Od *od = self;
    const AmlaFilterState state = amla_blocks_end(&od->blocks, visit, od, out);
    if (od->base && !od->least) {
        put_offset(od, od->offset, out);
        amla_buffer_put(out, '\n');
    }
    return od->run.failed ? AMLA_FILTER_MEMORY : state;
}

static void destroy(void *self)
{
    Od *od = self;
    amla_blocks_clear(&od->blocks);
    amla_buffer_clear(&od->run);
    free(od->types);
}

const AmlaFilterType amla_filter_od = {
    .name = "od",
    .size = sizeof(Od),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
