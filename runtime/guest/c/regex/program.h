/* A regular expression as a nondeterministic automaton.
 *
 * There are two kinds: one over bytes, where a character is a path through RX_OP_ARCS, for the lazy DFAs; and one over
 * characters (RX_OP_SET), for the backtracker.  The former may leave captures out.
 */
#ifndef AMLA_REGEX_PROGRAM_H
#define AMLA_REGEX_PROGRAM_H

#include "tree.h"

typedef enum {
    RX_OP_ARCS,    /* one byte: arcs[a .. a + b); none: a dead end */
    RX_OP_SPLIT,   /* on to a, or else to b */
    RX_OP_SAVE,    /* on to a; b is 2 * group, plus 1 at its end; `kind` is set inside an optional repetition */
    RX_OP_ASSERT,  /* on to a if the RxAssert `kind` holds here */
    RX_OP_MATCH,
    RX_OP_SET,     /* one character of sets[b], on to a */
    RX_OP_BACKREF, /* what group b matched, on to a; `kind`: case does not matter */
    RX_OP_PROGRESS, /* on to a unless nothing was read since register b was set */
    RX_OP_MARK,    /* set register b to this place, on to a */
    RX_OP_BACK,    /* b characters back, on to a */
    RX_OP_KEEP,    /* the match begins here; on to a */
    RX_OP_BEGIN,   /* the next RX_OP_DONE cuts off all choices since: on to a; `kind` is an RxCut, b its register */
    RX_OP_CALL,    /* on to calls[b], and from its RX_OP_RETURN to a, with all groups as they were */
    RX_OP_RETURN,
    RX_OP_DONE,    /* cut back to the RX_OP_BEGIN with register b; on to a */
} RxOp;

typedef enum { RX_CUT_ATOMIC, RX_CUT_LOOK, RX_CUT_LOOK_NOT } RxCut;

typedef struct {
    uint8_t op, kind;
    uint32_t a, b;
    uint32_t c; /* RX_OP_BEGIN: where to go on if the part of a negative look does not match */
} RxState;

typedef struct {
    uint8_t lo, hi;
    uint32_t to;
} RxArc;

/* A set, and which characters of ASCII are in it, a bit each. */
typedef struct {
    const RxSet *all;
    uint32_t ascii[4];
} RxMembers;

/* The first two states of every program: a dead end, and the match. */
enum { RX_DEAD_END = 0, RX_ACCEPT = 1 };

typedef struct {
    RxState *states;
    RxArc *arcs;
    RxMembers *sets;
    size_t state_count, state_capacity, arc_count, arc_capacity, set_count, set_capacity;
    uint32_t start;
    uint32_t *calls;    /* by number of a group, the entry of its copy that ends in RX_OP_RETURN; NULL without RX_OP_CALL */
    unsigned groups;    /* highest number */
    unsigned registers; /* of RX_OP_MARK and RX_OP_BEGIN */
    bool asserts, word_asserts; /* there is any; one that asks for words */
    bool approximate;   /* matches more than the expression does: back-references as anything, looks not made */
} RxProgram;

typedef enum {
    RX_PROGRAM_SEARCH,    /* bytes, no captures */
    RX_PROGRAM_CAPTURES,  /* bytes, captures, choices in the order that glibc prefers them */
    RX_PROGRAM_BACKTRACK, /* characters, choices as glibc prefers them */
    RX_PROGRAM_PERL,      /* characters, choices as Perl prefers them */
} RxPurpose;

typedef struct {
    RxPurpose purpose;
    bool bytes;        /* every byte is a character */
    uint32_t line_end; /* what no match contains, or RX_NOTHING */
} RxCompileOptions;

#define RX_NOTHING UINT32_MAX

/* Compile; false with *error set when it grows too big or memory runs out.  Free with rx_program_free() either way. */
bool rx_compile(RxProgram *program, const RxNode *tree, RxCompileOptions options, const char **error);

void rx_program_free(RxProgram *program);

/* Where the byte leads from a state of arcs; RX_DEAD_END for nowhere. */
uint32_t rx_target(const RxProgram *program, const RxState *state, uint8_t byte);

/* Where a state goes on that reads nothing, in order of preference; how many (0 to 2). */
static inline unsigned rx_ways(const RxState *state, uint32_t ways[2])
{
    ways[0] = state->a;
    ways[1] = state->b;
    if (state->op == RX_OP_SPLIT)
        return state->a == state->b ? 1 : 2;
    return state->op == RX_OP_SAVE || state->op == RX_OP_ASSERT;
}

#endif
