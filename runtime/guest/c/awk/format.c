#include "format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "error.h"
#include "number.h"
#include "vm.h"

enum { WIDTH_MAX = 100000000, NO_PRECISION = -1 };

/* One conversion: %[position$][flags][width][.precision]letter. */
typedef struct {
    bool left, plus, space, alternate, zero;
    int width, precision;
    char letter;
} Conversion;

typedef struct {
    AwkVm *vm;
    const AwkText *format;
    size_t at;
    AwkValue *values;
    uint32_t count, next;
    enum { ANY_ORDER, IN_ORDER, BY_POSITION } order; /* of the values: one way for the whole format */
    AmlaBuffer *out;
} Formatter;

/* The value of the next conversion, or of `position` (from 1). */
static AwkValue *argument(Formatter *f, uint32_t position)
{
    const int order = position ? BY_POSITION : IN_ORDER;
    if (f->order && (int)f->order != order) {
        awk_fatal(f->vm, "must use `count$' on all formats or none");
        return NULL;
    }
    f->order = position ? BY_POSITION : IN_ORDER;
    const uint32_t index = position ? position - 1 : f->next++;
    if (index < f->count)
        return &f->values[index];
    if (position)
        awk_fatal(f->vm, "argument index %u greater than total number of supplied arguments", position);
    awk_fatal(f->vm, "not enough arguments to satisfy format string\n\t`%s'\n\t%*s^ ran out for this one",
              f->format->bytes, (int)(f->at < 200 ? f->at : 200), "");
    return NULL;
}

static void pad(Formatter *f, char with, size_t count)
{
    if (!count || (f->out->capacity - f->out->length < count && !amla_buffer_reserve(f->out, count)))
        return;
    memset(f->out->data + f->out->length, with, count);
    f->out->length += count;
}

/* Sign and digits within the width. `zeros` of them come between. */
static void put_padded(Formatter *f, const Conversion *c, const char *sign, const char *body, size_t length, size_t zeros,
                       bool zero_pad)
{
    const size_t size = strlen(sign) + zeros + length, width = (size_t)c->width;
    const size_t fill = width > size ? width - size : 0;
    if (!c->left && !zero_pad)
        pad(f, ' ', fill);
    amla_buffer_append(f->out, sign, strlen(sign));
    pad(f, '0', zeros + (!c->left && zero_pad ? fill : 0));
    amla_buffer_append(f->out, body, length);
    if (c->left)
        pad(f, ' ', fill);
}

static const char *sign_of(const Conversion *c, bool negative)
{
    return negative ? "-" : c->plus ? "+" : c->space ? " " : "";
}

static void put_special(Formatter *f, const Conversion *c, double number)
{
    const char *name = awk_special_name(number);
    put_padded(f, c, "", name, strlen(name), 0, false);
}

/* By the C library, with width and precision of ours. */
static void put_float(Formatter *f, const Conversion *c, double number)
{
    char specifier[16], room[AWK_FIXED_ROOM];
    size_t length = 0;
    if (!isfinite(number)) {
        put_special(f, c, number);
        return;
    }
    const char *sign = sign_of(c, signbit(number));
    const int precision = c->precision == NO_PRECISION ? 6 : c->precision;
    if (c->letter == 'f' && !c->alternate)
        length = awk_write_fixed(fabs(number), precision, room);
    if (length) {
        put_padded(f, c, sign, room, length, 0, c->zero);
        return;
    }
    snprintf(specifier, sizeof specifier, c->precision == NO_PRECISION && c->letter == 'a' ? "%%%s%c" : "%%%s.*%c",
             c->alternate ? "#" : "", c->letter);
    const bool bare = c->precision == NO_PRECISION && c->letter == 'a';
    const int size = bare ? snprintf(NULL, 0, specifier, fabs(number)) : snprintf(NULL, 0, specifier, precision, fabs(number));
    char *body = size >= 0 ? awk_pool_take(&f->vm->pool, (size_t)size + 1) : NULL;
    if (!body)
        return;
    if (bare)
        snprintf(body, (size_t)size + 1, specifier, fabs(number));
    else
        snprintf(body, (size_t)size + 1, specifier, precision, fabs(number));
    put_padded(f, c, sign, body, (size_t)size, 0, c->zero);
    awk_pool_give(&f->vm->pool, body, (size_t)size + 1);
}

static size_t write_unsigned(uint64_t number, unsigned base, bool upper, char *room, size_t size)
{
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    size_t at = size;
    do {
        room[--at] = digits[number % base];
        number /= base;
    } while (number);
    return at;
}

static void put_digits(Formatter *f, const Conversion *c, const char *sign, const char *digits, size_t length)
{
    const size_t least = c->precision == NO_PRECISION ? 0 : (size_t)c->precision;
    const bool kept = c->alternate && strchr("oxX", c->letter);
    if (!kept && c->precision == 0 && length == 1 && *digits == '0')
        length = 0;
    put_padded(f, c, sign, digits, length, least > length ? least - length : 0, c->zero && c->precision == NO_PRECISION);
}

/* An integer that no machine integer holds: all its digits. */
static void put_huge(Formatter *f, const Conversion *c, double number)
{
    char room[400];
    const int length = snprintf(room, sizeof room, "%.0f", fabs(number));
    put_digits(f, c, sign_of(c, number < 0), room, (size_t)length);
}

static void put_signed(Formatter *f, const Conversion *c, double number)
{
    char room[AWK_INTEGER_ROOM];
    int64_t integer;
    size_t length;
    if (!isfinite(number)) {
        put_special(f, c, number);
        return;
    }
    number = trunc(number);
    if (!awk_integral(number, &integer)) {
        put_huge(f, c, number);
        return;
    }
    const char *digits = awk_write_integer(integer < 0 ? -integer : integer, room, &length);
    put_digits(f, c, sign_of(c, integer < 0), digits, length);
}

/* Numbers out of range are written as %g would, as gawk does. */
static void put_out_of_range(Formatter *f, const Conversion *c, double number)
{
    Conversion general = *c;
    general.letter = 'g';
    put_float(f, &general, number);
}

static void put_unsigned(Formatter *f, const Conversion *c, double number)
{
    char room[32];
    if (!isfinite(number)) {
        put_special(f, c, number);
        return;
    }
    number = trunc(number);
    if (!(number >= -9223372036854775808.0 && number < 18446744073709551616.0)) {
        put_out_of_range(f, c, number);
        return;
    }
    const uint64_t integer = number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
    const unsigned base = c->letter == 'o' ? 8 : c->letter == 'u' ? 10 : 16;
    const size_t at = write_unsigned(integer, base, c->letter == 'X', room, sizeof room);
    const char *prefix = !c->alternate || !integer || base == 10 ? "" : base == 8 ? "0" : c->letter == 'X' ? "0X" : "0x";
    put_digits(f, c, prefix, room + at, sizeof room - at);
}

/* As many characters as the precision allows, in a width that counts characters. */
static void put_text(Formatter *f, const Conversion *c, const char *bytes, size_t length)
{
    if (c->precision != NO_PRECISION)
        length = awk_skip_characters(bytes, length, 0, (size_t)c->precision);
    const size_t characters = c->width ? awk_count_characters(bytes, length) : 0;
    Conversion padded = *c;
    padded.width += (int)(c->width ? length - characters : 0);
    put_padded(f, &padded, "", bytes, length, 0, false);
}

static void put_character(Formatter *f, Conversion *c, AwkValue *value)
{
    char room[4] = { 0 };
    c->precision = NO_PRECISION;
    awk_settle(value);
    if (value->kind == AWK_TEXT || value->kind == AWK_REGEX) {
        const AwkText *text = value->text;
        put_text(f, c, text->bytes, text->length ? awk_character_size(text->bytes, text->length, 0) : 1); /* or its NUL */
        return;
    }
    const double number = trunc(awk_to_number(value));
    if (number >= 0 && number < 0x110000 && !(number >= 0xD800 && number < 0xE000)) {
        put_text(f, c, room, awk_encode((uint32_t)number, room));
        return;
    }
    room[0] = (char)(number >= -2147483648.0 && number < 4294967296.0 ? (int64_t)number : 0);
    put_text(f, c, room, 1);
}

static void put_value(Formatter *f, Conversion *c, AwkValue *value)
{
    if (value->kind >= AWK_ARRAY && value->kind != AWK_LINK) {
        awk_fatal(f->vm, "attempt to use array in a scalar context");
        return;
    }
    if (c->letter == 'c') {
        put_character(f, c, value);
    } else if (c->letter == 's') {
        AwkText *text = awk_to_text(f->vm, value);
        put_text(f, c, text->bytes, text->length);
        awk_text_release(&f->vm->pool, text);
    } else if (c->letter == 'd' || c->letter == 'i') {
        put_signed(f, c, awk_to_number(value));
    } else if (strchr("oxXu", c->letter)) {
        put_unsigned(f, c, awk_to_number(value));
    } else {
        put_float(f, c, awk_to_number(value));
    }
}

static char peek(const Formatter *f)
{
    return f->format->bytes[f->at];
}

static int read_digits(Formatter *f)
{
    int number = 0;
    for (; peek(f) >= '0' && peek(f) <= '9'; f->at++)
        number = number < WIDTH_MAX ? number * 10 + (peek(f) - '0') : number;
    return number < WIDTH_MAX ? number : WIDTH_MAX;
}

/* A number or `*`, whose value is an argument (`*2$`: that one). */
static int read_size(Formatter *f)
{
    if (peek(f) != '*')
        return read_digits(f);
    f->at++;
    const size_t start = f->at;
    const int position = read_digits(f);
    if (position && peek(f) == '$')
        f->at++;
    else
        f->at = start;
    AwkValue *value = argument(f, position && f->at != start ? (uint32_t)position : 0);
    const double size = value ? awk_to_number(value) : 0;
    return size > WIDTH_MAX ? WIDTH_MAX : size < -WIDTH_MAX ? -WIDTH_MAX : (int)size;
}

static bool read_flag(Formatter *f, Conversion *c)
{
    static const char letters[] = "-+ #0'";
    bool ignored, *const flags[] = { &c->left, &c->plus, &c->space, &c->alternate, &c->zero, &ignored };
    const char *found = peek(f) ? strchr(letters, peek(f)) : NULL;
    if (!found)
        return false;
    *flags[found - letters] = true; /* ' groups thousands, which the C locale does not */
    f->at++;
    return true;
}

static uint32_t read_position(Formatter *f)
{
    const size_t start = f->at;
    const int position = read_digits(f);
    const bool given = f->at > start && peek(f) == '$';
    if (given && !position)
        awk_fatal(f->vm, "argument index with `$' must be > 0");
    f->at = given ? f->at + 1 : start;
    return given ? (uint32_t)position : 0;
}

static void read_sizes(Formatter *f, Conversion *c)
{
    c->width = read_size(f);
    if (c->width < 0) {
        c->left = true;
        c->width = -c->width;
    }
    c->precision = NO_PRECISION;
    if (peek(f) == '.') {
        f->at++;
        c->precision = peek(f) == '-' ? (f->at++, read_digits(f), NO_PRECISION) : read_size(f);
        c->precision = c->precision < 0 ? NO_PRECISION : c->precision;
    }
    if (peek(f) && strchr("hlLjzt", peek(f)))
        f->at++;
}

/* One conversion that starts at the `%`. */
static void convert(Formatter *f)
{
    const size_t start = f->at++;
    Conversion c = { 0 };
    const uint32_t position = read_position(f);
    while (read_flag(f, &c))
        continue;
    read_sizes(f, &c);
    c.letter = peek(f);
    if (c.letter == '%') {
        amla_buffer_put(f->out, '%');
        f->at++;
        return;
    }
    if (!c.letter || !strchr("cdiouxXeEfFgGaAs", c.letter)) { /* not a conversion: as it is */
        f->at += c.letter ? 1 : 0;
        amla_buffer_append(f->out, f->format->bytes + start, f->at - start);
        return;
    }
    AwkValue *value = f->vm->failed ? NULL : argument(f, position);
    if (value)
        put_value(f, &c, value);
    f->at++;
}

void awk_format(AwkVm *vm, const AwkText *format, AwkValue *values, uint32_t count, AmlaBuffer *out)
{
    Formatter f = { .vm = vm, .format = format, .values = values, .count = count, .out = out };
    while (f.at < format->length && !vm->failed && !out->failed) {
        const char *start = format->bytes + f.at;
        const char *percent = memchr(start, '%', format->length - f.at);
        const size_t plain = percent ? (size_t)(percent - start) : format->length - f.at;
        amla_buffer_append(out, start, plain);
        f.at += plain;
        if (percent)
            convert(&f);
    }
    if (out->failed) {
        vm->pool.exhausted = true;
        vm->pool.fuel = 0;
    }
}

AwkText *awk_format_number(AwkVm *vm, const AwkText *format, double number)
{
    AwkValue value = awk_number(number);
    AmlaBuffer out = { 0 };
    awk_format(vm, format, &value, 1, &out);
    AwkText *text = awk_text_create(&vm->pool, out.data ? (const char *)out.data : "", out.length);
    amla_buffer_clear(&out);
    return text;
}
