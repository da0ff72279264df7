#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "sort.h"

/* --- decimal numbers of any length ------------------------------------------------------- */

typedef struct {
    SortText whole;    /* without zeros in front */
    SortText fraction; /* without zeros behind */
    bool negative;     /* false for zero */
    const uint8_t *stop;
} Decimal;

static bool blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n';
}

static const uint8_t *skip_digits(const uint8_t *at, const uint8_t *stop)
{
    while (at < stop && isdigit(*at))
        at++;
    return at;
}

static Decimal parse(SortText text)
{
    const uint8_t *at = text.data, *const stop = at + text.length;
    while (at < stop && blank(*at))
        at++;
    Decimal number = { .negative = at < stop && *at == '-' };
    at += number.negative;
    while (at < stop && *at == '0')
        at++;
    number.whole.data = at;
    at = skip_digits(at, stop);
    number.whole.length = (size_t)(at - number.whole.data);
    number.fraction.data = at;
    if (at < stop && *at == '.') {
        number.fraction.data = ++at;
        at = skip_digits(at, stop);
        const uint8_t *last = at;
        while (last > number.fraction.data && last[-1] == '0')
            last--;
        number.fraction.length = (size_t)(last - number.fraction.data);
    }
    number.stop = at;
    if (!number.whole.length && !number.fraction.length)
        number.negative = false;
    return number;
}

static int compare_magnitudes(const Decimal *left, const Decimal *right)
{
    if (left->whole.length != right->whole.length)
        return left->whole.length < right->whole.length ? -1 : 1;
    const int whole = left->whole.length ? memcmp(left->whole.data, right->whole.data, left->whole.length) : 0;
    return whole ? whole : sort_compare_bytes(left->fraction, right->fraction);
}

static int compare_decimals(const Decimal *left, const Decimal *right)
{
    if (left->negative != right->negative)
        return left->negative ? -1 : 1;
    return left->negative ? -compare_magnitudes(left, right) : compare_magnitudes(left, right);
}

int sort_compare_numeric(SortText left, SortText right)
{
    const Decimal a = parse(left), b = parse(right);
    return compare_decimals(&a, &b);
}

enum { RANK_DIGITS = 16, RANK_WHOLE_MOST = 511 };
#define RANK_ZERO (UINT64_C(1) << 63)

static uint64_t append_digits(uint64_t value, SortText digits, int count)
{
    for (int i = 0; i < count; i++)
        value = value * 10 + ((size_t)i < digits.length ? digits.data[i] - '0' : 0u);
    return value;
}

/* Nine bits for the count of whole digits, 54 for the first 16 digits. */
static uint64_t rank_decimal(const Decimal *number, bool *exact)
{
    const size_t whole = number->whole.length;
    uint64_t magnitude;
    if (whole > RANK_WHOLE_MOST) {
        magnitude = RANK_ZERO - 1;
        *exact = false;
    } else {
        const int digits = whole < RANK_DIGITS ? (int)whole : RANK_DIGITS;
        const uint64_t value = append_digits(append_digits(0, number->whole, digits), number->fraction, RANK_DIGITS - digits);
        magnitude = (uint64_t)whole << 54 | value;
        if (whole + number->fraction.length > RANK_DIGITS)
            *exact = false;
    }
    return number->negative ? RANK_ZERO - magnitude : RANK_ZERO + magnitude;
}

uint64_t sort_rank_numeric(SortText text, bool *exact)
{
    const Decimal number = parse(text);
    return rank_decimal(&number, exact);
}

/* --- numbers with units ------------------------------------------------------------------ */

static int unit_of(SortText text, const Decimal *number)
{
    if ((!number->whole.length && !number->fraction.length) || number->stop == text.data + text.length)
        return 0;
    const char *const units = "KMGTPEZY";
    const char *unit = strchr(units, *number->stop == 'k' ? 'K' : *number->stop);
    const int size = unit && *unit ? (int)(unit - units) + 1 : 0;
    return number->negative ? -size : size;
}

int sort_compare_human(SortText left, SortText right)
{
    const Decimal a = parse(left), b = parse(right);
    const int units = unit_of(left, &a) - unit_of(right, &b);
    return units ? units : compare_decimals(&a, &b);
}

uint64_t sort_rank_human(SortText text, bool *exact)
{
    const Decimal number = parse(text);
    *exact = false;
    bool ignored;
    return (uint64_t)(unit_of(text, &number) + 16) << 59 | rank_decimal(&number, &ignored) >> 5;
}

/* --- floating point ---------------------------------------------------------------------- */

enum { FLOAT_MOST = 255, FLOAT_EXACT = 15 };

/* What is no number comes first, then NaN. */
typedef enum { FLOAT_NONE, FLOAT_NAN, FLOAT_NUMBER } FloatClass;

static FloatClass read_float(SortText text, long double *value)
{
    char copy[FLOAT_MOST + 1], *stop;
    const size_t length = text.length < FLOAT_MOST ? text.length : FLOAT_MOST;
    memcpy(copy, text.data, length);
    copy[length] = '\0';
    *value = strtold(copy, &stop);
    return stop == copy ? FLOAT_NONE : isnan(*value) ? FLOAT_NAN : FLOAT_NUMBER;
}

int sort_compare_general(SortText left, SortText right)
{
    long double a, b;
    const FloatClass left_class = read_float(left, &a), right_class = read_float(right, &b);
    if (left_class != right_class || left_class != FLOAT_NUMBER)
        return (int)left_class - (int)right_class;
    return (a > b) - (a < b);
}

uint64_t sort_rank_general(SortText text, bool *exact)
{
    char copy[FLOAT_MOST + 1], *stop;
    const size_t length = text.length < FLOAT_MOST ? text.length : FLOAT_MOST;
    memcpy(copy, text.data, length);
    copy[length] = '\0';
    const double value = strtod(copy, &stop);
    if (stop == copy || isnan(value))
        return stop == copy ? 0 : 1;
    if (stop - copy > FLOAT_EXACT || isinf(value) || fabs(value) < 1e-300)
        *exact = false;
    const double plain = value == 0 ? 0 : value;
    uint64_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return bits >> 63 ? ~bits : bits | RANK_ZERO;
}
