/*
 * Message digests, on plain memory. Knows nothing of the engine, so the shell's md5sum and sha*sum
 * share it.
 *
 * All six algorithms work alike: blocks go through a compression function that changes a state; the end
 * of the message is padded with a bit, zeros and the message's length. hash.c does that part. An
 * algorithm is its numbers and its compression function (one file each).
 */
#ifndef AMLA_HASH_H
#define AMLA_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AMLA_HASH_DIGEST_MAX 64
#define AMLA_HASH_BLOCK_MAX 128

typedef union {
    uint32_t words32[8];
    uint64_t words64[8];
} AmlaHashState;

typedef struct {
    const char *name;    /* lower case, no dash: "sha256" */
    uint8_t digest_size; /* bytes */
    uint8_t block_size;  /* bytes: 64, or 128 for the 64-bit algorithms */
    uint8_t word_size;   /* bytes: 4 or 8 */
    bool big_endian;     /* of words in blocks, length and digest */
    AmlaHashState start;
    void (*compress)(AmlaHashState *state, const uint8_t *blocks, size_t count);
} AmlaHashAlgorithm;

/* A running digest: a plain value, which assignment copies. */
typedef struct {
    const AmlaHashAlgorithm *algorithm;
    uint64_t length; /* bytes so far */
    AmlaHashState state;
    uint8_t block[AMLA_HASH_BLOCK_MAX]; /* the last length % block_size bytes */
} AmlaHash;

extern const AmlaHashAlgorithm amla_hash_md5, amla_hash_sha1, amla_hash_sha224, amla_hash_sha256, amla_hash_sha384,
    amla_hash_sha512;

/* The algorithm of that exact name, or NULL. */
const AmlaHashAlgorithm *amla_hash_find(const char *name);

void amla_hash_start(AmlaHash *hash, const AmlaHashAlgorithm *algorithm);
void amla_hash_update(AmlaHash *hash, const uint8_t *bytes, size_t length);

/* Writes digest_size bytes; the hash must be started again before more use. */
void amla_hash_finish(AmlaHash *hash, uint8_t *digest);

/* A word of a block. */
static inline uint32_t amla_load32(const uint8_t *at, bool big_endian)
{
    return big_endian ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
                      : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

#endif
