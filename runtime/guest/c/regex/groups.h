/* Which part of a match each group took. */
#ifndef AMLA_REGEX_GROUPS_H
#define AMLA_REGEX_GROUPS_H

#include "dfa.h"

/* A byte read in a state, up to a place with that row, leads there. */
typedef struct {
    uint32_t row, from, to;
    uint8_t byte;
} RxShortcut;

enum { RX_SHORTCUTS = 512 };

typedef struct {
    RxDfa dfa;         /* GROUPS */
    AmlaSpan *spans;   /* of all groups, the whole match first, and a copy to fall back on */
    AmlaSpan *kept;
    size_t span_count;
    uint32_t *seen;    /* for each state: the last place at which it was passed without reading, plus 1 */
    uint32_t *rows;    /* of a block: the row at each place */
    size_t block;      /* places in a block */
    size_t forgotten;  /* how often rows were forgotten when the shortcuts were new */
    RxShortcut shortcuts[RX_SHORTCUTS];
} RxGroups;

/* False when memory is short.  Free with rx_groups_free() either way.  The program has captures. */
bool rx_groups_init(RxGroups *groups, const RxProgram *program, const RxSides *sides);
void rx_groups_free(RxGroups *groups);

/* Fill groups->spans for the match text[start .. end). */
AmlaRegexResult rx_groups_find(RxGroups *groups, RxText text, size_t start, size_t end);

#endif
