/* BLAKE2b (RFC 7693), without a key, of one file after the other.
 *
 * Options: size (bytes of the digest, 1 to 64).  configure() starts a file anew.  Report: the digest's bytes.
 */
#include "cells.h"
#include "filter.h"
#include "options.h"

enum { BLOCK = 128 };

typedef struct {
    size_t size;
    uint64_t state[8];
    uint64_t count; /* bytes that went through */
    uint8_t block[BLOCK];
    size_t filled;
} Blake2;

static const uint64_t start_words[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

static const uint8_t orders[10][16] = {
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 }, { 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
    { 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4 }, { 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8 },
    { 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13 }, { 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9 },
    { 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11 }, { 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10 },
    { 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5 }, { 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0 },
};

static int configure(JSContext *ctx, void *self, JSValueConst options)
{
    (void)ctx, (void)options;
    Blake2 *blake = self;
    memcpy(blake->state, start_words, sizeof blake->state);
    blake->state[0] ^= 0x01010000u ^ blake->size;
    blake->count = blake->filled = 0;
    return 0;
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Blake2 *blake = self;
    blake->size = (size_t)amla_option_integer(ctx, options, "size", 64);
    return configure(ctx, self, options);
}

static uint64_t rotate(uint64_t word, int bits)
{
    return word >> bits | word << (64 - bits);
}

static void mix(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d, uint64_t x, uint64_t y)
{
    *a += *b + x;
    *d = rotate(*d ^ *a, 32);
    *c += *d;
    *b = rotate(*b ^ *c, 24);
    *a += *b + y;
    *d = rotate(*d ^ *a, 16);
    *c += *d;
    *b = rotate(*b ^ *c, 63);
}

static void compress(Blake2 *blake, bool last)
{
    uint64_t words[16], v[16];
    memcpy(words, blake->block, sizeof words);
    memcpy(v, blake->state, sizeof blake->state);
    memcpy(v + 8, start_words, sizeof start_words);
    v[12] ^= blake->count;
    if (last)
        v[14] = ~v[14];
    for (int round = 0; round < 12; round++) {
        const uint8_t *order = orders[round % 10];
        for (int i = 0; i < 4; i++)
            mix(&v[i], &v[4 + i], &v[8 + i], &v[12 + i], words[order[2 * i]], words[order[2 * i + 1]]);
        for (int i = 0; i < 4; i++)
            mix(&v[i], &v[4 + (i + 1) % 4], &v[8 + (i + 2) % 4], &v[12 + (i + 3) % 4], words[order[8 + 2 * i]], words[order[9 + 2 * i]]);
    }
    for (int i = 0; i < 8; i++)
        blake->state[i] ^= v[i] ^ v[8 + i];
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    (void)out;
    Blake2 *blake = self;
    while (length > 0) {
        if (blake->filled == BLOCK) {
            blake->count += BLOCK;
            compress(blake, false);
            blake->filled = 0;
        }
        const size_t room = BLOCK - blake->filled, taken = length < room ? length : room;
        memcpy(blake->block + blake->filled, bytes, taken);
        blake->filled += taken;
        bytes += taken;
        length -= taken;
    }
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files, (void)out;
    Blake2 *blake = self;
    blake->count += blake->filled;
    memset(blake->block + blake->filled, 0, BLOCK - blake->filled);
    compress(blake, true);
    return AMLA_FILTER_MORE;
}

static JSValue report(JSContext *ctx, void *self)
{
    const Blake2 *blake = self;
    return JS_NewUint8ArrayCopy(ctx, (const uint8_t *)blake->state, blake->size);
}

const AmlaFilterType amla_filter_blake2 = {
    .name = "blake2",
    .size = sizeof(Blake2),
    .create = create,
    .configure = configure,
    .feed = feed,
    .end = end,
    .report = report,
};
