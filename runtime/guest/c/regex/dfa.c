#include "dfa.h"

#include <stdlib.h>
#include <string.h>

#include "cells.h"

enum { WORK_TO_POLL = 50000, TABLE_MIN = 64 };

/* Where one class of bytes ends and the next begins. */
static void mark_bounds(const RxDfa *dfa, bool *starts)
{
    const RxProgram *program = dfa->program;
    for (size_t i = 0; i < program->arc_count; i++) {
        starts[program->arcs[i].lo] = true;
        starts[program->arcs[i].hi + 1] = true;
    }
    for (unsigned byte = 1; byte < 256 && program->asserts; byte++)
        if (dfa->sides->of[byte] != dfa->sides->of[byte - 1])
            starts[byte] = true;
}

static void make_classes(RxDfa *dfa)
{
    bool starts[257] = { false };
    uint8_t classes[256];
    mark_bounds(dfa, starts);
    unsigned class = 0;
    for (unsigned byte = 0; byte < 256; byte++) {
        if (byte && starts[byte])
            class++;
        classes[byte] = (uint8_t)class;
        dfa->members[class] = (uint8_t)byte;
    }
    dfa->class_count = class + 1;
    dfa->variants = dfa->program->word_asserts && dfa->sides->words ? 4 : 1;
    const unsigned each = dfa->program->asserts ? dfa->variants * 8 : 1;
    dfa->stride = dfa->class_count * each;
    for (unsigned byte = 0; byte < 256; byte++)
        dfa->symbols[byte] = classes[byte] * each;
}

/* Whether no match can start with these sides, or later ones, to the left. */
static bool never_starts(RxDfa *dfa, RxSide left)
{
    bool matches = false;
    for (; left < RX_SIDES; left++)
        for (RxSide right = 0; right < RX_SIDES; right++) {
            rx_dfa_begin(dfa);
            rx_dfa_reach(dfa, dfa->program->start, left, right, &matches);
            if (dfa->item_count || matches)
                return false;
        }
    return true;
}

void rx_dfa_stop_scanning(RxDfa *dfa)
{
    dfa->scanning = false;
    rx_dfa_forget(dfa);
}

bool rx_dfa_init(RxDfa *dfa, const RxProgram *program, const RxSides *sides, RxDfaKind kind)
{
    const size_t count = program->state_count;
    *dfa = (RxDfa){ .program = program, .sides = sides, .kind = kind, .table_size = TABLE_MIN };
    make_classes(dfa);
    dfa->visited = malloc(count * sizeof(uint32_t));
    dfa->place = calloc(count, sizeof(uint32_t));
    dfa->stack = malloc(count * sizeof(uint32_t));
    dfa->items = malloc((2 * count + 1) * sizeof(uint32_t));
    dfa->table = malloc(TABLE_MIN * sizeof(uint32_t));
    if (!dfa->visited || !dfa->place || !dfa->stack || !dfa->items || !dfa->table || !rx_dfa_forget(dfa))
        return false;
    if (kind >= RX_DFA_BACKWARD)
        return rx_dfa_invert(dfa);
    if (!rx_dfa_prepare_scan(dfa))
        return false;
    dfa->anchored = program->asserts && never_starts(dfa, RX_LINE);
    dfa->line_anchored = program->asserts && never_starts(dfa, RX_OTHER);
    return true;
}

void rx_dfa_free(RxDfa *dfa)
{
    void *const owned[] = { dfa->rows,    dfa->states,        dfa->pool,          dfa->table,        dfa->visited,
                            dfa->place,   dfa->stack,         dfa->items,         dfa->steps.offsets, dfa->steps.sources,
                            dfa->arcs.offsets, dfa->arcs.sources };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    *dfa = (RxDfa){ 0 };
}

uint32_t rx_dfa_start(RxDfa *dfa, RxSide left, RxSide right)
{
    if (dfa->starts[left][right])
        return dfa->starts[left][right];
    RxDfaState start = { 0 };
    const bool back = dfa->kind >= RX_DFA_BACKWARD;
    rx_dfa_begin(dfa);
    rx_dfa_reach(dfa, back ? RX_ACCEPT : dfa->program->start, left, right, &start.matches);
    rx_dfa_order(dfa);
    start.searching = !back && !dfa->anchored && !start.matches;
    start.idle = start.searching && dfa->scanning;
    const uint32_t row = rx_dfa_intern(dfa, start);
    if (!dfa->failed)
        dfa->starts[left][right] = row;
    return row;
}

uint32_t rx_dfa_start_at(RxDfa *dfa, RxText text, size_t at)
{
    if (!dfa->program->asserts)
        return rx_dfa_start(dfa, RX_OTHER, RX_OTHER);
    return rx_dfa_start(dfa, rx_side(dfa->sides, text, at - 1), rx_side(dfa->sides, text, at));
}

uint32_t rx_dfa_symbol_by_sides(const RxDfa *dfa, RxText text, size_t at, size_t beyond)
{
    const uint8_t byte = text.bytes[at];
    const unsigned variant = dfa->variants > 1 && byte >= 0x80 ? rx_side(dfa->sides, text, at) - RX_OTHER : 0;
    return dfa->symbols[byte] + variant * 8 + rx_side(dfa->sides, text, beyond);
}

static void poll(RxDfa *dfa)
{
    if (dfa->work < WORK_TO_POLL)
        return;
    dfa->work = 0;
    if (amla_interrupted())
        dfa->failed = AMLA_REGEX_INTERRUPTED;
}

uint32_t rx_dfa_step(RxDfa *dfa, uint32_t row, uint32_t symbol)
{
    uint32_t class = symbol;
    RxSide own = RX_OTHER, other = RX_OTHER;
    if (dfa->program->asserts) {
        class = symbol / 8 / dfa->variants;
        own = (RxSide)dfa->sides->of[dfa->members[class]];
        other = (RxSide)(symbol % 8);
        if (own == RX_SIDES)
            own = (RxSide)(RX_OTHER + symbol / 8 % dfa->variants);
    }
    const bool back = dfa->kind >= RX_DFA_BACKWARD;
    RxDfaState next;
    rx_dfa_advance(dfa, rx_dfa_state(dfa, row), dfa->members[class], back ? other : own, back ? own : other, &next);
    poll(dfa);
    if (dfa->failed)
        return RX_DEAD;
    const size_t forgotten = dfa->forgotten;
    const uint32_t to = rx_dfa_intern(dfa, next);
    if (!dfa->failed && dfa->forgotten == forgotten)
        dfa->rows[row + symbol] = to;
    return to;
}
