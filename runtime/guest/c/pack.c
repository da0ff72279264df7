#include "pack.h"

#include <stdlib.h>
#include <string.h>

#include "pack_codes.h"

enum { HASHES = 1 << 15, TRIES = 128, SPARE = 8 /* bytes that unpacking may read behind a text */ };

typedef struct {
    size_t length, distance;
} Match;

typedef struct {
    const uint8_t *bytes;
    size_t length;
    int32_t *heads;   /* by hash: the last place with it, or -1 */
    int32_t *earlier; /* by place: the one before it with the same hash, or -1 */
    uint32_t symbols[SYMBOLS], distances[DISTANCES]; /* how often each was used */
    uint16_t symbol_words[SYMBOLS], distance_words[DISTANCES];
    uint8_t *out; /* NULL while only counting */
    size_t used;
    uint64_t bits;
    unsigned bit_count;
} Packer;

/* --- what repeats ------------------------------------------------------------------------ */

static uint32_t hash_at(const uint8_t *at)
{
    return (at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16) * 2654435761u >> 17;
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

/* A short match from far away costs more than its bytes. */
static int pays(size_t length, size_t distance)
{
    return length > MATCH_LEAST + 1 || distance < (length > MATCH_LEAST ? 1 << 14 : 1 << 10);
}

/* The longest match for what is at `at` among the places noted so far; of length 0 if there is none. */
static Match find_match(const Packer *packer, size_t at)
{
    Match best = { 0, 0 };
    if (at + MATCH_LEAST > packer->length)
        return best;
    int32_t place = packer->heads[hash_at(packer->bytes + at)];
    for (int tries = 0; place >= 0 && at - (size_t)place <= FURTHEST && tries < TRIES; tries++) {
        const size_t length = common_length(packer, (size_t)place, at), distance = at - (size_t)place;
        if (length >= MATCH_LEAST && length > best.length && pays(length, distance))
            best = (Match){ length, distance };
        place = packer->earlier[place];
    }
    return best;
}

/* --- output ------------------------------------------------------------------------------ */

static void put(Packer *packer, uint32_t value, unsigned count)
{
    packer->bits |= (uint64_t)value << packer->bit_count;
    for (packer->bit_count += count; packer->bit_count >= 8; packer->bit_count -= 8, packer->bits >>= 8)
        packer->out[packer->used++] = (uint8_t)packer->bits;
}

static void put_symbol(Packer *packer, unsigned symbol)
{
    packer->symbols[symbol]++;
    if (packer->out)
        put(packer, packer->symbol_words[symbol], amla_symbols.lengths[symbol]);
}

static void put_extra(Packer *packer, uint32_t number)
{
    const unsigned slot = slot_of(number);
    if (packer->out)
        put(packer, number - slot_base(slot), slot_bits(slot));
}

static void put_match(Packer *packer, Match match)
{
    const uint32_t length = (uint32_t)match.length - MATCH_LEAST, distance = (uint32_t)match.distance - 1;
    put_symbol(packer, FIRST_LENGTH + slot_of(length));
    put_extra(packer, length);
    packer->distances[slot_of(distance)]++;
    if (packer->out)
        put(packer, packer->distance_words[slot_of(distance)], amla_distances.lengths[slot_of(distance)]);
    put_extra(packer, distance);
}

/* One text: counted, or written when there is an output. */
static void pack_text(Packer *packer, const AmlaPacked *text)
{
    packer->bytes = text->bytes;
    packer->length = text->length;
    memset(packer->heads, 0xff, HASHES * sizeof *packer->heads);
    for (size_t at = 0; at < text->length;) {
        const Match match = find_match(packer, at);
        note_place(packer, at);
        if (!match.length || find_match(packer, at + 1).length > match.length) {
            put_symbol(packer, text->bytes[at++]);
            continue;
        }
        put_match(packer, match);
        for (size_t i = 1; i < match.length; i++)
            note_place(packer, at + i);
        at += match.length;
    }
}

/* --- codes ------------------------------------------------------------------------------- */

typedef struct {
    uint64_t weight;
    int parent;
} Node;

static int lightest(const Node *nodes, int count)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (nodes[i].weight && nodes[i].parent < 0 && (best < 0 || nodes[i].weight < nodes[best].weight))
            best = i;
    return best;
}

/* Join the two lightest trees until there is one; returns the number of nodes. */
static int grow(Node *nodes, int count)
{
    for (;;) {
        const int one = lightest(nodes, count);
        nodes[one].parent = count; /* out of the way */
        const int other = lightest(nodes, count);
        if (other < 0) {
            nodes[one].parent = -1;
            return count;
        }
        nodes[other].parent = count;
        nodes[count] = (Node){ nodes[one].weight + nodes[other].weight, -1 };
        count++;
    }
}

static unsigned depth_of(const Node *nodes, int node)
{
    unsigned depth = 0;
    for (; nodes[node].parent >= 0; node = nodes[node].parent)
        depth++;
    return depth;
}

/* The lengths of a Huffman code.  Weights are made more alike until none is too long. */
static void find_code(AmlaCode *code, const uint32_t *uses)
{
    static Node nodes[2 * SYMBOLS];
    for (unsigned evened = 0, longest = CODE_LONGEST + 1; longest > CODE_LONGEST; evened++) {
        longest = 0;
        for (unsigned i = 0; i < code->count; i++) /* each has a code: no text may come upon a gap */
            nodes[i] = (Node){ ((uint64_t)uses[i] >> evened) + 1, -1 };
        grow(nodes, (int)code->count);
        for (unsigned i = 0; i < code->count; i++) {
            const unsigned depth = depth_of(nodes, (int)i);
            code->lengths[i] = (uint8_t)depth;
            longest = depth > longest ? depth : longest;
        }
    }
}

/* --- all texts --------------------------------------------------------------------------- */

static int write_text(Packer *packer, AmlaPacked *text)
{
    packer->out = malloc(text->length * 2 + SPARE); /* no code is longer than 12 bits */
    if (!packer->out)
        return -1;
    packer->used = packer->bit_count = 0;
    packer->bits = 0;
    pack_text(packer, text);
    put(packer, 0, 7);
    memset(packer->out + packer->used, 0, SPARE);
    free(text->bytes);
    text->bytes = realloc(packer->out, packer->used + SPARE);
    return text->bytes ? 0 : -1;
}

static int pack_with(Packer *packer, AmlaPacked *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pack_text(packer, &texts[i]);
    find_code(&amla_symbols, packer->symbols);
    find_code(&amla_distances, packer->distances);
    amla_code_words(&amla_symbols, packer->symbol_words);
    amla_code_words(&amla_distances, packer->distance_words);
    for (size_t i = 0; i < count; i++)
        if (write_text(packer, &texts[i]))
            return -1;
    return 0;
}

int amla_pack(AmlaPacked *texts, size_t count)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; i++)
        longest = texts[i].length > longest ? texts[i].length : longest;
    Packer *packer = calloc(1, sizeof *packer);
    int result = -1;
    if (packer) {
        packer->heads = malloc(HASHES * sizeof *packer->heads);
        packer->earlier = malloc((longest + 1) * sizeof *packer->earlier);
        if (packer->heads && packer->earlier)
            result = pack_with(packer, texts, count);
        free(packer->heads);
        free(packer->earlier);
    }
    free(packer);
    return result;
}
