/* What packing and unpacking share: the codes, and slots of numbers. */
#ifndef AMLA_PACK_CODES_H
#define AMLA_PACK_CODES_H

#include <stddef.h>
#include <stdint.h>

enum {
    CODE_LONGEST = 12,
    MATCH_LEAST = 3,
    FURTHEST = 1 << 18,
    FIRST_LENGTH = 256, /* symbols of lengths follow those of bytes */
    SYMBOLS = FIRST_LENGTH + 40,
    DISTANCES = 40,
};

/* A Huffman code, canonical: by its lengths all of it is known.  0: never used. */
typedef struct {
    uint8_t lengths[SYMBOLS];
    unsigned count; /* of symbols */
} AmlaCode;

extern AmlaCode amla_symbols, amla_distances;

/* The code word of each symbol, its first bit lowest. */
void amla_code_words(const AmlaCode *code, uint16_t *words);

/* How many extra bits a number in this slot has. */
static inline unsigned slot_bits(unsigned slot)
{
    return slot < 4 ? 0 : slot / 2 - 1;
}

/* The lowest number in a slot. */
static inline uint32_t slot_base(unsigned slot)
{
    return slot < 4 ? slot : (2 + (slot & 1)) << slot_bits(slot);
}

static inline unsigned slot_of(uint32_t number)
{
    if (number < 4)
        return number;
    unsigned power = 31 - (unsigned)__builtin_clz(number);
    return 2 * power + (number >> (power - 1) & 1);
}

#endif
