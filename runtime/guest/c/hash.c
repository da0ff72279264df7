#include "hash.h"

#include <string.h>

static const AmlaHashAlgorithm *const algorithms[] = {
    &amla_hash_md5, &amla_hash_sha1, &amla_hash_sha224, &amla_hash_sha256, &amla_hash_sha384, &amla_hash_sha512,
};

const AmlaHashAlgorithm *amla_hash_find(const char *name)
{
    for (size_t at = 0; at < sizeof algorithms / sizeof algorithms[0]; at++)
        if (strcmp(algorithms[at]->name, name) == 0)
            return algorithms[at];
    return NULL;
}

void amla_hash_start(AmlaHash *hash, const AmlaHashAlgorithm *algorithm)
{
    hash->algorithm = algorithm;
    hash->length = 0;
    hash->state = algorithm->start;
}

void amla_hash_update(AmlaHash *hash, const uint8_t *bytes, size_t length)
{
    const AmlaHashAlgorithm *algorithm = hash->algorithm;
    size_t held = (size_t)(hash->length % algorithm->block_size);
    hash->length += length;
    if (held > 0) {
        size_t missing = algorithm->block_size - held;
        size_t taken = length < missing ? length : missing;
        memcpy(hash->block + held, bytes, taken);
        if (taken < missing)
            return;
        algorithm->compress(&hash->state, hash->block, 1);
        bytes += taken;
        length -= taken;
    }
    size_t count = length / algorithm->block_size;
    if (count > 0)
        algorithm->compress(&hash->state, bytes, count);
    memcpy(hash->block, bytes + count * algorithm->block_size, length % algorithm->block_size);
}

static void store(uint8_t *out, uint64_t word, size_t size, bool big_endian)
{
    for (size_t at = 0; at < size; at++)
        out[big_endian ? size - 1 - at : at] = (uint8_t)(word >> 8 * at);
}

/* The message's length in bits closes the last block, in a field of two words. */
static void append_padding(AmlaHash *hash)
{
    const AmlaHashAlgorithm *algorithm = hash->algorithm;
    uint64_t length = hash->length;
    size_t field = 2u * algorithm->word_size;
    uint8_t padding[2 * AMLA_HASH_BLOCK_MAX] = {0x80};
    size_t used = (size_t)(length % algorithm->block_size) + 1 + field;
    size_t blocks = used <= algorithm->block_size ? 1 : 2;
    size_t size = 1 + field + blocks * algorithm->block_size - used;
    uint8_t *end = padding + size;
    if (algorithm->word_size == 8)
        store(end - 9, length >> 61, 1, true);
    store(end - 8, length << 3, 8, algorithm->big_endian);
    amla_hash_update(hash, padding, size);
}

void amla_hash_finish(AmlaHash *hash, uint8_t *digest)
{
    const AmlaHashAlgorithm *algorithm = hash->algorithm;
    append_padding(hash);
    for (size_t at = 0; at * algorithm->word_size < algorithm->digest_size; at++) {
        uint64_t word = algorithm->word_size == 8 ? hash->state.words64[at] : hash->state.words32[at];
        store(digest + at * algorithm->word_size, word, algorithm->word_size, algorithm->big_endian);
    }
}
