#include "huffman.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t weight;
    uint16_t symbol;
} Leaf;

static int compare_leaves(const void *left, const void *right)
{
    const Leaf *a = left, *b = right;
    return a->weight != b->weight ? (a->weight < b->weight ? -1 : 1) : (int)a->symbol - (int)b->symbol;
}

static size_t collect(const uint32_t *frequencies, size_t count, Leaf *leaves)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (frequencies[i])
            leaves[used++] = (Leaf){ frequencies[i], (uint16_t)i };
    for (size_t i = 0; used < 2; i++)
        if (!frequencies[i])
            leaves[used++] = (Leaf){ 0, (uint16_t)i };
    qsort(leaves, used, sizeof *leaves, compare_leaves);
    return used;
}

/* depths[i] of the leaves, from the lightest, in the tree that joins the two lightest nodes again and again. */
static void find_depths(const Leaf *leaves, size_t count, uint16_t *depths)
{
    uint64_t weights[AMLA_HUFFMAN_MOST];      /* of inner nodes, in the order in which they are made */
    uint16_t parents[2 * AMLA_HUFFMAN_MOST];  /* leaves, then inner nodes */
    size_t leaf = 0, inner = 0;
    for (size_t made = 0; made + 1 < count; made++) {
        weights[made] = 0;
        for (int side = 0; side < 2; side++) {
            const bool takes_leaf = leaf < count && (inner == made || leaves[leaf].weight <= weights[inner]);
            weights[made] += takes_leaf ? leaves[leaf].weight : weights[inner];
            parents[takes_leaf ? leaf++ : count + inner++] = (uint16_t)(count + made);
        }
    }
    uint16_t inner_depths[AMLA_HUFFMAN_MOST];
    inner_depths[count - 2] = 0;
    for (size_t i = count - 2; i-- > 0;)
        inner_depths[i] = (uint16_t)(inner_depths[parents[count + i] - count] + 1);
    for (size_t i = 0; i < count; i++)
        depths[i] = (uint16_t)(inner_depths[parents[i] - count] + 1);
}

/* Shortens what is too long, and lengthens others until all fit again. */
static void limit(uint16_t *depths, size_t count, int longest)
{
    const uint32_t room = 1u << longest;
    uint32_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (depths[i] > longest)
            depths[i] = (uint16_t)longest;
        used += room >> depths[i];
    }
    for (size_t i = 0; used > room; i = (i + 1) % count)
        while (depths[i] < longest && used > room) {
            used -= room >> (depths[i] + 1);
            depths[i]++;
        }
    for (size_t i = count; i-- > 0;) /* the heaviest take what room is left */
        while (depths[i] > 1 && used + (room >> depths[i]) <= room) {
            used += room >> depths[i];
            depths[i]--;
        }
}

void amla_huffman_lengths(const uint32_t *frequencies, size_t count, int longest, uint8_t *lengths)
{
    Leaf leaves[AMLA_HUFFMAN_MOST];
    uint16_t depths[AMLA_HUFFMAN_MOST];
    const size_t used = collect(frequencies, count, leaves);
    find_depths(leaves, used, depths);
    limit(depths, used, longest);
    memset(lengths, 0, count);
    for (size_t i = 0; i < used; i++)
        lengths[leaves[i].symbol] = (uint8_t)depths[i];
}

void amla_huffman_codes(const uint8_t *lengths, size_t count, uint16_t *codes)
{
    uint16_t next[17] = { 0 }, counts[17] = { 0 };
    for (size_t i = 0; i < count; i++)
        counts[lengths[i]]++;
    counts[0] = 0;
    for (int length = 1; length <= 15; length++)
        next[length + 1] = (uint16_t)((next[length] + counts[length]) << 1);
    for (size_t i = 0; i < count; i++) {
        uint16_t code = lengths[i] ? next[lengths[i]]++ : 0, turned = 0;
        for (int bit = 0; bit < lengths[i]; bit++, code >>= 1)
            turned = (uint16_t)(turned << 1 | (code & 1));
        codes[i] = turned;
    }
}
