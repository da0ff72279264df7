#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "emit.h"

enum { STATES_MAX = 1 << 18, WORK_MAX = 1 << 22 };

static const char too_big[] = "Regular expression too big";

uint32_t rx_emit(RxEmitter *emitter, RxState state)
{
    RxProgram *program = emitter->program;
    if (program->state_count >= emitter->state_limit)
        emitter->error = too_big;
    else if (!rx_grow(&program->states, &program->state_capacity, program->state_count + 1, sizeof state))
        emitter->error = "Memory exhausted";
    if (emitter->error)
        return RX_DEAD_END;
    program->states[program->state_count] = state;
    return (uint32_t)program->state_count++;
}

uint32_t rx_emit_split(RxEmitter *emitter, uint32_t a, uint32_t b)
{
    return rx_emit(emitter, (RxState){ .op = RX_OP_SPLIT, .a = a, .b = b });
}

bool rx_over_bytes(const RxEmitter *emitter)
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
    if (!rx_over_bytes(emitter)) {
        RxProgram *program = emitter->program;
        if (!rx_grow(&program->sets, &program->set_capacity, program->set_count + 1, sizeof *program->sets)) {
            emitter->error = "Memory exhausted";
            return RX_DEAD_END;
        }
        program->sets[program->set_count] = members_of(set);
        return rx_emit(emitter, (RxState){ .op = RX_OP_SET, .a = next, .b = (uint32_t)program->set_count++ });
    }
    RxBranch few[8], *branches = set->count <= 8 ? few : malloc(set->count * sizeof *branches);
    if (!branches) {
        emitter->error = "Memory exhausted";
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
    uint32_t entry = rx_compile_node(emitter, part, next);
    bool empty_first = part->kind == RX_EMPTY && emitter->options.purpose != RX_PROGRAM_PERL;
    while ((part = part->next)) {
        const uint32_t other = rx_compile_node(emitter, part, next);
        /* glibc tries an empty first alternative last. */
        entry = empty_first ? rx_emit_split(emitter, other, entry) : rx_emit_split(emitter, entry, other);
        empty_first = false;
    }
    return entry;
}

uint32_t rx_compile_group(RxEmitter *emitter, const RxNode *node, uint32_t next, bool optional)
{
    if (emitter->options.purpose == RX_PROGRAM_SEARCH)
        return rx_compile_node(emitter, node->first, next);
    RxState save = { .op = RX_OP_SAVE, .kind = optional, .a = next, .b = 2 * node->index + 1 };
    if (emitter->program->groups < node->index)
        emitter->program->groups = node->index;
    save.a = rx_emit(emitter, save);
    save.a = rx_compile_node(emitter, node->first, save.a);
    save.b--;
    return rx_emit(emitter, save);
}

static uint32_t compile_assert(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    if (node->index == RX_TEXT_END_LINE && rx_over_bytes(emitter)) {
        emitter->program->approximate = true;
        return next;
    }
    emitter->program->asserts = true;
    if (node->index >= RX_WORD_START && node->index <= RX_NO_WORD_AFTER)
        emitter->program->word_asserts = true;
    return rx_emit(emitter, (RxState){ .op = RX_OP_ASSERT, .kind = (uint8_t)node->index, .a = next });
}

/* Any number of bytes that do not end a line.  Arcs are in the order of their bytes. */
uint32_t rx_compile_anything(RxEmitter *emitter, uint32_t next)
{
    const uint32_t end = emitter->options.line_end, at = rx_emit_split(emitter, 0, next);
    RxArc arcs[2] = { { 0, 255, at } };
    size_t count = 1;
    if (end == 0)
        arcs[0].lo = 1;
    else if (end != RX_NOTHING) {
        arcs[0].hi = (uint8_t)(end - 1);
        arcs[count++] = (RxArc){ (uint8_t)(end + 1), 255, at };
    }
    const uint32_t any = rx_emit_arcs(emitter, arcs, count);
    if (!emitter->error)
        emitter->program->states[at].a = any;
    emitter->program->approximate = true;
    return at;
}

static uint32_t compile_backref(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    if (rx_over_bytes(emitter))
        return rx_compile_anything(emitter, next);
    return rx_emit(emitter, (RxState){ .op = RX_OP_BACKREF, .kind = node->fold, .a = next, .b = node->index });
}

/* A part whose choices are cut off once it matched: an atomic group, a look ahead or behind. */
static uint32_t compile_cut(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    if (rx_over_bytes(emitter)) {
        emitter->program->approximate = true;
        return node->kind == RX_ATOMIC ? rx_compile_node(emitter, node->first, next) : next;
    }
    RxState begin = { .op = RX_OP_BEGIN, .kind = RX_CUT_ATOMIC, .b = emitter->program->registers++, .c = next };
    if (node->kind == RX_LOOK)
        begin.kind = node->negative ? RX_CUT_LOOK_NOT : RX_CUT_LOOK;
    const uint32_t done = rx_emit(emitter, (RxState){ .op = RX_OP_DONE, .kind = begin.kind, .a = next, .b = begin.b });
    begin.a = rx_compile_node(emitter, node->first, done);
    return rx_emit(emitter, begin);
}

uint32_t rx_compile_node(RxEmitter *emitter, const RxNode *node, uint32_t next)
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
            next = rx_compile_node(emitter, part, next);
        return next;
    case RX_ALT: return compile_alternatives(emitter, node, next);
    case RX_REPEAT: return rx_compile_repeat(emitter, node, next);
    case RX_GROUP: return rx_compile_group(emitter, node, next, false);
    case RX_ASSERT: return compile_assert(emitter, node, next);
    case RX_BACKREF: return compile_backref(emitter, node, next);
    case RX_CALL: return rx_compile_call(emitter, node, next);
    case RX_TRIE: return rx_compile_trie(emitter, node->trie, next);
    case RX_LOOK: case RX_ATOMIC: return compile_cut(emitter, node, next);
    case RX_BACK: return rx_over_bytes(emitter) ? next
                         : rx_emit(emitter, (RxState){ .op = RX_OP_BACK, .a = next, .b = node->index });
    case RX_KEEP: return rx_over_bytes(emitter) ? next : rx_emit(emitter, (RxState){ .op = RX_OP_KEEP, .a = next });
    }
    return RX_DEAD_END;
}

bool rx_compile(RxProgram *program, const RxNode *tree, RxCompileOptions options, const char **error)
{
    *program = (RxProgram){ 0 };
    RxEmitter emitter = { .program = program, .options = options, .tree = tree, .state_limit = STATES_MAX };
    emitter.arcs = rx_arc_tree_new();
    if (!emitter.arcs)
        emitter.error = "Memory exhausted";
    if (!emitter.error)
        rx_emit(&emitter, (RxState){ .op = RX_OP_ARCS }); /* RX_DEAD_END */
    if (!emitter.error)
        rx_emit(&emitter, (RxState){ .op = RX_OP_MATCH }); /* RX_ACCEPT */
    program->start = rx_compile_node(&emitter, tree, RX_ACCEPT);
    rx_compile_called(&emitter);
    rx_arc_tree_free(emitter.arcs);
    *error = emitter.error;
    return !emitter.error;
}

uint32_t rx_target(const RxProgram *program, const RxState *state, uint8_t byte)
{
    uint32_t low = state->a, high = state->a + state->b;
    if (state->b == 1)
        return program->arcs[low].lo <= byte && byte <= program->arcs[low].hi ? program->arcs[low].to : RX_DEAD_END;
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
    free(program->calls);
    *program = (RxProgram){ 0 };
}
