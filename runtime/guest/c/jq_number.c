#include "jq_number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define DIGITS 15 /* as many as a double has in any case */
#define ZEROS 3   /* behind the point; with more jq writes an exponent */

static const double powers[] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
};

typedef struct {
    uint64_t digits; /* all, without the point */
    int count;       /* of them from the first that is not 0 */
    int behind;      /* the point */
} Decimal;

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Add digits from `at` on; returns where they end, or `end` + 1 where there are too many. */
static const char *read_digits(Decimal *decimal, const char *at, const char *end)
{
    for (; at < end && is_digit(*at); at++) {
        decimal->digits = decimal->digits * 10 + (uint64_t)(*at - '0');
        decimal->count += decimal->digits != 0;
        if (decimal->count > DIGITS)
            return end + 1;
    }
    return at;
}

/* Whether all of the text is a number as jq would write it, without a sign. */
static bool read_plainly(Decimal *decimal, const char *at, const char *end)
{
    const char *const start = at;
    at = read_digits(decimal, at, end);
    if (at == start || (*start == '0' && at != start + 1))
        return false;
    if (at == end)
        return true;
    if (at > end || *at != '.' || end[-1] == '0')
        return false;
    const char *const point = at++;
    at = read_digits(decimal, at, end);
    decimal->behind = (int)(end - point - 1);
    const bool is_long = decimal->behind > decimal->count + ZEROS;
    return at == end && decimal->behind > 0 && !is_long;
}

jv amla_jq_written(double value)
{
    static uint32_t serial;
    jv number = jv_number(value);
    number.offset = 1;
    number.size = (int)(serial++ & INT32_MAX);
    return number;
}

jv amla_jq_number(const char *text, size_t length)
{
    Decimal decimal = { 0 };
    const bool is_negative = *text == '-';
    if (!read_plainly(&decimal, text + is_negative, text + length) || (is_negative && !decimal.digits))
        return jv_number_with_literal(text);
    const double value = (double)decimal.digits / powers[decimal.behind]; /* both exact, so this is, too */
    return amla_jq_written(is_negative ? -value : value);
}

/* --- writing ---------------------------------------------------------------------------- */

/* Write `digits`, the last `behind` of them behind a point. */
static void write_decimal(char *to, uint64_t digits, int behind)
{
    char reversed[24];
    int count = 0;
    for (; digits || count <= behind; digits /= 10) {
        if (behind && count == behind)
            reversed[count++] = '.', behind = 0;
        reversed[count++] = (char)('0' + digits % 10);
    }
    while (count)
        *to++ = reversed[--count];
    *to = 0;
}

/* The shortest decimal that is read as `size`, if it has up to 15 digits. */
static bool shortest(double size, Decimal *decimal)
{
    for (int behind = 0; behind <= DIGITS + ZEROS; behind++) {
        const double scaled = size * powers[behind];
        if (scaled >= 1e15)
            return false;
        const uint64_t digits = (uint64_t)(scaled + 0.5);
        if ((double)digits / powers[behind] == size) {
            *decimal = (Decimal){ .digits = digits, .behind = behind };
            return true;
        }
    }
    return false;
}

char *amla_jq_format(struct dtoa_context *context, char *buffer, double number)
{
    const double size = fabs(number);
    Decimal decimal;
    if (!(size >= 1e-4 && size < 1e15 && shortest(size, &decimal)))
        return jvp_dtoa_fmt(context, buffer, number);
    *buffer = '-';
    write_decimal(buffer + (number < 0), decimal.digits, decimal.behind);
    return buffer;
}
