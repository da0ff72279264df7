#include "pack.h"

#include <stdlib.h>
#include <string.h>

enum { MATCH_LEAST = 4, LONG_COUNT = 15, FURTHEST = 65535, HASHES = 1 << 15, TRIES = 512 };

/* --- packing --------------------------------------------------------------------------- */

typedef struct {
    const uint8_t *bytes;
    size_t length;
    int32_t *heads;   /* by hash: the last place with it, or -1 */
    int32_t *earlier; /* by place: the one before it with the same hash, or -1 */
    uint8_t *out;
} Packer;

typedef struct {
    size_t length, distance;
} Match;

static uint32_t hash_at(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word * 2654435761u >> 17;
}

static void note_place(Packer *packer, size_t at)
{
    if (at + MATCH_LEAST > packer->length)
        return;
    int32_t *head = &packer->heads[hash_at(packer->bytes + at)];
    packer->earlier[at] = *head;
    *head = (int32_t)at;
}

static size_t common_length(const Packer *packer, size_t a, size_t b)
{
    size_t count = 0;
    while (b + count < packer->length && packer->bytes[a + count] == packer->bytes[b + count])
        count++;
    return count;
}

/* The longest match for what is at `at`, among the places noted so far. */
static Match find_match(const Packer *packer, size_t at)
{
    Match best = { 0, 0 };
    if (at + MATCH_LEAST > packer->length)
        return best;
    int32_t place = packer->heads[hash_at(packer->bytes + at)];
    for (int tries = 0; place >= 0 && at - (size_t)place <= FURTHEST && tries < TRIES; tries++) {
        size_t length = common_length(packer, (size_t)place, at);
        if (length > best.length)
            best = (Match){ length, at - (size_t)place };
        place = packer->earlier[place];
    }
    return best.length >= MATCH_LEAST ? best : (Match){ 0, 0 };
}

static void put_more(Packer *packer, size_t count)
{
    if (count < LONG_COUNT)
        return;
    for (count -= LONG_COUNT; count >= 255; count -= 255)
        *packer->out++ = 255;
    *packer->out++ = (uint8_t)count;
}

static unsigned nibble(size_t count)
{
    return count < LONG_COUNT ? (unsigned)count : LONG_COUNT;
}

static void put_step(Packer *packer, const uint8_t *literals, size_t count, Match match)
{
    size_t beyond = match.length ? match.length - MATCH_LEAST : 0;
    *packer->out++ = (uint8_t)(nibble(count) << 4 | nibble(beyond));
    put_more(packer, count);
    memcpy(packer->out, literals, count);
    packer->out += count;
    if (!match.length)
        return;
    *packer->out++ = (uint8_t)match.distance;
    *packer->out++ = (uint8_t)(match.distance >> 8);
    put_more(packer, beyond);
}

static void pack_all(Packer *packer)
{
    size_t start = 0, at = 0;
    while (at < packer->length) {
        Match match = find_match(packer, at);
        note_place(packer, at);
        if (!match.length || find_match(packer, at + 1).length > match.length) {
            at++;
            continue;
        }
        put_step(packer, packer->bytes + start, at - start, match);
        for (size_t i = 1; i < match.length; i++)
            note_place(packer, at + i);
        start = at += match.length;
    }
    put_step(packer, packer->bytes + start, at - start, (Match){ 0, 0 });
}

uint8_t *amla_pack(const uint8_t *bytes, size_t length, size_t *packed)
{
    uint8_t *out = malloc(length + length / 255 + 16);
    Packer packer = {
        .bytes = bytes, .length = length, .out = out,
        .heads = malloc(HASHES * sizeof(int32_t)),
        .earlier = malloc((length + 1) * sizeof(int32_t)),
    };
    uint8_t *result = NULL;
    if (out && packer.heads && packer.earlier) {
        memset(packer.heads, 0xff, HASHES * sizeof(int32_t));
        pack_all(&packer);
        *packed = (size_t)(packer.out - out);
        result = realloc(out, *packed);
    }
    if (!result)
        free(out);
    free(packer.heads);
    free(packer.earlier);
    return result;
}

/* --- unpacking ------------------------------------------------------------------------- */

static size_t take_count(const uint8_t **from, size_t count)
{
    if (count < LONG_COUNT)
        return count;
    uint8_t more;
    do
        count += more = *(*from)++;
    while (more == 255);
    return count;
}

void amla_unpack(const uint8_t *from, uint8_t *to, size_t length)
{
    const uint8_t *end = to + length;
    for (;;) {
        const unsigned head = *from++;
        const size_t literals = take_count(&from, head >> 4);
        memcpy(to, from, literals);
        to += literals;
        from += literals;
        if (to >= end)
            return;
        const size_t distance = from[0] | (size_t)from[1] << 8;
        from += 2;
        for (size_t count = take_count(&from, head & 15) + MATCH_LEAST; count; count--, to++)
            *to = to[-(ptrdiff_t)distance];
    }
}
