/* Calls of groups: each group that is called has a copy that ends in RX_OP_RETURN. */
#include <stdlib.h>

#include "emit.h"

/* Marks of program->calls where there is no copy yet. */
enum { NOT_CALLED = RX_DEAD_END, TO_COMPILE = RX_ACCEPT };

/* The first group of that number, NULL if there is none below. */
static const RxNode *find_group(const RxNode *node, unsigned index)
{
    if (node->kind == RX_GROUP && node->index == index)
        return node;
    for (const RxNode *part = node->first; part; part = part->next) {
        const RxNode *found = find_group(part, index);
        if (found)
            return found;
    }
    return NULL;
}

static unsigned highest_group(const RxNode *node)
{
    unsigned highest = node->kind == RX_GROUP ? node->index : 0;
    for (const RxNode *part = node->first; part; part = part->next) {
        const unsigned inside = highest_group(part);
        highest = inside > highest ? inside : highest;
    }
    return highest;
}

uint32_t rx_compile_call(RxEmitter *emitter, const RxNode *node, uint32_t next)
{
    RxProgram *program = emitter->program;
    if (rx_over_bytes(emitter))
        return rx_compile_anything(emitter, next);
    if (!program->calls) {
        program->groups = highest_group(emitter->tree);
        program->calls = calloc(program->groups + 1u, sizeof *program->calls);
    }
    if (!program->calls) {
        emitter->error = "Memory exhausted";
        return RX_DEAD_END;
    }
    if (program->calls[node->index] == NOT_CALLED)
        program->calls[node->index] = TO_COMPILE;
    return rx_emit(emitter, (RxState){ .op = RX_OP_CALL, .a = next, .b = node->index });
}

/* What is compiled may call others. */
void rx_compile_called(RxEmitter *emitter)
{
    RxProgram *program = emitter->program;
    for (bool more = program->calls != NULL; more;) {
        more = false;
        for (unsigned index = 0; index <= program->groups && !emitter->error; index++) {
            if (program->calls[index] != TO_COMPILE)
                continue;
            const RxNode *called = index ? find_group(emitter->tree, index) : emitter->tree;
            const uint32_t back = rx_emit(emitter, (RxState){ .op = RX_OP_RETURN });
            program->calls[index] = called ? rx_compile_node(emitter, called, back) : back;
            more = true;
        }
    }
}
