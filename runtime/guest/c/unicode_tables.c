#include "unicode_tables.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The table of that number, 0 and up: its `*count` words, in rows of `*width`.  NULL
 * behind the last.  In unicode.c (build/jq_fixes.py), where the tables are. */
uint32_t *amla_unicode_table(unsigned number, unsigned *count, unsigned *width);

/* For each table the number of its words, 0 for one that was met under another number
 * already; then each word's difference from the one above it.  Numbers lie in base 128,
 * the lowest digit first, all but the last with their top bit set. */
static uint8_t *asleep;

static uint8_t *put_number(uint8_t *at, uint32_t number)
{
    for (; number >= 128; number >>= 7)
        *at++ = (uint8_t)(number | 128);
    *at++ = (uint8_t)number;
    return at;
}

static uint32_t take_number(const uint8_t **at)
{
    uint32_t number = 0;
    unsigned shift = 0;
    for (;; shift += 7) {
        const uint8_t digit = *(*at)++;
        number |= (uint32_t)(digit & 127) << shift;
        if (digit < 128)
            return number;
    }
}

/* Small whatever its sign. */
static uint32_t folded(uint32_t difference)
{
    return difference << 1 ^ -(difference >> 31);
}

static uint32_t unfolded(uint32_t number)
{
    return number >> 1 ^ -(number & 1);
}

static uint8_t *put_table(uint8_t *at, uint32_t *words, unsigned count, unsigned width)
{
    if (!words[0] && !words[count - 1])
        return put_number(at, 0);
    at = put_number(at, count);
    for (unsigned i = 0; i < count; i++)
        at = put_number(at, folded(words[i] - (i < width ? 0 : words[i - width])));
    memset(words, 0, count * sizeof *words);
    return at;
}

int amla_unicode_sleep(void)
{
    unsigned count, width, total = 0;
    for (unsigned i = 0; amla_unicode_table(i, &count, &width); i++)
        total += count + 1;
    uint8_t *start = malloc(total * 5), *end = start;
    if (!start)
        return -1;
    uint32_t *words;
    for (unsigned i = 0; (words = amla_unicode_table(i, &count, &width)); i++)
        end = put_table(end, words, count, width);
    asleep = realloc(start, (size_t)(end - start));
    return asleep ? 0 : -1;
}

void amla_unicode_wake(void)
{
    unsigned ignored, width;
    uint32_t *words;
    const uint8_t *at = asleep;
    if (!asleep)
        return;
    for (unsigned number = 0; (words = amla_unicode_table(number, &ignored, &width)); number++) {
        const uint32_t count = take_number(&at);
        for (uint32_t i = 0; i < count; i++)
            words[i] = unfolded(take_number(&at)) + (i < width ? 0 : words[i - width]);
    }
    free(asleep);
    asleep = NULL;
}
