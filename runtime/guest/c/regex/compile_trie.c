/* Many strings at once: their trie, which is nearly an automaton already. */
#include <stdlib.h>

#include "emit.h"

enum { STATES_MAX = 1 << 21 };

static size_t branches_of(const RxTrie *trie, uint32_t number, const uint32_t *entries, RxArena *arena,
                          RxBranch *branches)
{
    size_t count = 0;
    for (uint32_t child = trie->nodes[number].child; child; child = trie->nodes[child].sibling) {
        RxRange ranges[16];
        RxSet set = { ranges, 0, 16 };
        rx_set_add(arena, &set, trie->nodes[child].key, trie->nodes[child].key);
        if (trie->fold)
            rx_set_fold(arena, &set, RX_FOLD_UPPER, trie->bytes);
        for (uint32_t i = 0; i < set.count; i++)
            branches[count++] = (RxBranch){ set.ranges[i].lo, set.ranges[i].hi, entries[child] };
    }
    return count;
}

static int by_start(const void *left, const void *right)
{
    const uint32_t a = ((const RxBranch *)left)->lo, b = ((const RxBranch *)right)->lo;
    return (a > b) - (a < b);
}

static size_t widest(const RxTrie *trie)
{
    size_t most = 0;
    for (uint32_t number = 0; number < trie->count; number++) {
        size_t children = 0;
        for (uint32_t child = trie->nodes[number].child; child; child = trie->nodes[child].sibling)
            children++;
        most = children > most ? children : most;
    }
    return most;
}

/* From the last node, which is a leaf, to the root. */
uint32_t rx_compile_trie(RxEmitter *emitter, const RxTrie *trie, uint32_t next)
{
    enum { SPELLINGS = 8 }; /* ranges that one letter may have without regard to case */
    RxArena arena = { 0 };
    uint32_t *entries = calloc(trie->count, sizeof *entries), entry = RX_DEAD_END;
    RxBranch *branches = calloc(widest(trie) * SPELLINGS + 1, sizeof *branches);
    emitter->state_limit = STATES_MAX;
    if (!entries || !branches)
        emitter->error = "Memory exhausted";
    for (uint32_t number = trie->count; number-- > 0 && !emitter->error;) {
        const size_t count = branches_of(trie, number, entries, &arena, branches);
        qsort(branches, count, sizeof *branches, by_start);
        entry = count ? rx_emit_branches(emitter, branches, count) : RX_DEAD_END;
        if (trie->nodes[number].ends)
            entry = count ? rx_emit_split(emitter, entry, next) : next;
        entries[number] = entry;
        if (arena.failed)
            emitter->error = "Memory exhausted";
        rx_arena_free(&arena);
    }
    free(entries);
    free(branches);
    return entry;
}
