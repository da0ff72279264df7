/* Building a program from its end to its start: every state is made after those that it leads to. */
#ifndef AMLA_REGEX_EMIT_H
#define AMLA_REGEX_EMIT_H

#include "program.h"

typedef struct RxArcTree RxArcTree;

typedef struct {
    RxProgram *program;
    RxCompileOptions options;
    RxArcTree *arcs;   /* see arcs.c */
    size_t state_limit;
    size_t work;       /* nodes visited: repetitions of nothing make no states */
    const RxNode *tree; /* the whole */
    bool copied;       /* inside a second or later copy of something repeated */
    const char *error;
} RxEmitter;

/* The number of the new state; RX_DEAD_END, with the error noted, when there are too many or memory is short. */
uint32_t rx_emit(RxEmitter *emitter, RxState state);

uint32_t rx_emit_split(RxEmitter *emitter, uint32_t a, uint32_t b);

/* Whether the program is over bytes, not characters. */
bool rx_over_bytes(const RxEmitter *emitter);

/* The entry of what matches `node` and then goes on to `next`. */
uint32_t rx_compile_node(RxEmitter *emitter, const RxNode *node, uint32_t next);
uint32_t rx_compile_group(RxEmitter *emitter, const RxNode *node, uint32_t next, bool optional);
uint32_t rx_compile_repeat(RxEmitter *emitter, const RxNode *node, uint32_t next);
uint32_t rx_compile_call(RxEmitter *emitter, const RxNode *node, uint32_t next);
uint32_t rx_compile_anything(RxEmitter *emitter, uint32_t next);
uint32_t rx_compile_trie(RxEmitter *emitter, const RxTrie *trie, uint32_t next);

/* Compile what RX_OP_CALL leads to. */
void rx_compile_called(RxEmitter *emitter);

/* Arcs for one node of a tree over bytes: same bytes, same targets, same state. */
uint32_t rx_emit_arcs(RxEmitter *emitter, const RxArc *arcs, size_t count);

/* Characters lo..hi lead to `to`. */
typedef struct {
    uint32_t lo, hi, to;
} RxBranch;

/* A state that reads one character, given ranges sorted and disjoint. */
uint32_t rx_emit_branches(RxEmitter *emitter, const RxBranch *branches, size_t count);

RxArcTree *rx_arc_tree_new(void);
void rx_arc_tree_free(RxArcTree *tree);

#endif
