#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "emit.h"

enum { STATES_MAX = 1 << 18, TRIE_STATES_MAX = 1 << 21, WORK_MAX = 1 << 22 };

static const char too_big[] = "Regular expression too big";
static const char no_memory[] = "Memory exhausted";

static uint32_t compile(RxEmitter *emitter, const RxNode *node, uint32_t next);

uint32_t rx_emit(RxEmitter *emitter, RxState state)
{
    RxProgram *program = emitter->program;
    if (program->state_count >= emitter->state_limit)
        emitter->error = too_big;
    else if (!rx_grow(&program->states, &program->state_capacity, program->state_count + 1, sizeof state))
        emitter->error = no_memory;
    if (emitter->error)
        return RX_DEAD_END;
    program->states[program->state_count] = state;
    return (uint32_t)program->state_count++;
}

static uint32_t split(RxEmitter *emitter, uint32_t a, uint32_t b)
{
    return rx_emit(emitter, (RxState){ .op = RX_OP_SPLIT, .a = a, .b = b });
}

static bool over_bytes(const RxEmitter *emitter)
{
    return emitter->options.purpose <= RX_PROGRAM_CAPTURES;
}

static RxMembers members_of(const RxSet *set)
{
    RxMembers members = { .all = set };
    for (uint32_t c = 0; c < 0x80; c++)
        if (rx_set_has(set, c))
            members.ascii[c / 32] |= 1u << c % 32;
    return members;
}

static uint32_t compile_set(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    const RxSet *set = &node->set;
    if (!over_bytes(emitter)) {
        RxProgram *program = emitter->program;
        if (!rx_grow(&program->sets, &program->set_capacity, program->set_count + 1, sizeof *program->sets)) {
            emitter->error = no_memory;
            return RX_DEAD_END;
        }
        program->sets[program->set_count] = members_of(set);
        return rx_emit(emitter, (RxState){ .op = RX_OP_SET, .a = next, .b = (uint32_t)program->set_count++ });
    }
    RxBranch few[8], *branches = set->count <= 8 ? few : malloc(set->count * sizeof *branches);
    if (!branches) {
        emitter->error = no_memory;
        return RX_DEAD_END;
    }
    for (uint32_t i = 0; i < set->count; i++)
        branches[i] = (RxBranch){ set->ranges[i].lo, set->ranges[i].hi, next };
    const uint32_t entry = rx_emit_branches(emitter, branches, set->count);
    if (branches != few)
        free(branches);
    return entry;
}

static uint32_t compile_alternatives(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    const RxNode *part = node->first;
    uint32_t entry = compile(emitter, part, next);
    bool empty_first = part->kind == RX_EMPTY && emitter->options.purpose != RX_PROGRAM_PERL;
    while ((part = part->next)) {
        const uint32_t other = compile(emitter, part, next);
        /* glibc tries an empty first alternative last. */
        entry = empty_first ? split(emitter, other, entry) : split(emitter, entry, other);
        empty_first = false;
    }
    return entry;
}

static uint32_t compile_group(RxEmitter *emitter, const RxNode *node, uint32_t next, bool optional)
{
    if (emitter->options.purpose == RX_PROGRAM_SEARCH)
        return compile(emitter, node->first, next);
    RxState save = { .op = RX_OP_SAVE, .kind = optional, .a = next, .b = 2 * node->index + 1 };
    if (emitter->program->groups < node->index)
        emitter->program->groups = node->index;
    save.a = rx_emit(emitter, save);
    save.a = compile(emitter, node->first, save.a);
    save.b--;
    return rx_emit(emitter, save);
}

/* Copy number `number`, from 1, of what is repeated.  glibc's marks on optional groups (see groups.c): the first copy
 * that need not match has one, if it is no copy of a larger copy; what is inside a copy has lost its own. */
static uint32_t compile_copy(RxEmitter *emitter, const RxNode *repeat, int number, uint32_t next)
{
    const RxNode *part = repeat->first;
    const bool copied = emitter->copied;
    emitter->copied = copied || number > 1;
    const uint32_t entry = part->kind == RX_GROUP
                               ? compile_group(emitter, part, next, number == repeat->min + 1 && !copied)
                               : compile(emitter, part, next);
    emitter->copied = copied;
    return entry;
}

static void choose(RxEmitter *emitter, const RxNode *repeat, uint32_t at, uint32_t body, uint32_t next)
{
    RxState *state = &emitter->program->states[at];
    if (emitter->error)
        return;
    state->a = repeat->greed == RX_GREEDY ? body : next;
    state->b = repeat->greed == RX_GREEDY ? next : body;
}

static bool may_be_empty(const RxNode *node)
{
    switch (node->kind) {
    case RX_SET: return false;
    case RX_REPEAT: return node->min == 0 || may_be_empty(node->first);
    case RX_GROUP: case RX_ATOMIC: return may_be_empty(node->first);
    case RX_CAT:
        for (const RxNode *part = node->first; part; part = part->next)
            if (!may_be_empty(part))
                return false;
        return true;
    case RX_ALT:
        for (const RxNode *part = node->first; part; part = part->next)
            if (may_be_empty(part))
                return true;
        return false;
    default: return true;
    }
}

/* Any number of times. */
static uint32_t compile_star(RxEmitter *emitter, const RxNode *repeat, uint32_t next)
{
    const uint32_t at = split(emitter, 0, 0);
    if (over_bytes(emitter) || !may_be_empty(repeat->first)) {
        choose(emitter, repeat, at, compile_copy(emitter, repeat, repeat->min + 1, at), next);
        return at;
    }
    const uint32_t place = emitter->program->registers++;
    const uint32_t end = rx_emit(emitter, (RxState){ .op = RX_OP_PROGRESS, .a = at, .b = place, .c = next });
    const uint32_t body = compile_copy(emitter, repeat, repeat->min + 1, end);
    choose(emitter, repeat, at, rx_emit(emitter, (RxState){ .op = RX_OP_MARK, .a = body, .b = place }), next);
    return at;
}

/* Up to `count` times, as glibc nests it: ((e?e)?e)? — which copy of a group matches can be seen. */
static uint32_t compile_nested_left(RxEmitter *emitter, const RxNode *repeat, int count, uint32_t next)
{
    const uint32_t outermost = split(emitter, 0, 0);
    uint32_t outer = outermost;
    for (; !emitter->error; count--) {
        const uint32_t body = compile_copy(emitter, repeat, repeat->min + count, next);
        if (count == 1) {
            choose(emitter, repeat, outer, body, next);
            break;
        }
        const uint32_t inner = split(emitter, 0, 0);
        choose(emitter, repeat, outer, inner, next);
        outer = inner;
        next = body;
    }
    return outermost;
}

/* The same as e(e(e)?)?, of which a DFA reaches few states at a time. */
static uint32_t compile_nested_right(RxEmitter *emitter, const RxNode *repeat, int count, uint32_t next)
{
    uint32_t entry = next;
    for (; count > 0 && !emitter->error; count--) {
        const uint32_t at = split(emitter, 0, 0);
        choose(emitter, repeat, at, compile_copy(emitter, repeat, repeat->min + count, entry), next);
        entry = at;
    }
    return entry;
}

static uint32_t compile_repeat(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    const RxPurpose purpose = emitter->options.purpose;
    const bool left = node->captures && (purpose == RX_PROGRAM_CAPTURES || purpose == RX_PROGRAM_BACKTRACK);
    if (node->max == RX_NO_LIMIT)
        next = compile_star(emitter, node, next);
    else if (node->max > node->min && left)
        next = compile_nested_left(emitter, node, node->max - node->min, next);
    else if (node->max > node->min)
        next = compile_nested_right(emitter, node, node->max - node->min, next);
    for (int number = node->min; number > 0 && !emitter->error; number--)
        next = compile_copy(emitter, node, number, next);
    return next;
}

static uint32_t compile_assert(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    if (node->index == RX_TEXT_END_LINE && over_bytes(emitter)) {
        emitter->program->approximate = true;
        return next;
    }
    emitter->program->asserts = true;
    if (node->index >= RX_WORD_START && node->index <= RX_NO_WORD_AFTER)
        emitter->program->word_asserts = true;
    return rx_emit(emitter, (RxState){ .op = RX_OP_ASSERT, .kind = (uint8_t)node->index, .a = next });
}

/* Any number of bytes that do not end a line. */
static uint32_t compile_anything(RxEmitter *emitter, uint32_t next)
{
    const uint32_t end = emitter->options.line_end, at = split(emitter, 0, next);
    RxArc arcs[2] = { { 0, 255, at }, { 0, 255, at } };
    size_t count = 1;
    if (end != RX_NOTHING) {
        arcs[0].lo = (uint8_t)(end + 1);
        if (end > 0)
            arcs[count++] = (RxArc){ 0, (uint8_t)(end - 1), at };
    }
    const uint32_t any = rx_emit_arcs(emitter, arcs, count);
    if (!emitter->error)
        emitter->program->states[at].a = any;
    emitter->program->approximate = true;
    return at;
}

static uint32_t compile_backref(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    if (over_bytes(emitter))
        return compile_anything(emitter, next);
    return rx_emit(emitter, (RxState){ .op = RX_OP_BACKREF, .kind = node->fold, .a = next, .b = node->index });
}

/* A part whose choices are cut off once it matched: an atomic group, a look ahead or behind. */
static uint32_t compile_cut(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    if (over_bytes(emitter)) {
        emitter->program->approximate = true;
        return node->kind == RX_ATOMIC ? compile(emitter, node->first, next) : next;
    }
    RxState begin = { .op = RX_OP_BEGIN, .kind = RX_CUT_ATOMIC, .b = emitter->program->registers++, .c = next };
    if (node->kind == RX_LOOK)
        begin.kind = node->negative ? RX_CUT_LOOK_NOT : RX_CUT_LOOK;
    const uint32_t done = rx_emit(emitter, (RxState){ .op = RX_OP_DONE, .kind = begin.kind, .a = next, .b = begin.b });
    begin.a = compile(emitter, node->first, done);
    return rx_emit(emitter, begin);
}

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
static uint32_t compile_trie(RxEmitter *emitter, const RxTrie *trie, uint32_t next)
{
    enum { SPELLINGS = 8 }; /* ranges that one letter may have without regard to case */
    RxArena arena = { 0 };
    uint32_t *entries = calloc(trie->count, sizeof *entries), entry = RX_DEAD_END;
    RxBranch *branches = calloc(widest(trie) * SPELLINGS + 1, sizeof *branches);
    emitter->state_limit = TRIE_STATES_MAX;
    if (!entries || !branches)
        emitter->error = no_memory;
    for (uint32_t number = trie->count; number-- > 0 && !emitter->error;) {
        const size_t count = branches_of(trie, number, entries, &arena, branches);
        qsort(branches, count, sizeof *branches, by_start);
        entry = count ? rx_emit_branches(emitter, branches, count) : RX_DEAD_END;
        if (trie->nodes[number].ends)
            entry = count ? split(emitter, entry, next) : next;
        entries[number] = entry;
        if (arena.failed)
            emitter->error = no_memory;
        rx_arena_free(&arena);
    }
    free(entries);
    free(branches);
    return entry;
}

static uint32_t compile(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    if (++emitter->work > WORK_MAX)
        emitter->error = too_big;
    if (emitter->error)
        return RX_DEAD_END;
    switch (node->kind) {
    case RX_EMPTY: return next;
    case RX_SET: return compile_set(emitter, node, next);
    case RX_CAT:
        for (const RxNode *part = node->last; part; part = part->previous)
            next = compile(emitter, part, next);
        return next;
    case RX_ALT: return compile_alternatives(emitter, node, next);
    case RX_REPEAT: return compile_repeat(emitter, node, next);
    case RX_GROUP: return compile_group(emitter, node, next, false);
    case RX_ASSERT: return compile_assert(emitter, node, next);
    case RX_BACKREF: return compile_backref(emitter, node, next);
    case RX_TRIE: return compile_trie(emitter, node->trie, next);
    case RX_LOOK: case RX_ATOMIC: return compile_cut(emitter, node, next);
    case RX_BACK: return over_bytes(emitter) ? next
                         : rx_emit(emitter, (RxState){ .op = RX_OP_BACK, .a = next, .b = node->index });
    case RX_KEEP: return over_bytes(emitter) ? next : rx_emit(emitter, (RxState){ .op = RX_OP_KEEP, .a = next });
    }
    return RX_DEAD_END;
}

bool rx_compile(RxProgram *program, const RxNode *tree, RxCompileOptions options, const char **error)
{
    *program = (RxProgram){ 0 };
    RxEmitter emitter = { .program = program, .options = options, .state_limit = STATES_MAX };
    emitter.arcs = rx_arc_tree_new();
    if (!emitter.arcs)
        emitter.error = no_memory;
    if (!emitter.error)
        rx_emit(&emitter, (RxState){ .op = RX_OP_ARCS }); /* RX_DEAD_END */
    if (!emitter.error)
        rx_emit(&emitter, (RxState){ .op = RX_OP_MATCH }); /* RX_ACCEPT */
    program->start = compile(&emitter, tree, RX_ACCEPT);
    rx_arc_tree_free(emitter.arcs);
    *error = emitter.error;
    return !emitter.error;
}

uint32_t rx_target(const RxProgram *program, const RxState *state, uint8_t byte)
{
    uint32_t low = state->a, high = state->a + state->b;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (program->arcs[middle].hi < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low < state->a + state->b && program->arcs[low].lo <= byte ? program->arcs[low].to : RX_DEAD_END;
}

void rx_program_free(RxProgram *program)
{
    free(program->states);
    free(program->arcs);
    free(program->sets);
    *program = (RxProgram){ 0 };
}
