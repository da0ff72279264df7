#include <stdbool.h>
#include <string.h>

#include "pack.h"
#include "pack_codes.h"

AmlaCode amla_symbols = { .count = SYMBOLS }, amla_distances = { .count = DISTANCES };

/* By the next CODE_LONGEST bits: the symbol (upper bits) and the length of its code (lower four). */
typedef uint16_t Table[1 << CODE_LONGEST];

static Table symbol_table, distance_table;
static bool filled;

static unsigned reversed(unsigned word, unsigned length)
{
    unsigned result = 0;
    for (unsigned i = 0; i < length; i++)
        result |= (word >> i & 1) << (length - 1 - i);
    return result;
}

void amla_code_words(const AmlaCode *code, uint16_t *words)
{
    unsigned next = 0;
    for (unsigned length = 1; length <= CODE_LONGEST; length++, next <<= 1)
        for (unsigned symbol = 0; symbol < code->count; symbol++)
            if (code->lengths[symbol] == length)
                words[symbol] = (uint16_t)reversed(next++, length);
}

static void fill(Table table, const AmlaCode *code)
{
    uint16_t words[SYMBOLS];
    amla_code_words(code, words);
    for (unsigned symbol = 0; symbol < code->count; symbol++) {
        const unsigned length = code->lengths[symbol];
        for (unsigned i = words[symbol]; length && i < 1 << CODE_LONGEST; i += 1u << length)
            table[i] = (uint16_t)(symbol << 4 | length);
    }
}

typedef struct {
    const uint8_t *at;
    uint64_t bits;
    unsigned count;
} Bits;

/* At least 32 bits afterwards.  The text's end is followed by some bytes that may be read. */
static inline void refill(Bits *bits)
{
    if (bits->count >= 32)
        return;
    uint32_t word;
    memcpy(&word, bits->at, sizeof word);
    bits->at += sizeof word;
    bits->bits |= (uint64_t)word << bits->count;
    bits->count += 32;
}

static inline uint32_t take(Bits *bits, unsigned count)
{
    uint32_t value = (uint32_t)bits->bits & ((1u << count) - 1);
    bits->bits >>= count;
    bits->count -= count;
    return value;
}

static inline unsigned take_symbol(Bits *bits, const Table table)
{
    refill(bits);
    unsigned entry = table[bits->bits & ((1 << CODE_LONGEST) - 1)];
    take(bits, entry & 15);
    return entry >> 4;
}

static inline uint32_t take_number(Bits *bits, unsigned slot)
{
    refill(bits);
    return slot_base(slot) + take(bits, slot_bits(slot));
}

void amla_unpack(const AmlaPacked *text, uint8_t *to)
{
    Bits bits = { .at = text->bytes };
    const uint8_t *end = to + text->length;
    if (!filled) {
        fill(symbol_table, &amla_symbols);
        fill(distance_table, &amla_distances);
        filled = true;
    }
    while (to < end) {
        const unsigned symbol = take_symbol(&bits, symbol_table);
        if (symbol < FIRST_LENGTH) {
            *to++ = (uint8_t)symbol;
            continue;
        }
        uint32_t count = take_number(&bits, symbol - FIRST_LENGTH) + MATCH_LEAST;
        const uint8_t *from = to - take_number(&bits, take_symbol(&bits, distance_table)) - 1;
        while (count--)
            *to++ = *from++;
    }
}

void amla_unpack_rest(void)
{
    memset(symbol_table, 0, sizeof symbol_table);
    memset(distance_table, 0, sizeof distance_table);
    filled = false;
}
