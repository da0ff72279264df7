/* Repetitions. */
#include "emit.h"

/* Copy number `number`, from 1, of what is repeated.  glibc's marks on optional groups (see groups.c): the first copy
 * that need not match has one, if it is no copy of a larger copy; what is inside a copy has lost its own. */
static uint32_t compile_copy(RxEmitter *emitter, const RxNode *repeat, int number, uint32_t next)
{
    const RxNode *part = repeat->first;
    const bool copied = emitter->copied;
    emitter->copied = copied || number > 1;
    const uint32_t entry = part->kind == RX_GROUP
                               ? rx_compile_group(emitter, part, next, number == repeat->min + 1 && !copied)
                               : rx_compile_node(emitter, part, next);
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
    const uint32_t at = rx_emit_split(emitter, 0, 0);
    if (rx_over_bytes(emitter) || !may_be_empty(repeat->first)) {
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
    const uint32_t outermost = rx_emit_split(emitter, 0, 0);
    uint32_t outer = outermost;
    for (; !emitter->error; count--) {
        const uint32_t body = compile_copy(emitter, repeat, repeat->min + count, next);
        if (count == 1) {
            choose(emitter, repeat, outer, body, next);
            break;
        }
        const uint32_t inner = rx_emit_split(emitter, 0, 0);
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
        const uint32_t at = rx_emit_split(emitter, 0, 0);
        choose(emitter, repeat, at, compile_copy(emitter, repeat, repeat->min + count, entry), next);
        entry = at;
    }
    return entry;
}

uint32_t rx_compile_repeat(RxEmitter *emitter, const RxNode *node, uint32_t next)
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
