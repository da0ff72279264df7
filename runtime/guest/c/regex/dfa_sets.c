/* From one set of program states to the next. */
#include <stdlib.h>

#include "dfa.h"

void rx_dfa_begin(RxDfa *dfa)
{
    dfa->visited_count = 0;
    dfa->item_count = 0;
}

static bool visit(RxDfa *dfa, uint32_t state)
{
    const uint32_t place = dfa->place[state];
    if (place < dfa->visited_count && dfa->visited[place] == state)
        return false;
    dfa->place[state] = (uint32_t)dfa->visited_count;
    dfa->visited[dfa->visited_count++] = state;
    return true;
}

static bool passes(const RxState *state, RxSide left, RxSide right)
{
    return state->op != RX_OP_ASSERT || rx_assert_holds((RxAssert)state->kind, left, right);
}

static void reach_forward(RxDfa *dfa, uint32_t from, RxSide left, RxSide right, bool *matches)
{
    size_t height = 0;
    if (!visit(dfa, from))
        return;
    if (dfa->program->states[from].op == RX_OP_ARCS) {
        dfa->items[dfa->item_count++] = from;
        return;
    }
    dfa->stack[height++] = from;
    while (height) {
        const uint32_t number = dfa->stack[--height];
        const RxState *state = &dfa->program->states[number];
        uint32_t ways[2];
        if (state->op == RX_OP_MATCH)
            *matches = true;
        if (state->op == RX_OP_ARCS && state->b)
            dfa->items[dfa->item_count++] = number;
        for (unsigned i = rx_ways(state, ways); i-- > 0;)
            if (passes(state, left, right) && visit(dfa, ways[i]))
                dfa->stack[height++] = ways[i];
    }
}

static void reach_backward(RxDfa *dfa, uint32_t from, RxSide left, RxSide right, bool *matches)
{
    size_t height = 0;
    if (visit(dfa, from))
        dfa->stack[height++] = from;
    while (height) {
        const uint32_t number = dfa->stack[--height];
        if (number == dfa->program->start)
            *matches = true;
        if (dfa->kind == RX_DFA_GROUPS || dfa->arcs.offsets[number] < dfa->arcs.offsets[number + 1])
            dfa->items[dfa->item_count++] = number;
        for (uint32_t i = dfa->steps.offsets[number]; i < dfa->steps.offsets[number + 1]; i++) {
            const uint32_t source = dfa->steps.sources[i];
            if (passes(&dfa->program->states[source], left, right) && visit(dfa, source))
                dfa->stack[height++] = source;
        }
    }
}

void rx_dfa_reach(RxDfa *dfa, uint32_t state, RxSide left, RxSide right, bool *matches)
{
    if (dfa->kind >= RX_DFA_BACKWARD)
        reach_backward(dfa, state, left, right, matches);
    else
        reach_forward(dfa, state, left, right, matches);
}

static int by_number(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Whether items already ascend; if they descend, as those of long chains do, turns them round. */
static bool is_ordered(uint32_t *items, size_t count)
{
    size_t up = 1, down = 1;
    while (up < count && items[up - 1] < items[up])
        up++;
    if (up >= count)
        return true;
    while (down < count && items[down - 1] > items[down])
        down++;
    if (down < count)
        return false;
    for (size_t i = 0; i < count / 2; i++) {
        const uint32_t item = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = item;
    }
    return true;
}

/* The order within a set means nothing: one spelling for each. */
static void order(uint32_t *items, size_t count)
{
    if (is_ordered(items, count))
        return;
    if (count > 24) {
        qsort(items, count, sizeof *items, by_number);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const uint32_t item = items[i];
        size_t k = i;
        for (; k > 0 && items[k - 1] > item; k--)
            items[k] = items[k - 1];
        items[k] = item;
    }
}

void rx_dfa_order(RxDfa *dfa)
{
    order(dfa->items, dfa->item_count);
}

/* Close the set that began at `first`. */
static void end_set(RxDfa *dfa, size_t first)
{
    if (dfa->item_count > first && dfa->kind == RX_DFA_LONGEST) {
        order(dfa->items + first, dfa->item_count - first);
        dfa->items[dfa->item_count++] = RX_MARK;
    }
}

static void advance_forward(RxDfa *dfa, const RxDfaState *state, uint8_t byte, RxSide left, RxSide right,
                            RxDfaState *next)
{
    const uint32_t first = state->first, count = state->count;
    size_t set = 0;
    for (uint32_t i = 0; i < count && !next->matches; i++) {
        for (; i < count && dfa->pool[first + i] != RX_MARK; i++) {
            const uint32_t to = rx_target(dfa->program, &dfa->program->states[dfa->pool[first + i]], byte);
            if (to)
                rx_dfa_reach(dfa, to, left, right, &next->matches);
        }
        end_set(dfa, set);
        set = dfa->item_count;
    }
    next->searching = state->searching && !next->matches;
    next->idle = next->searching && dfa->scanning && !dfa->item_count;
    if (next->searching) {
        rx_dfa_reach(dfa, dfa->program->start, left, right, &next->matches);
        end_set(dfa, set);
        next->searching = !next->matches;
    }
    if (dfa->kind == RX_DFA_ANY)
        order(dfa->items, dfa->item_count);
}

static void advance_backward(RxDfa *dfa, const RxDfaState *state, uint8_t byte, RxSide left, RxSide right,
                             RxDfaState *next)
{
    for (uint32_t i = 0; i < state->count; i++) {
        const uint32_t item = dfa->pool[state->first + i];
        for (uint32_t k = dfa->arcs.offsets[item]; k < dfa->arcs.offsets[item + 1]; k++) {
            const uint32_t source = dfa->arcs.sources[k];
            if (rx_target(dfa->program, &dfa->program->states[source], byte) == item)
                rx_dfa_reach(dfa, source, left, right, &next->matches);
        }
    }
    order(dfa->items, dfa->item_count);
}

void rx_dfa_advance(RxDfa *dfa, const RxDfaState *state, uint8_t byte, RxSide left, RxSide right, RxDfaState *next)
{
    *next = (RxDfaState){ 0 };
    rx_dfa_begin(dfa);
    if (dfa->kind >= RX_DFA_BACKWARD)
        advance_backward(dfa, state, byte, left, right, next);
    else
        advance_forward(dfa, state, byte, left, right, next);
    if (dfa->item_count && dfa->items[dfa->item_count - 1] == RX_MARK)
        dfa->item_count--;
    dfa->work += dfa->visited_count + 16;
}
