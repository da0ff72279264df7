/* The states met so far. */
#include <stdlib.h>
#include <string.h>

#include "dfa.h"

enum { MEMORY_MAX = 3 << 20 };

bool rx_dfa_forget(RxDfa *dfa)
{
    memset(dfa->starts, 0, sizeof dfa->starts);
    memset(dfa->table, 0, dfa->table_size * sizeof *dfa->table);
    dfa->forgotten++;
    dfa->pool_count = 0;
    dfa->row_count = dfa->stride; /* row 0 stands for none */
    return rx_grow(&dfa->rows, &dfa->row_capacity, dfa->row_count, sizeof *dfa->rows);
}

size_t rx_dfa_memory(const RxDfa *dfa)
{
    return (dfa->row_count + dfa->pool_count) * sizeof(uint32_t) + dfa->row_count / dfa->stride * sizeof(RxDfaState);
}

const RxDfaState *rx_dfa_state(const RxDfa *dfa, uint32_t row)
{
    return &dfa->states[(row & RX_ROW) / dfa->stride];
}

static size_t hash_of(const RxDfaState *state, const uint32_t *items)
{
    uint32_t hash = 2166136261u ^ (uint32_t)state->searching ^ (uint32_t)state->matches << 1 ^ (uint32_t)state->idle << 2;
    for (uint32_t i = 0; i < state->count; i++)
        hash = (hash ^ items[i]) * 16777619u;
    return hash ^ hash >> 15;
}

/* The cell of the table where that state is or should be. */
static uint32_t *cell_of(const RxDfa *dfa, const RxDfaState *wanted, const uint32_t *items)
{
    for (size_t at = hash_of(wanted, items);; at++) {
        uint32_t *cell = &dfa->table[at & (dfa->table_size - 1)];
        if (!*cell)
            return cell;
        const RxDfaState *state = rx_dfa_state(dfa, *cell);
        if (state->count == wanted->count && state->searching == wanted->searching &&
            state->matches == wanted->matches && state->idle == wanted->idle &&
            (!wanted->count || !memcmp(dfa->pool + state->first, items, wanted->count * sizeof *items)))
            return cell;
    }
}

static bool grow_table(RxDfa *dfa)
{
    const size_t size = dfa->table_size * 2;
    uint32_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    free(dfa->table);
    dfa->table = table;
    dfa->table_size = size;
    for (uint32_t row = (uint32_t)dfa->stride; row < dfa->row_count; row += (uint32_t)dfa->stride) {
        const RxDfaState *state = rx_dfa_state(dfa, row);
        *cell_of(dfa, state, dfa->pool + state->first) = row;
    }
    return true;
}

static bool reserve(RxDfa *dfa, const RxDfaState *next)
{
    const size_t number = dfa->row_count / dfa->stride;
    if (number * 2 > dfa->table_size && !grow_table(dfa))
        return false;
    return rx_grow(&dfa->rows, &dfa->row_capacity, dfa->row_count + dfa->stride, sizeof *dfa->rows) &&
           rx_grow(&dfa->states, &dfa->state_capacity, number + 1, sizeof *dfa->states) &&
           rx_grow(&dfa->pool, &dfa->pool_capacity, dfa->pool_count + next->count, sizeof *dfa->pool);
}

static uint32_t add_state(RxDfa *dfa, RxDfaState next)
{
    if (rx_dfa_memory(dfa) > MEMORY_MAX && !dfa->pinned)
        rx_dfa_forget(dfa);
    if (!reserve(dfa, &next) || dfa->row_count > RX_ROW / 2) {
        dfa->failed = AMLA_REGEX_TOO_COMPLEX;
        return RX_DEAD;
    }
    const uint32_t row = (uint32_t)dfa->row_count;
    next.first = (uint32_t)dfa->pool_count;
    if (next.count)
        memcpy(dfa->pool + next.first, dfa->items, next.count * sizeof *dfa->items);
    memset(dfa->rows + row, 0, dfa->stride * sizeof *dfa->rows);
    dfa->states[row / dfa->stride] = next;
    dfa->pool_count += next.count;
    dfa->row_count += dfa->stride;
    *cell_of(dfa, &next, dfa->items) = row;
    return row;
}

/* The row of the state whose items were just made. */
uint32_t rx_dfa_intern(RxDfa *dfa, RxDfaState next)
{
    next.count = (uint32_t)dfa->item_count;
    if (!next.count && !next.searching && !next.matches)
        return RX_DEAD;
    uint32_t row = *cell_of(dfa, &next, dfa->items);
    if (!row)
        row = add_state(dfa, next);
    if (!(row & RX_ROW) || !(next.matches || next.idle))
        return row;
    return row | RX_SPECIAL | (next.matches ? RX_MATCHES : 0) | (next.idle ? RX_IDLE : 0);
}

uint32_t rx_dfa_adopt(RxDfa *dfa, const uint32_t *items, uint32_t count, bool forget)
{
    RxDfaState state = { .count = count };
    if (forget)
        rx_dfa_forget(dfa);
    if (count)
        memcpy(dfa->items, items, count * sizeof *items);
    dfa->item_count = count;
    return rx_dfa_intern(dfa, state);
}
