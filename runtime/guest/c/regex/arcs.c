/* Ranges of characters as an automaton over the bytes of their UTF-8.
 *
 * A range is cut into pieces whose n-th bytes vary independently ([C3-DF][80-BF]).  Pieces come in order, so those
 * with a common beginning follow one another: they share it, and what is finished is looked up among the states made
 * lately, so that common ends are shared as well.
 */
#include <stdlib.h>
#include <string.h>

#include "emit.h"

enum { LENGTH_MAX = 4, RECENT = 256, PENDING = UINT32_MAX };

typedef struct {
    RxArc arcs[256];
    size_t count;
} Level;

struct RxArcTree {
    Level levels[LENGTH_MAX];
    unsigned open; /* levels in use */
    uint32_t recent[RECENT];
};

RxArcTree *rx_arc_tree_new(void)
{
    return calloc(1, sizeof(RxArcTree));
}

void rx_arc_tree_free(RxArcTree *tree)
{
    free(tree);
}

static size_t hash_of(const RxArc *arcs, size_t count)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ arcs[i].lo ^ (uint32_t)arcs[i].hi << 8 ^ arcs[i].to << 16 ^ arcs[i].to) * 16777619u;
    return (hash ^ hash >> 15) % RECENT;
}

static bool same(const RxProgram *program, uint32_t number, const RxArc *arcs, size_t count)
{
    const RxState *state = &program->states[number];
    if (state->op != RX_OP_ARCS || state->b != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const RxArc *arc = &program->arcs[state->a + i];
        if (arc->lo != arcs[i].lo || arc->hi != arcs[i].hi || arc->to != arcs[i].to)
            return false;
    }
    return true;
}

uint32_t rx_emit_arcs(RxEmitter *emitter, const RxArc *arcs, size_t count)
{
    RxProgram *program = emitter->program;
    uint32_t *const recent = &emitter->arcs->recent[hash_of(arcs, count)];
    if (*recent && same(program, *recent, arcs, count))
        return *recent;
    if (!rx_grow(&program->arcs, &program->arc_capacity, program->arc_count + count, sizeof(RxArc))) {
        emitter->error = "Memory exhausted";
        return RX_DEAD_END;
    }
    if (count)
        memcpy(program->arcs + program->arc_count, arcs, count * sizeof *arcs);
    const uint32_t first = (uint32_t)program->arc_count;
    program->arc_count += count;
    return *recent = rx_emit(emitter, (RxState){ .op = RX_OP_ARCS, .a = first, .b = (uint32_t)count });
}

/* Finish the levels behind the first `keep`. */
static void finish(RxEmitter *emitter, unsigned keep)
{
    RxArcTree *tree = emitter->arcs;
    while (tree->open > keep) {
        Level *level = &tree->levels[--tree->open];
        const uint32_t state = rx_emit_arcs(emitter, level->arcs, level->count);
        Level *above = level - 1;
        above->arcs[above->count - 1].to = state;
    }
}

static void add_arc(Level *level, RxArc arc)
{
    RxArc *last = level->count ? &level->arcs[level->count - 1] : NULL;
    if (last && last->to == arc.to && arc.to != PENDING && last->hi + 1 == arc.lo)
        last->hi = arc.hi;
    else
        level->arcs[level->count++] = arc;
}

/* One piece: bytes lo[i]..hi[i] at place i. */
static void add_piece(RxEmitter *emitter, const uint8_t *lo, const uint8_t *hi, unsigned length, uint32_t to)
{
    RxArcTree *tree = emitter->arcs;
    unsigned same_start = 0;
    while (same_start + 1 < length && same_start + 1 < tree->open) {
        const Level *level = &tree->levels[same_start];
        const RxArc *last = &level->arcs[level->count - 1];
        if (last->lo != lo[same_start] || last->hi != hi[same_start])
            break;
        same_start++;
    }
    finish(emitter, same_start + 1);
    for (unsigned i = same_start; i < length; i++) {
        if (i > same_start || !tree->open)
            tree->levels[i].count = 0;
        add_arc(&tree->levels[i], (RxArc){ lo[i], hi[i], i + 1 < length ? PENDING : to });
        if (tree->open < i + 1)
            tree->open = i + 1;
    }
}

static unsigned encode(uint32_t c, uint8_t *bytes)
{
    if (c < 0x80) {
        bytes[0] = (uint8_t)c;
        return 1;
    }
    const unsigned length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (unsigned i = length - 1; i > 0; i--, c >>= 6)
        bytes[i] = (uint8_t)(0x80 | (c & 0x3f));
    bytes[0] = (uint8_t)(0xf00 >> length | c);
    return length;
}

/* Where lo..hi must be cut first, as the last character of the first part; hi if nowhere. */
static uint32_t cut(uint32_t lo, uint32_t hi)
{
    static const uint32_t longest[] = { 0x7f, 0x7ff, 0xffff };
    for (unsigned i = 0; i < 3; i++)
        if (lo <= longest[i] && hi > longest[i])
            return longest[i];
    if (hi < 0x80)
        return hi;
    for (unsigned bits = 6; bits <= 18; bits += 6) {
        const uint32_t low = (1u << bits) - 1;
        if ((lo & ~low) == (hi & ~low))
            continue;
        if (lo & low)
            return lo | low;
        if ((hi & low) != low)
            return (hi & ~low) - 1;
    }
    return hi;
}

static void add_range(RxEmitter *emitter, uint32_t lo, uint32_t hi, uint32_t to)
{
    while (lo <= hi) {
        uint32_t last = hi;
        for (uint32_t nearer; (nearer = cut(lo, last)) != last;)
            last = nearer;
        uint8_t first_bytes[LENGTH_MAX], last_bytes[LENGTH_MAX];
        const unsigned length = encode(lo, first_bytes);
        encode(last, last_bytes);
        add_piece(emitter, first_bytes, last_bytes, length, to);
        lo = last + 1;
    }
}

static uint32_t finish_all(RxEmitter *emitter)
{
    RxArcTree *tree = emitter->arcs;
    if (!tree->open)
        return RX_DEAD_END;
    finish(emitter, 1);
    tree->open = 0;
    return rx_emit_arcs(emitter, tree->levels[0].arcs, tree->levels[0].count);
}

/* Bytes that are characters: all in BYTES, and those that belong to none. */
static uint32_t emit_bytes(RxEmitter *emitter, const RxBranch *branches, size_t count)
{
    RxArc arcs[256];
    size_t used = 0;
    for (size_t i = 0; i < count && used < 256; i++)
        arcs[used++] = (RxArc){ (uint8_t)branches[i].lo, (uint8_t)branches[i].hi, branches[i].to };
    return used ? rx_emit_arcs(emitter, arcs, used) : RX_DEAD_END;
}

uint32_t rx_emit_branches(RxEmitter *emitter, const RxBranch *branches, size_t count)
{
    if (emitter->options.bytes)
        return emit_bytes(emitter, branches, count);
    size_t valid = 0;
    for (; valid < count && branches[valid].lo <= RX_LAST; valid++)
        add_range(emitter, branches[valid].lo, branches[valid].hi < RX_LAST ? branches[valid].hi : RX_LAST,
                  branches[valid].to);
    const uint32_t characters = finish_all(emitter);
    const uint32_t stray = emit_bytes(emitter, branches + valid, count - valid);
    if (!stray)
        return characters;
    return characters ? rx_emit(emitter, (RxState){ .op = RX_OP_SPLIT, .a = characters, .b = stray }) : stray;
}
