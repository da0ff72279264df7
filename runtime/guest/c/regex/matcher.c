#include "matcher.h"

#include <stdlib.h>

#include "parser.h"

bool rx_compile_for(AmlaRegex *regex, RxProgram *program, RxPurpose purpose, const char **error)
{
    const RxCompileOptions options = {
        .purpose = purpose,
        .bytes = regex->flags & AMLA_REGEX_BYTES,
        .line_end = rx_line_end(regex->flags),
    };
    return rx_compile(program, regex->tree, options, error);
}

RxDfa *rx_machine(AmlaRegex *regex, RxDfaKind kind)
{
    RxDfa *dfa = &regex->dfas[kind];
    if (!regex->made[kind]) {
        regex->made[kind] = rx_dfa_init(dfa, &regex->search, &regex->sides, kind);
        if (!regex->made[kind])
            rx_dfa_free(dfa);
    }
    return regex->made[kind] ? dfa : NULL;
}

static bool compile_detailed(AmlaRegex *regex, RxPurpose purpose)
{
    const char *error;
    rx_program_free(&regex->detailed);
    return rx_compile_for(regex, &regex->detailed, purpose, &error);
}

RxGroups *rx_finder(AmlaRegex *regex)
{
    if (regex->finder)
        return regex->finder;
    RxGroups *finder = calloc(1, sizeof *finder);
    if (!finder || !compile_detailed(regex, RX_PROGRAM_CAPTURES) ||
        !rx_groups_init(finder, &regex->detailed, &regex->sides)) {
        if (finder)
            rx_groups_free(finder);
        free(finder);
        return NULL;
    }
    return regex->finder = finder;
}

RxBacktrack *rx_backtracker(AmlaRegex *regex)
{
    if (regex->backtrack)
        return regex->backtrack;
    const bool perl = regex->flags & AMLA_REGEX_PERL;
    RxBacktrack *backtrack = calloc(1, sizeof *backtrack);
    if (!backtrack || !compile_detailed(regex, perl ? RX_PROGRAM_PERL : RX_PROGRAM_BACKTRACK) ||
        !rx_backtrack_init(backtrack, &regex->detailed, &regex->sides, regex->flags & AMLA_REGEX_BYTES, !perl)) {
        if (backtrack)
            rx_backtrack_free(backtrack);
        free(backtrack);
        return NULL;
    }
    return regex->backtrack = backtrack;
}

void rx_machines_free(AmlaRegex *regex)
{
    if (regex->finder)
        rx_groups_free(regex->finder);
    free(regex->finder);
    if (regex->backtrack)
        rx_backtrack_free(regex->backtrack);
    free(regex->backtrack);
    for (unsigned kind = 0; kind < RX_DFA_GROUPS; kind++)
        if (regex->made[kind])
            rx_dfa_free(&regex->dfas[kind]);
    rx_program_free(&regex->search);
    rx_program_free(&regex->detailed);
}
