/* The pass back over a match notes at each place which states lead to its end; the pass forward then never errs, so
 * it walks one path, at each choice the first way that leads there.  That is what the GNU C library does, with its
 * exceptions: a loop is left rather than passed a second time without reading, and a group in a repetition that
 * matches nothing at last keeps what it had before.
 *
 * A long match is cut into blocks: the pass back keeps the set at the end of each, and notes rows of one block at a
 * time.
 */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "cells.h"

enum { BLOCK_MAX = 4096, BLOCK_MIN = 64, BLOCK_MEMORY = 4 << 20 };

/* The set at the end of a block. */
typedef struct {
    uint32_t *items;
    uint32_t count;
} Checkpoint;

typedef struct {
    RxGroups *groups;
    RxText text;
    size_t start, end;
    Checkpoint *checkpoints;
    size_t count;    /* of blocks */
    size_t current;  /* block whose rows are noted */
} Pass;

bool rx_groups_init(RxGroups *groups, const RxProgram *program, const RxSides *sides)
{
    *groups = (RxGroups){ .span_count = program->groups + 1u };
    if (!rx_dfa_init(&groups->dfa, program, sides, RX_DFA_GROUPS))
        return false;
    groups->dfa.pinned = true;
    const size_t place = (groups->dfa.stride + program->state_count) * sizeof(uint32_t);
    groups->block = BLOCK_MEMORY / place;
    groups->block = groups->block > BLOCK_MAX ? BLOCK_MAX : groups->block < BLOCK_MIN ? BLOCK_MIN : groups->block;
    groups->spans = malloc(2 * groups->span_count * sizeof(AmlaSpan));
    groups->seen = malloc(program->state_count * sizeof(uint32_t));
    groups->rows = malloc((groups->block + 1) * sizeof(uint32_t));
    groups->kept = groups->spans + groups->span_count;
    return groups->spans && groups->seen && groups->rows;
}

void rx_groups_free(RxGroups *groups)
{
    rx_dfa_free(&groups->dfa);
    free(groups->spans);
    free(groups->seen);
    free(groups->rows);
    *groups = (RxGroups){ 0 };
}

static size_t block_start(const Pass *pass, size_t block)
{
    return pass->start + block * pass->groups->block;
}

static size_t block_end(const Pass *pass, size_t block)
{
    return block + 1 < pass->count ? block_start(pass, block + 1) : pass->end;
}

/* Back from the end of a block, where `row` is; notes a row for each place in it.  False if that failed. */
static bool note_rows(Pass *pass, size_t block, uint32_t row)
{
    RxDfa *dfa = &pass->groups->dfa;
    const size_t first = block_start(pass, block);
    for (size_t at = block_end(pass, block);; at--) {
        pass->groups->rows[at - first] = row & RX_ROW;
        if (at == first || dfa->failed)
            break;
        const uint32_t symbol = rx_dfa_symbol(dfa, pass->text, at - 1, at - 2);
        const uint32_t from = row & RX_ROW, next = from ? dfa->rows[from + symbol] : RX_DEAD;
        row = next ? next : rx_dfa_step(dfa, from, symbol);
    }
    pass->current = block;
    return !dfa->failed;
}

static bool keep_checkpoint(Pass *pass, size_t block, uint32_t row)
{
    const RxDfa *dfa = &pass->groups->dfa;
    static const RxDfaState none = { 0 };
    const RxDfaState *state = row & RX_ROW ? rx_dfa_state(dfa, row) : &none;
    Checkpoint *checkpoint = &pass->checkpoints[block];
    checkpoint->items = malloc((state->count + 1) * sizeof(uint32_t));
    if (!checkpoint->items)
        return false;
    checkpoint->count = state->count;
    if (state->count)
        memcpy(checkpoint->items, dfa->pool + state->first, state->count * sizeof(uint32_t));
    return true;
}

static bool leads_to_end(const Pass *pass, uint32_t number, size_t at)
{
    const uint32_t row = pass->groups->rows[at - block_start(pass, pass->current)];
    if (!row)
        return false;
    const RxDfa *dfa = &pass->groups->dfa;
    const RxDfaState *state = rx_dfa_state(dfa, row);
    uint32_t low = 0, high = state->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (dfa->pool[state->first + middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < state->count && dfa->pool[state->first + low] == number;
}

static void free_checkpoints(Pass *pass)
{
    for (size_t i = 0; i < pass->count; i++) {
        free(pass->checkpoints[i].items);
        pass->checkpoints[i] = (Checkpoint){ 0 };
    }
}

/* All blocks from the last to the first, begun in that row.  False if that failed. */
static bool pass_back(Pass *pass, uint32_t row)
{
    RxDfa *dfa = &pass->groups->dfa;
    for (size_t block = pass->count; block-- > 0;) {
        if (amla_interrupted())
            dfa->failed = AMLA_REGEX_INTERRUPTED;
        if (dfa->failed)
            return false;
        if (!keep_checkpoint(pass, block, row))
            return false;
        const Checkpoint *checkpoint = &pass->checkpoints[block];
        if (rx_dfa_memory(dfa) > BLOCK_MEMORY)
            row = rx_dfa_adopt(dfa, checkpoint->items, checkpoint->count, true);
        if (!note_rows(pass, block, row))
            return false;
        row = pass->groups->rows[0];
    }
    return true;
}

/* The GNU C library takes a way that ends without a condition, if one does. */
static bool pass_back_preferring_plain(Pass *pass)
{
    RxDfa *dfa = &pass->groups->dfa;
    if (dfa->program->asserts) {
        if (!pass_back(pass, rx_dfa_start(dfa, RX_NOWHERE, RX_NOWHERE)))
            return false;
        if (leads_to_end(pass, dfa->program->start, pass->start))
            return true;
        free_checkpoints(pass);
    }
    return pass_back(pass, rx_dfa_start_at(dfa, pass->text, pass->end));
}

/* Rows that were forgotten may mean something else by now. */
static void check_shortcuts(RxGroups *groups)
{
    if (groups->forgotten != groups->dfa.forgotten)
        memset(groups->shortcuts, 0, sizeof groups->shortcuts);
    groups->forgotten = groups->dfa.forgotten;
}

/* Note the rows of the block that `at` lies in. */
static bool enter_block(Pass *pass, size_t at)
{
    const size_t block = (at - pass->start) / pass->groups->block;
    if (block == pass->current || block >= pass->count)
        return true;
    RxDfa *dfa = &pass->groups->dfa;
    const Checkpoint *checkpoint = &pass->checkpoints[block];
    const uint32_t row = rx_dfa_adopt(dfa, checkpoint->items, checkpoint->count, rx_dfa_memory(dfa) > BLOCK_MEMORY);
    check_shortcuts(pass->groups);
    return note_rows(pass, block, row);
}

static void save(RxGroups *groups, const RxState *state, size_t at)
{
    AmlaSpan *span = &groups->spans[state->b / 2];
    const size_t size = groups->span_count * sizeof(AmlaSpan);
    if (state->b % 2 == 0) {
        *span = (AmlaSpan){ at, AMLA_REGEX_UNSET };
    } else if (span->start < at) {
        span->end = at;
        memcpy(groups->kept, groups->spans, size);
    } else if (state->kind && groups->kept[state->b / 2].start != AMLA_REGEX_UNSET) {
        memcpy(groups->spans, groups->kept, size);
    } else {
        span->end = at;
    }
}

/* The next state without reading; 0 if there is none. */
static uint32_t choose(const Pass *pass, const RxState *state, size_t at)
{
    uint32_t ways[2], chosen = 0;
    const unsigned count = rx_ways(state, ways);
    for (unsigned i = 0; i < count; i++) {
        if (!leads_to_end(pass, ways[i], at))
            continue;
        if (chosen && pass->groups->seen[chosen] == at - pass->start + 1)
            return ways[i];
        if (!chosen)
            chosen = ways[i];
    }
    return chosen;
}

/* On from a state without reading: the state that reads the next byte, or the end.  RX_DEAD_END if it fails. */
static uint32_t settle(Pass *pass, uint32_t number, size_t at, bool *saved)
{
    RxGroups *groups = pass->groups;
    const RxProgram *program = groups->dfa.program;
    *saved = false;
    /* Each way is passed twice at most, unless a loop would take for ever: then the groups are as they are. */
    for (size_t left = 4 * program->state_count; left > 0 && number != RX_DEAD_END; left--) {
        const RxState *state = &program->states[number];
        if (state->op == RX_OP_ARCS || (state->op == RX_OP_MATCH && at == pass->end))
            return number;
        if (state->op == RX_OP_SAVE) {
            save(groups, state, at);
            *saved = true;
        }
        groups->seen[number] = (uint32_t)(at - pass->start + 1);
        number = choose(pass, state, at);
    }
    return RX_DEAD_END;
}

/* Read a byte and settle behind it, at `at`: by memory of where that led with the same states leading to the end,
 * unless a group was met on the way. */
static uint32_t read_byte(Pass *pass, uint32_t number, uint8_t byte, size_t at)
{
    RxGroups *groups = pass->groups;
    const RxProgram *program = groups->dfa.program;
    const uint32_t row = groups->rows[at - block_start(pass, pass->current)];
    RxShortcut *shortcut = &groups->shortcuts[(row * 7 + number * 31 + byte) % RX_SHORTCUTS];
    if (shortcut->row == row && shortcut->from == number && shortcut->byte == byte)
        return shortcut->to;
    bool saved;
    const uint32_t to = settle(pass, rx_target(program, &program->states[number], byte), at, &saved);
    if (!saved)
        *shortcut = (RxShortcut){ row, number, to, byte };
    return to;
}

/* Walk from the start to the end; false on failure. */
static bool walk(Pass *pass)
{
    bool saved;
    uint32_t number = settle(pass, pass->groups->dfa.program->start, pass->start, &saved);
    for (size_t at = pass->start; at < pass->end && number != RX_DEAD_END;) {
        const uint8_t byte = pass->text.bytes[at++];
        if (!enter_block(pass, at))
            return false;
        number = read_byte(pass, number, byte, at);
    }
    return true;
}

static bool run(Pass *pass)
{
    RxGroups *groups = pass->groups;
    for (size_t i = 0; i < groups->span_count; i++)
        groups->spans[i] = (AmlaSpan){ AMLA_REGEX_UNSET, AMLA_REGEX_UNSET };
    groups->spans[0] = (AmlaSpan){ pass->start, pass->end };
    memcpy(groups->kept, groups->spans, groups->span_count * sizeof(AmlaSpan));
    memset(groups->seen, 0, groups->dfa.program->state_count * sizeof(uint32_t));
    if (!pass_back_preferring_plain(pass))
        return false;
    check_shortcuts(groups);
    if (!walk(pass))
        return false;
    for (size_t i = 1; i < groups->span_count; i++)
        if (groups->spans[i].end == AMLA_REGEX_UNSET)
            groups->spans[i].start = AMLA_REGEX_UNSET;
    return true;
}

AmlaRegexResult rx_groups_find(RxGroups *groups, RxText text, size_t start, size_t end)
{
    Pass pass = { .groups = groups, .text = text, .start = start, .end = end };
    pass.count = (end - start) / groups->block + 1;
    pass.checkpoints = calloc(pass.count, sizeof *pass.checkpoints);
    groups->dfa.failed = AMLA_REGEX_NONE;
    const bool done = pass.checkpoints && run(&pass);
    if (pass.checkpoints)
        free_checkpoints(&pass);
    free(pass.checkpoints);
    if (done)
        return AMLA_REGEX_MATCH;
    return groups->dfa.failed ? groups->dfa.failed : AMLA_REGEX_TOO_COMPLEX;
}
