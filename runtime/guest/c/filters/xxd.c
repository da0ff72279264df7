/* xxd, but for -r.
 *
 * Options: mode (0 lines of offset, groups and text; 1 digits alone; 2 elements of a C array), columns (bytes of a line; 0
 * with mode 1: all on one), group, base (2 or 16), upper, little (groups are words, their last byte first), start (the first
 * offset), decimal (offsets are), zeros (lines of zeros become a star).  Report: how many bytes there were.
 */
#include "blocks.h"
#include "filter.h"
#include "options.h"

typedef enum { DUMP, PLAIN, INCLUDE } Mode;
enum { WHOLE = 4096 };

typedef struct {
    Mode mode;
    AmlaBlocks blocks;
    size_t columns, group;
    unsigned base, digits; /* of a byte */
    bool upper, little, decimal, zeros;
    uint64_t start, length;
    size_t zero_lines;       /* up to the present one */
    AmlaBuffer second, last; /* of them */
} Xxd;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Xxd *xxd = self;
    xxd->mode = (Mode)amla_option_integer(ctx, options, "mode", DUMP);
    xxd->columns = (size_t)amla_option_integer(ctx, options, "columns", 16);
    xxd->group = (size_t)amla_option_integer(ctx, options, "group", 2);
    xxd->base = (unsigned)amla_option_integer(ctx, options, "base", 16);
    xxd->digits = xxd->base == 2 ? 8 : 2;
    xxd->upper = amla_option_flag(ctx, options, "upper");
    xxd->little = amla_option_flag(ctx, options, "little");
    xxd->decimal = amla_option_flag(ctx, options, "decimal");
    xxd->zeros = amla_option_flag(ctx, options, "zeros");
    xxd->start = (uint64_t)amla_option_integer(ctx, options, "start", 0);
    xxd->blocks.size = xxd->columns ? xxd->columns : WHOLE;
    return 0;
}

static void put_byte(const Xxd *xxd, uint8_t byte, AmlaBuffer *out)
{
    const char *const digits = xxd->upper ? "0123456789ABCDEF" : "0123456789abcdef";
    if (xxd->base == 2) {
        amla_put_digits(out, byte, 2, 8, false);
        return;
    }
    amla_buffer_put(out, (uint8_t)digits[byte >> 4]);
    amla_buffer_put(out, (uint8_t)digits[byte & 15]);
}

/* A group of a line that has room for `room` bytes, of which `count` are there. */
static void put_group(const Xxd *xxd, const uint8_t *bytes, size_t count, size_t room, AmlaBuffer *out)
{
    const size_t missing = xxd->digits * (room - count);
    if (xxd->little)
        amla_put_spaces(out, missing);
    for (size_t i = 0; i < count; i++)
        put_byte(xxd, bytes[xxd->little ? count - 1 - i : i], out);
    if (!xxd->little)
        amla_put_spaces(out, missing);
}

static void put_line(const Xxd *xxd, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    amla_put_digits(out, xxd->start + xxd->length, xxd->decimal ? 10 : 16, 8, false);
    amla_buffer_append(out, ": ", 2);
    for (size_t at = 0; at < xxd->columns; at += xxd->group) {
        const size_t left = length > at ? length - at : 0, rest = xxd->columns - at;
        const size_t room = xxd->little || rest > xxd->group ? xxd->group : rest;
        if (at > 0)
            amla_buffer_put(out, ' ');
        put_group(xxd, bytes + at, left < room ? left : room, room, out);
    }
    amla_buffer_append(out, "  ", 2);
    for (size_t i = 0; i < length; i++)
        amla_buffer_put(out, amla_is_printable(bytes[i]) ? bytes[i] : '.');
    amla_buffer_put(out, '\n');
}

static bool is_zero(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i])
            return false;
    return true;
}

/* Lines of zeros behind the first: two or more become a star, unless they are the last. */
static void end_zeros(Xxd *xxd, bool is_end, AmlaBuffer *out)
{
    const size_t lines = xxd->zero_lines - (is_end && xxd->zero_lines > 0);
    if (lines == 2)
        amla_buffer_append(out, xxd->second.data, xxd->second.length);
    else if (lines > 2)
        amla_buffer_append(out, "*\n", 2);
    if (is_end && lines > 0)
        amla_buffer_append(out, xxd->last.data, xxd->last.length);
    xxd->zero_lines = 0;
}

static void put_dump(Xxd *xxd, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    if (!xxd->zeros || !is_zero(bytes, length)) {
        end_zeros(xxd, false, out);
        put_line(xxd, bytes, length, out);
    } else if (xxd->zero_lines++ == 0)
        put_line(xxd, bytes, length, out);
    else {
        AmlaBuffer *held = xxd->zero_lines == 2 ? &xxd->second : &xxd->last;
        held->length = 0;
        put_line(xxd, bytes, length, held);
        if (xxd->zero_lines == 2) {
            xxd->last.length = 0;
            put_line(xxd, bytes, length, &xxd->last);
        }
    }
}

static void put_plain(const Xxd *xxd, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    for (size_t i = 0; i < length; i++)
        put_byte(xxd, bytes[i], out);
    if (xxd->columns)
        amla_buffer_put(out, '\n');
}

static void put_elements(const Xxd *xxd, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    if (xxd->length > 0)
        amla_buffer_append(out, ",\n", 2);
    for (size_t i = 0; i < length; i++) {
        amla_buffer_append(out, i ? ", " : "  ", 2);
        amla_buffer_append(out, xxd->upper ? "0X" : "0x", 2);
        put_byte(xxd, bytes[i], out);
    }
}

static void visit(void *self, const uint8_t *block, size_t length, AmlaBuffer *out)
{
    Xxd *xxd = self;
    if (xxd->mode == DUMP)
        put_dump(xxd, block, length, out);
    else if (xxd->mode == PLAIN)
        put_plain(xxd, block, length, out);
    else
        put_elements(xxd, block, length, out);
    xxd->length += length;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    return amla_blocks_feed(&((Xxd *)self)->blocks, bytes, length, visit, self, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Xxd *xxd = self;
    const AmlaFilterState state = amla_blocks_end(&xxd->blocks, visit, xxd, out);
    end_zeros(xxd, true, out);
    if ((xxd->mode == PLAIN && !xxd->columns) || (xxd->mode == INCLUDE && xxd->length > 0))
        amla_buffer_put(out, '\n');
    return xxd->second.failed || xxd->last.failed ? AMLA_FILTER_MEMORY : state;
}

static JSValue report(JSContext *ctx, void *self)
{
    return JS_NewInt64(ctx, (int64_t)((Xxd *)self)->length);
}

static void destroy(void *self)
{
    Xxd *xxd = self;
    amla_blocks_clear(&xxd->blocks);
    amla_buffer_clear(&xxd->second);
    amla_buffer_clear(&xxd->last);
}

const AmlaFilterType amla_filter_xxd = {
    .name = "xxd",
    .size = sizeof(Xxd),
    .create = create,
    .feed = feed,
    .end = end,
    .report = report,
    .destroy = destroy,
};
