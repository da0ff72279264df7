/* What stands behind a handle: the parsed expression, and the machines that run it, each made when first needed. */
#ifndef AMLA_REGEX_MATCHER_H
#define AMLA_REGEX_MATCHER_H

#include "backtrack.h"
#include "groups.h"
#include "literal.h"
#include "regex.h"

struct AmlaRegex {
    unsigned flags, groups;
    bool backtracks;       /* spans need the backtracker; the search program tells where it may be worth a try */
    bool exact;            /* the search program matches what the expression does, no more */
    uint8_t line_end;
    RxArena arena;
    RxNode *tree;
    RxLiteral literal;
    RxSet words;
    RxSides sides;
    RxProgram search, detailed; /* detailed: with captures, for `finder` or `backtrack` */
    RxDfa dfas[RX_DFA_GROUPS];  /* the other kinds, by number */
    bool made[RX_DFA_GROUPS];
    RxGroups *finder;
    RxBacktrack *backtrack;
};

/* All NULL when memory is short. */
RxDfa *rx_machine(AmlaRegex *regex, RxDfaKind kind);
RxGroups *rx_finder(AmlaRegex *regex);
RxBacktrack *rx_backtracker(AmlaRegex *regex);

void rx_machines_free(AmlaRegex *regex);

/* Compile for a purpose; false with *error set. */
bool rx_compile_for(AmlaRegex *regex, RxProgram *program, RxPurpose purpose, const char **error);

#endif
