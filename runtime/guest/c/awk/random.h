/* gawk's random numbers: the same seed gives the same numbers, so that a script prints what it prints there.
 *
 * An additive generator over 63 words, whose output is shuffled through a table.  Owns nothing; all zero is one that is
 * not seeded.
 */
#ifndef AMLA_AWK_RANDOM_H
#define AMLA_AWK_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

enum { AWK_RANDOM_WORDS = 63, AWK_RANDOM_TABLE = 512 };

typedef struct AwkRandom {
    uint32_t words[AWK_RANDOM_WORDS], table[AWK_RANDOM_TABLE], last;
    uint8_t at;
    bool seeded;
} AwkRandom;

void awk_random_seed(AwkRandom *random, uint32_t seed);

/* At least 0 and less than 1. */
double awk_random_next(AwkRandom *random);

#endif
