#include "hash.h"

/* SHA-224 and SHA-256: FIPS 180-4, sections 6.2 and 6.3. */

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static void expand(uint32_t *words, const uint8_t *block)
{
    for (unsigned at = 0; at < 16; at++)
        words[at] = amla_load32(block + 4 * at, true);
    for (unsigned at = 16; at < 64; at++) {
        uint32_t x = words[at - 15], y = words[at - 2];
        uint32_t low = rotate(x, 7) ^ rotate(x, 18) ^ x >> 3;
        uint32_t high = rotate(y, 17) ^ rotate(y, 19) ^ y >> 10;
        words[at] = words[at - 16] + low + words[at - 7] + high;
    }
}

static void compress_block(uint32_t *state, const uint8_t *block)
{
    uint32_t words[64];
    expand(words, block);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
#pragma clang loop unroll_count(8)
    for (unsigned step = 0; step < 64; step++) {
        uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
        uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + constants[step] + words[step];
        uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const uint32_t sums[8] = {a, b, c, d, e, f, g, h};
    for (unsigned at = 0; at < 8; at++)
        state[at] += sums[at];
}

static void compress(AmlaHashState *state, const uint8_t *blocks, size_t count)
{
    for (; count > 0; count--, blocks += 64)
        compress_block(state->words32, blocks);
}

const AmlaHashAlgorithm amla_hash_sha224 = {
    .name = "sha224",
    .digest_size = 28,
    .block_size = 64,
    .word_size = 4,
    .big_endian = true,
    .start.words32 = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                      0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4},
    .compress = compress,
};

const AmlaHashAlgorithm amla_hash_sha256 = {
    .name = "sha256",
    .digest_size = 32,
    .block_size = 64,
    .word_size = 4,
    .big_endian = true,
    .start.words32 = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
    .compress = compress,
};
