#include "hash.h"

/* FIPS 180-4, section 6.1. */

static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};

static uint32_t rotate_left(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round == 0)
        return (b & c) | (~b & d);
    if (round == 2)
        return (b & c) | (b & d) | (c & d);
    return b ^ c ^ d;
}

static void compress_block(uint32_t *state, const uint8_t *block)
{
    uint32_t words[80];
    for (unsigned at = 0; at < 16; at++)
        words[at] = amla_load32(block + 4 * at, true);
    for (unsigned at = 16; at < 80; at++)
        words[at] = rotate_left(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1);

    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (unsigned round = 0; round < 4; round++) {
#pragma clang loop unroll(full)
        for (unsigned step = 0; step < 20; step++) {
            uint32_t sum = rotate_left(a, 5) + mix(round, b, c, d) + e + words[20 * round + step] + constants[round];
            e = d;
            d = c;
            c = rotate_left(b, 30);
            b = a;
            a = sum;
        }
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

static void compress(AmlaHashState *state, const uint8_t *blocks, size_t count)
{
    for (; count > 0; count--, blocks += 64)
        compress_block(state->words32, blocks);
}

const AmlaHashAlgorithm amla_hash_sha1 = {
    .name = "sha1",
    .digest_size = 20,
    .block_size = 64,
    .word_size = 4,
    .big_endian = true,
    .start.words32 = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
    .compress = compress,
};
