/* Numbers to short decimal fractions, exactly, in integers of 128 bits. */
#include <math.h>
#include <string.h>

#include "number.h"

enum { MANTISSA_BITS = 52, SCALE_MAX = 18 };

static const uint64_t tens[SCALE_MAX + 1] = { 1u,
                                              10u,
                                              100u,
                                              1000u,
                                              10000u,
                                              100000u,
                                              1000000u,
                                              10000000u,
                                              100000000u,
                                              1000000000u,
                                              10000000000u,
                                              100000000000u,
                                              1000000000000u,
                                              10000000000000u,
                                              100000000000000u,
                                              1000000000000000u,
                                              10000000000000000u,
                                              100000000000000000u,
                                              1000000000000000000u };

/* `number` (not negative, finite) times 10^power, rounded half to even on its exact value.  False when out of range. */
static bool scale_exactly(double number, int power, uint64_t *rounded)
{
    int exponent;
    const double fraction = frexp(number, &exponent);
    const uint64_t mantissa = (uint64_t)ldexp(fraction, MANTISSA_BITS + 1);
    const int shift = MANTISSA_BITS + 1 - exponent; /* number = mantissa / 2^shift */
    if (power > SCALE_MAX || power < 0 || shift < 0 || shift > 120 || number * (double)tens[power] > 9e18)
        return false;
    const unsigned __int128 scaled = (unsigned __int128)mantissa * tens[power];
    const unsigned __int128 whole = scaled >> shift, rest = scaled - (whole << shift);
    const unsigned __int128 half = shift ? (unsigned __int128)1 << (shift - 1) : 0;
    *rounded = (uint64_t)whole;
    if (shift && (rest > half || (rest == half && (*rounded & 1))))
        ++*rounded;
    return true;
}

/* Digits of `scaled`, at least places + 1 of them, with a point before the last `places`. */
static size_t place_point(uint64_t scaled, int places, bool negative, char *room)
{
    char digits[AWK_INTEGER_ROOM];
    size_t length, at = 0;
    const char *first = awk_write_integer((int64_t)scaled, digits, &length);
    if (negative)
        room[at++] = '-';
    size_t whole = length > (size_t)places ? length - (size_t)places : 0;
    if (!whole)
        room[at++] = '0';
    memcpy(room + at, first, whole);
    at += whole;
    if (!places)
        return at;
    room[at++] = '.';
    for (size_t missing = length < (size_t)places ? (size_t)places - length : 0; missing; missing--)
        room[at++] = '0';
    memcpy(room + at, first + whole, length - whole);
    return at + length - whole;
}

size_t awk_write_fixed(double number, int places, char room[AWK_FIXED_ROOM])
{
    uint64_t scaled;
    if (places > AWK_FIXED_PLACES || !isfinite(number) || !scale_exactly(fabs(number), places, &scaled))
        return 0;
    return place_point(scaled, places, signbit(number), room);
}

size_t awk_write_general(double number, int digits, char room[AWK_FIXED_ROOM])
{
    const double size = fabs(number);
    uint64_t scaled;
    if (!(size >= 1e-4 && size < 1e15) || digits < 1 || digits > 15)
        return 0;
    int whole = 1; /* digits before the point; 0 and below: zeros behind it */
    if (size >= 1)
        while (whole < digits + 1 && size >= (double)tens[whole])
            whole++;
    else
        while (size * (double)tens[1 - whole] < 1)
            whole--;
    int places = digits - whole;
    if (places < 0 || !scale_exactly(size, places, &scaled))
        return 0;
    if (scaled >= tens[digits]) { /* rounding made it longer */
        if (places == 0)
            return 0;
        scaled /= 10;
        places--;
    }
    if (scaled < tens[digits - 1])
        return 0;
    while (places && scaled % 10 == 0) {
        scaled /= 10;
        places--;
    }
    return place_point(scaled, places, signbit(number), room);
}
