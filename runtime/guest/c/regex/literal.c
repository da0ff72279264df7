#include "literal.h"

#include <string.h>

#include "rarity.h"

/* Walks the parts of a tree that every match goes through, and keeps the longest run of single characters. */
typedef struct {
    RxLiteral *best, run;
    bool bytes;
    bool first;   /* nothing was passed before this run */
    bool starts;  /* the best run was a first one */
    bool more;    /* something was passed that is not in the run */
} Walk;

static void end_run(Walk *walk)
{
    if (walk->run.length > walk->best->length) {
        *walk->best = walk->run;
        walk->starts = walk->first;
    }
    walk->run.length = 0;
    walk->first = false;
    walk->more = true;
}

static size_t encode(uint32_t c, bool bytes, uint8_t *out)
{
    if (c >= RX_RAW || c < 0x80 || bytes) {
        out[0] = (uint8_t)(c >= RX_RAW ? c - RX_RAW : c);
        return 1;
    }
    const size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, c >>= 6)
        out[i] = (uint8_t)(0x80 | (c & 0x3f));
    out[0] = (uint8_t)(0xf00 >> length | c);
    return length;
}

/* A set of one character, or of one letter of ASCII in either case. */
static void add_set(Walk *walk, const RxSet *set)
{
    RxLiteral *run = &walk->run;
    const uint32_t c = set->count ? set->ranges[0].lo : 0;
    const bool one = set->count == 1 && c == set->ranges[0].hi;
    const bool letter = set->count == 2 && c == set->ranges[0].hi && c - 'A' < 26 && set->ranges[1].lo == c + 32 &&
                        set->ranges[1].hi == c + 32;
    if (!one && !letter) {
        end_run(walk);
        return;
    }
    if (run->length + 4 > RX_LITERAL_MAX)
        end_run(walk);
    const size_t length = encode(letter ? c + 32 : c, walk->bytes, run->bytes + run->length);
    memset(run->masks + run->length, letter ? 0x20 : 0, length);
    run->length += length;
}

static void walk_through(Walk *walk, const RxNode *node)
{
    switch (node->kind) {
    case RX_EMPTY: return;
    case RX_SET: add_set(walk, &node->set); return;
    case RX_CAT:
        for (const RxNode *part = node->first; part; part = part->next)
            walk_through(walk, part);
        return;
    case RX_GROUP: case RX_ATOMIC: walk_through(walk, node->first); return;
    case RX_REPEAT:
        if (node->min == 1 && node->max == 1) {
            walk_through(walk, node->first);
            return;
        }
        end_run(walk);
        if (node->min > 0)
            walk_through(walk, node->first);
        end_run(walk);
        return;
    case RX_ASSERT: walk->more = true; return; /* reads nothing: the run goes on */
    default: end_run(walk);
    }
}

static void choose_places(RxLiteral *literal)
{
    const uint8_t *bytes = literal->bytes;
    for (size_t i = 1; i < literal->length; i++)
        if (rx_frequency(bytes[i]) < rx_frequency(bytes[literal->rarest]))
            literal->rarest = i;
    literal->rare = literal->rarest ? 0 : literal->length - 1;
    for (size_t i = 0; i < literal->length; i++)
        if (i != literal->rarest && rx_frequency(bytes[i]) < rx_frequency(bytes[literal->rare]))
            literal->rare = i;
}

/* Whether looking for it pays: the DFA finds beginnings as fast, see scan.h, and some bytes are nearly everywhere. */
static bool is_useful(const Walk *walk)
{
    enum { FREQUENT = 100 };
    const RxLiteral *literal = walk->best;
    if (literal->whole)
        return true;
    return !walk->starts && (literal->length > 1 || rx_frequency(literal->bytes[0]) < FREQUENT);
}

void rx_literal_init(RxLiteral *literal, const RxNode *tree, bool bytes)
{
    *literal = (RxLiteral){ 0 };
    Walk walk = { .best = literal, .bytes = bytes, .first = true };
    walk_through(&walk, tree);
    const bool only_run = !walk.more;
    end_run(&walk);
    literal->whole = only_run && literal->length;
    if (!is_useful(&walk))
        literal->length = 0;
    choose_places(literal);
}
