/* Numbers as awk reads and writes them: decimal, in the C locale, without hexadecimal. */
#ifndef AWK_NUMBER_H
#define AWK_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number that bytes[0..length) begin with after blanks; 0 when there is none.  `*end` is where it ends (0: none). */
double awk_parse_number(const char *bytes, size_t length, size_t *end);

/* Whether the bytes are a number with nothing but blanks around it. */
bool awk_looks_numeric(const char *bytes, size_t length, double *number);

/* Whether the number is an integer that fits, and which. */
static inline bool awk_integral(double number, int64_t *integer)
{
    if (!(number > -9.2e18 && number < 9.2e18))
        return false;
    *integer = (int64_t)number;
    return (double)*integer == number;
}

/* Whether the bytes are the decimal form of an integer of 32 bits as awk itself would write it. */
bool awk_is_index(const char *bytes, size_t length, int32_t *index);

enum { AWK_INTEGER_ROOM = 24 };

/* Decimal digits of `integer`, written to the end of `room`; returns where they start. */
char *awk_write_integer(int64_t integer, char room[AWK_INTEGER_ROOM], size_t *length);

/* The names of numbers that are none: "+nan", "-nan", "+inf", "-inf"; NULL for all others. */
const char *awk_special_name(double number);

enum { AWK_FIXED_ROOM = 48, AWK_FIXED_PLACES = 9 };

/* As printf("%.<places>f") for moderate sizes, without the C library's way through long double; 0 where it does not
 * apply, else how many bytes were written. */
size_t awk_write_fixed(double number, int places, char room[AWK_FIXED_ROOM]);

/* As printf("%.<digits>g") likewise, 1 to 15 digits. */
size_t awk_write_general(double number, int digits, char room[AWK_FIXED_ROOM]);

#endif
