#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_DIGITS = 19, EXACT_POWER = 22, COPY_MAX = 400 };

static const double powers[EXACT_POWER + 1] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* What a decimal number is made of: mantissa * 10^exponent, unless digits were lost. */
typedef struct {
    uint64_t mantissa;
    int exponent, digits;
    bool any;
} Decimal;

static void take_digit(Decimal *decimal, char digit, bool fraction)
{
    decimal->any = true;
    if (decimal->digits >= EXACT_DIGITS) {
        decimal->digits++;
        decimal->exponent += fraction ? 0 : 1;
        return;
    }
    decimal->mantissa = decimal->mantissa * 10 + (uint64_t)(digit - '0');
    decimal->digits += decimal->mantissa ? 1 : 0;
    decimal->exponent -= fraction ? 1 : 0;
}

/* `e`, a sign, digits: taken only when there are digits. */
static size_t take_exponent(Decimal *decimal, const char *bytes, size_t length, size_t at)
{
    size_t digit = at + 1;
    if (digit < length && (bytes[digit] == '+' || bytes[digit] == '-'))
        digit++;
    if (digit >= length || !is_digit(bytes[digit]))
        return at;
    const bool negative = bytes[at + 1] == '-';
    int exponent = 0;
    for (; digit < length && is_digit(bytes[digit]); digit++)
        if (exponent < 100000)
            exponent = exponent * 10 + (bytes[digit] - '0');
    decimal->exponent += negative ? -exponent : exponent;
    return digit;
}

/* The C library's reading, for what is not exact in double arithmetic. */
static double read_slowly(const char *bytes, size_t length)
{
    char small[COPY_MAX], *copy = length < sizeof small ? small : malloc(length + 1);
    if (!copy)
        return 0;
    memcpy(copy, bytes, length);
    copy[length] = 0;
    const double number = strtod(copy, NULL);
    if (copy != small)
        free(copy);
    return number;
}

static double scale(const Decimal *decimal, const char *bytes, size_t length)
{
    const bool exact = decimal->digits <= EXACT_DIGITS && decimal->mantissa <= UINT64_C(1) << 53;
    if (exact && decimal->exponent >= 0 && decimal->exponent <= EXACT_POWER)
        return (double)decimal->mantissa * powers[decimal->exponent];
    if (exact && decimal->exponent < 0 && -decimal->exponent <= EXACT_POWER)
        return (double)decimal->mantissa / powers[-decimal->exponent];
    return decimal->mantissa ? read_slowly(bytes, length) : 0;
}

/* "+inf" and the like, which need their sign; anything may follow but letters and digits. */
static bool read_special(const char *bytes, size_t length, size_t at, size_t *end, double *number)
{
    static const char *const names[] = { "inf", "nan" };
    if (length - at < 4 || (bytes[at] != '+' && bytes[at] != '-'))
        return false;
    for (int i = 0; i < 2; i++) {
        size_t same = 0;
        while (same < 3 && (bytes[at + 1 + same] | 0x20) == names[i][same])
            same++;
        const char after = length - at > 4 ? bytes[at + 4] : ' ';
        if (same == 3 && !is_digit(after) && !((after | 0x20) >= 'a' && (after | 0x20) <= 'z') && after != '_') {
            *number = copysign(i ? NAN : INFINITY, bytes[at] == '-' ? -1 : 1);
            *end = at + 4;
            return true;
        }
    }
    return false;
}

double awk_parse_number(const char *bytes, size_t length, size_t *end)
{
    size_t at = 0;
    double special;
    *end = 0;
    while (at < length && is_blank(bytes[at]))
        at++;
    if (read_special(bytes, length, at, end, &special))
        return special;
    const bool negative = at < length && bytes[at] == '-';
    if (at < length && (bytes[at] == '-' || bytes[at] == '+'))
        at++;
    const size_t unsigned_start = at;
    Decimal decimal = { 0 };
    for (; at < length && is_digit(bytes[at]); at++)
        take_digit(&decimal, bytes[at], false);
    if (at < length && bytes[at] == '.')
        for (at++; at < length && is_digit(bytes[at]); at++)
            take_digit(&decimal, bytes[at], true);
    if (!decimal.any)
        return 0;
    if (at < length && (bytes[at] | 0x20) == 'e')
        at = take_exponent(&decimal, bytes, length, at);
    *end = at;
    const double number = scale(&decimal, bytes + unsigned_start, at - unsigned_start);
    return negative ? -number : number;
}

bool awk_looks_numeric(const char *bytes, size_t length, double *number)
{
    size_t end;
    if (!length || (bytes[0] > '9' || (bytes[length - 1] > '9' && (bytes[length - 1] | 0x20) != 'f' &&
                                       (bytes[length - 1] | 0x20) != 'n')))
        return false;
    *number = awk_parse_number(bytes, length, &end);
    if (!end)
        return false;
    while (end < length && is_blank(bytes[end]))
        end++;
    return end == length;
}

bool awk_is_index(const char *bytes, size_t length, int32_t *index)
{
    const bool negative = length && bytes[0] == '-';
    const size_t first = negative ? 1 : 0;
    if (length == first || length > 11 || (bytes[first] == '0' && length > 1))
        return false;
    int64_t number = 0;
    for (size_t i = first; i < length; i++) {
        if (!is_digit(bytes[i]))
            return false;
        number = number * 10 + (bytes[i] - '0');
    }
    number = negative ? -number : number;
    *index = (int32_t)number;
    return number >= INT32_MIN && number <= INT32_MAX;
}

char *awk_write_integer(int64_t integer, char room[AWK_INTEGER_ROOM], size_t *length)
{
    char *at = room + AWK_INTEGER_ROOM;
    uint64_t rest = integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (integer < 0)
        *--at = '-';
    *length = (size_t)(room + AWK_INTEGER_ROOM - at);
    return at;
}

const char *awk_special_name(double number)
{
    if (isnan(number))
        return signbit(number) ? "-nan" : "+nan";
    return isinf(number) ? number < 0 ? "-inf" : "+inf" : NULL;
}
