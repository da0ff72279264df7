#include "tree.h"

#include <string.h>

RxNode *rx_node(RxArena *arena, RxKind kind)
{
    RxNode *node = rx_alloc(arena, sizeof *node);
    if (node) {
        node->kind = kind;
        node->depth = 1;
    }
    return node;
}

RxNode *rx_append(RxNode *whole, RxNode *part)
{
    if (!whole || !part)
        return NULL;
    part->previous = whole->last;
    if (whole->last)
        whole->last->next = part;
    else
        whole->first = part;
    whole->last = part;
    whole->captures |= part->captures || part->kind == RX_GROUP;
    if (whole->depth <= part->depth)
        whole->depth = part->depth + 1;
    return whole;
}

RxNode *rx_wrap(RxArena *arena, RxKind kind, RxNode *part)
{
    return part ? rx_append(rx_node(arena, kind), part) : NULL;
}

static uint32_t new_node(RxArena *arena, RxTrie *trie, uint32_t key)
{
    if (trie->count == trie->capacity) {
        const uint32_t capacity = trie->capacity ? trie->capacity * 2 : 16;
        RxTrieNode *nodes = rx_alloc(arena, (size_t)capacity * sizeof *nodes);
        if (!nodes)
            return 0;
        if (trie->count)
            memcpy(nodes, trie->nodes, trie->count * sizeof *nodes);
        trie->nodes = nodes;
        trie->capacity = capacity;
    }
    trie->nodes[trie->count] = (RxTrieNode){ .key = key };
    return trie->count++;
}

static uint32_t child_with(const RxTrie *trie, uint32_t parent, uint32_t key)
{
    uint32_t child = trie->nodes[parent].child;
    while (child && trie->nodes[child].key != key)
        child = trie->nodes[child].sibling;
    return child;
}

bool rx_trie_add(RxArena *arena, RxTrie *trie, const uint32_t *keys, size_t count)
{
    uint32_t at = 0;
    if (!trie->count)
        new_node(arena, trie, 0);
    for (size_t i = 0; i < count && !arena->failed; i++) {
        uint32_t child = child_with(trie, at, keys[i]);
        if (!child && (child = new_node(arena, trie, keys[i]))) {
            trie->nodes[child].sibling = trie->nodes[at].child;
            trie->nodes[at].child = child;
        }
        at = child;
    }
    if (!arena->failed)
        trie->nodes[at].ends = true;
    return !arena->failed;
}
