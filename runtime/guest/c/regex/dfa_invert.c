/* The tables by which a DFA runs backward. */
#include <stdlib.h>
#include <string.h>

#include "dfa.h"

/* The targets of a state, by arcs or without reading. */
static size_t targets(const RxProgram *program, const RxState *state, bool arcs, size_t index, uint32_t *to)
{
    uint32_t ways[2];
    const size_t count = !arcs ? rx_ways(state, ways) : state->op == RX_OP_ARCS ? state->b : 0;
    if (index < count)
        *to = arcs ? program->arcs[state->a + index].to : ways[index];
    return count;
}

/* Count the sources of each state, then turn counts into the offsets where they end. */
static bool count_sources(RxInverse *inverse, const RxProgram *program, bool arcs)
{
    inverse->offsets = calloc(program->state_count + 2, sizeof(uint32_t));
    if (!inverse->offsets)
        return false;
    uint32_t to = 0;
    for (size_t i = 0; i < program->state_count; i++)
        for (size_t k = 0; k < targets(program, &program->states[i], arcs, k, &to); k++)
            inverse->offsets[to]++;
    for (size_t i = 1; i <= program->state_count; i++)
        inverse->offsets[i] += inverse->offsets[i - 1];
    return true;
}

static bool invert(RxInverse *inverse, const RxProgram *program, bool arcs)
{
    if (!count_sources(inverse, program, arcs))
        return false;
    const size_t total = inverse->offsets[program->state_count];
    inverse->sources = malloc((total + 1) * sizeof(uint32_t));
    if (!inverse->sources)
        return false;
    uint32_t to = 0;
    for (size_t i = program->state_count; i-- > 0;)
        for (size_t k = 0; k < targets(program, &program->states[i], arcs, k, &to); k++)
            inverse->sources[--inverse->offsets[to]] = (uint32_t)i;
    return true;
}

bool rx_dfa_invert(RxDfa *dfa)
{
    return invert(&dfa->steps, dfa->program, false) && invert(&dfa->arcs, dfa->program, true);
}
