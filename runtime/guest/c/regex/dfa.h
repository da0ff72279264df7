/* Deterministic automata, made while they run.
 *
 * A state of the DFA is a set of states of a program; the transitions of those met so far are kept in rows, and when
 * they take too much memory all are forgotten.  So a byte costs one look-up, or at worst one pass over the program:
 * time is linear in the text whatever the expression.
 *
 * Four kinds run:
 *   ANY       forward from any place on: is there a match?  It stops at the end of the first that ends.
 *   LONGEST   forward from any place on: the end of the leftmost, longest match.  Its sets are lists of sets, one for
 *             each start still possible, the earliest first, each without what an earlier one has.  When one of them
 *             matches, later starts are dropped.
 *   BACKWARD  back from the end of a match: its start.
 *   GROUPS    back over a match: which states can lead to its end from each place; a state keeps all of them.
 *
 * If the program has conditions on places, a transition also depends on what comes next (see symbol()).
 */
#ifndef AMLA_REGEX_DFA_H
#define AMLA_REGEX_DFA_H

#include "regex.h"
#include "scan.h"
#include "sides.h"

typedef enum { RX_DFA_ANY, RX_DFA_LONGEST, RX_DFA_BACKWARD, RX_DFA_GROUPS } RxDfaKind;

typedef struct {
    uint32_t first, count; /* where its items are in the pool */
    bool searching;        /* a match may still start at a later place */
    bool matches;          /* forward: a match ends here; back: one starts here */
    bool idle;             /* forward: no match has begun yet; where dfa->scanning */
} RxDfaState;

/* Transitions are numbers of rows, which begin at that number of cells, with what is special about their state. */
#define RX_UNKNOWN 0u
#define RX_SPECIAL 0x80000000u /* one of those below; alone: no match is possible any more */
#define RX_MATCHES 0x40000000u
#define RX_IDLE 0x20000000u
#define RX_DEAD RX_SPECIAL
#define RX_ROW 0x1fffffffu

typedef struct {
    uint32_t *offsets; /* sources of state n: sources[offsets[n] .. offsets[n + 1]) */
    uint32_t *sources;
} RxInverse;

typedef struct {
    const RxProgram *program;
    const RxSides *sides;
    RxDfaKind kind;
    bool anchored;         /* matches start at the start of the text only */
    bool line_anchored;    /* … of lines only */
    uint8_t members[256];  /* bytes that the program does not tell apart are one class: one byte of each */
    unsigned class_count, variants;
    uint32_t symbols[256]; /* of a byte, as far as it alone decides: see rx_dfa_symbol() */
    bool scanning;         /* idle states look for the next place where a match can begin */
    RxScan scan;
    size_t scans, skipped; /* how often they did, and bytes passed so */
    size_t stride;         /* length of a row */
    uint32_t *rows;
    size_t row_count, row_capacity; /* both in cells */
    RxDfaState *states;    /* that of row r is number r / stride */
    size_t state_capacity;
    uint32_t *pool;        /* items of the states */
    size_t pool_count, pool_capacity;
    uint32_t *table;       /* hash table of rows */
    size_t table_size;
    uint32_t starts[RX_SIDES + 1][RX_SIDES + 1];
    RxInverse steps, arcs; /* backward kinds: who leads here without reading, and by which arc */
    uint32_t *visited;     /* a sparse set of program states: visited[0..visited_count) and where each is in it */
    uint32_t *place;
    size_t visited_count;
    uint32_t *stack;
    uint32_t *items;       /* of the state in the making */
    size_t item_count;
    bool pinned;           /* rows must not be forgotten now */
    size_t forgotten;      /* how often they were */
    size_t work;
    AmlaRegexResult failed; /* INTERRUPTED or TOO_COMPLEX, once it happened */
} RxDfa;

/* False when memory is short.  Free with rx_dfa_free() either way.  Program and sides are borrowed. */
bool rx_dfa_init(RxDfa *dfa, const RxProgram *program, const RxSides *sides, RxDfaKind kind);
void rx_dfa_free(RxDfa *dfa);

/* Row of the state to start in, at a place with these sides; marked as transitions are.  On failure dfa->failed is set
 * and it is RX_DEAD. */
uint32_t rx_dfa_start(RxDfa *dfa, RxSide left, RxSide right);

/* The symbol that reads the byte at `at`; `beyond` is the place of the byte that comes next in that direction.  It is
 * the byte's class and, if the program asks for sides, that of the byte and the one beyond. */
uint32_t rx_dfa_symbol_by_sides(const RxDfa *dfa, RxText text, size_t at, size_t beyond);

static inline uint32_t rx_dfa_symbol(const RxDfa *dfa, RxText text, size_t at, size_t beyond)
{
    const uint8_t byte = text.bytes[at];
    if (!dfa->program->asserts)
        return dfa->symbols[byte];
    const uint8_t *sides = dfa->sides->of;
    if (beyond < text.length && sides[byte] != RX_SIDES && sides[text.bytes[beyond]] != RX_SIDES)
        return dfa->symbols[byte] + sides[text.bytes[beyond]];
    return rx_dfa_symbol_by_sides(dfa, text, at, beyond);
}

/* The state at a place of the text to start in. */
uint32_t rx_dfa_start_at(RxDfa *dfa, RxText text, size_t at);

/* Make the transition that a row lacks.  May move or forget rows: go on with what it returns. */
uint32_t rx_dfa_step(RxDfa *dfa, uint32_t row, uint32_t symbol);

/* The row of a state with these items, which lie outside of dfa; first forget all rows if `forget`. */
uint32_t rx_dfa_adopt(RxDfa *dfa, const uint32_t *items, uint32_t count, bool forget);

/* Do without scanning: the text is full of beginnings.  Forgets all rows. */
void rx_dfa_stop_scanning(RxDfa *dfa);

/* Bytes that the states take. */
size_t rx_dfa_memory(const RxDfa *dfa);

const RxDfaState *rx_dfa_state(const RxDfa *dfa, uint32_t row);

/* ANY, LONGEST: the end of the match, see above. */
AmlaRegexResult rx_dfa_forward(RxDfa *dfa, RxText text, size_t from, size_t *end);

/* BACKWARD: the leftmost start, not before `from`, of a match that ends at `end`. */
AmlaRegexResult rx_dfa_backward(RxDfa *dfa, RxText text, size_t from, size_t end, size_t *start);

/* For the makers of states: start the next set; add what can be reached from `state` without reading, given the sides. */
void rx_dfa_begin(RxDfa *dfa);
void rx_dfa_reach(RxDfa *dfa, uint32_t state, RxSide left, RxSide right, bool *matches);

/* Sort the items: a set has one spelling. */
void rx_dfa_order(RxDfa *dfa);

/* Forget all rows; false when memory is short. */
bool rx_dfa_forget(RxDfa *dfa);

/* The row of the state whose items were just made, marked as transitions are. */
uint32_t rx_dfa_intern(RxDfa *dfa, RxDfaState next);

/* The items after reading the byte, into dfa->items; whether the state searches and matches. */
void rx_dfa_advance(RxDfa *dfa, const RxDfaState *state, uint8_t byte, RxSide left, RxSide right, RxDfaState *next);

/* Fill in dfa->scan, and set dfa->scanning if it is of use.  False when memory is short. */
bool rx_dfa_prepare_scan(RxDfa *dfa);

/* The tables of a backward kind. */
bool rx_dfa_invert(RxDfa *dfa);

/* Separates the sets of LONGEST. */
#define RX_MARK UINT32_MAX

#endif
