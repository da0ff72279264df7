/* A DFA over a text. */
#include "cells.h"
#include "dfa.h"

enum { STRETCH = 1 << 16 }; /* bytes between two polls */

/* The side of the byte at `at`, if anyone asks. */
static RxSide side_at(const RxDfa *dfa, RxText text, size_t at)
{
    return dfa->program->asserts ? rx_side(dfa->sides, text, at) : RX_OTHER;
}

/* Follow known transitions from *row while nothing is to be noted; where that ends. */
static size_t follow(const RxDfa *dfa, const uint8_t *bytes, size_t at, size_t stop, uint32_t *row)
{
    const uint32_t *const rows = dfa->rows;
    const uint8_t *const classes = dfa->classes;
    uint32_t current = *row;
    for (; at < stop; at++) {
        const uint32_t next = rows[current + classes[bytes[at]]];
        if ((int32_t)next <= 0)
            break;
        current = next;
    }
    *row = current;
    return at;
}

/* The same for programs with conditions on places. */
static size_t follow_sides(const RxDfa *dfa, RxText text, size_t at, size_t stop, uint32_t *row)
{
    RxSide own = at < stop ? side_at(dfa, text, at) : RX_EDGE;
    for (; at < stop; at++) {
        const RxSide other = side_at(dfa, text, at + 1);
        const uint32_t next = dfa->rows[*row + rx_dfa_symbol(dfa, text.bytes[at], own, other)];
        if ((int32_t)next <= 0)
            break;
        *row = next;
        own = other;
    }
    return at;
}

static uint32_t forward_symbol(const RxDfa *dfa, RxText text, size_t at)
{
    return rx_dfa_symbol(dfa, text.bytes[at], side_at(dfa, text, at), side_at(dfa, text, at + 1));
}

static bool interrupted(RxDfa *dfa)
{
    if (amla_interrupted())
        dfa->failed = AMLA_REGEX_INTERRUPTED;
    return dfa->failed;
}

/* On from `at` until no match is possible any more; *end is moved along. */
static bool forward(RxDfa *dfa, RxText text, size_t at, uint32_t row, size_t *end)
{
    bool found = false;
    for (size_t poll = at + STRETCH; row != RX_DEAD;) {
        if (row & RX_NOTE) {
            found = true;
            *end = at;
            if (dfa->kind == RX_DFA_ANY)
                return true;
            row &= ~RX_NOTE;
        }
        const size_t stop = text.length < poll ? text.length : poll;
        at = dfa->program->asserts ? follow_sides(dfa, text, at, stop, &row) : follow(dfa, text.bytes, at, stop, &row);
        if (at == text.length)
            break;
        if (at >= poll) {
            if (interrupted(dfa))
                break;
            poll = at + STRETCH;
            continue;
        }
        const uint32_t symbol = forward_symbol(dfa, text, at), next = dfa->rows[row + symbol];
        row = next ? next : rx_dfa_step(dfa, row, symbol);
        at++;
    }
    return found;
}

AmlaRegexResult rx_dfa_forward(RxDfa *dfa, RxText text, size_t from, size_t *end)
{
    dfa->failed = AMLA_REGEX_NONE;
    const uint32_t row = rx_dfa_start(dfa, side_at(dfa, text, from - 1), side_at(dfa, text, from));
    const bool found = forward(dfa, text, from, row, end);
    return dfa->failed ? dfa->failed : found ? AMLA_REGEX_MATCH : AMLA_REGEX_NONE;
}

AmlaRegexResult rx_dfa_backward(RxDfa *dfa, RxText text, size_t from, size_t end, size_t *start)
{
    dfa->failed = AMLA_REGEX_NONE;
    bool found = false;
    uint32_t row = rx_dfa_start(dfa, side_at(dfa, text, end - 1), side_at(dfa, text, end));
    for (size_t at = end; row != RX_DEAD; at--) {
        if (row & RX_NOTE) {
            found = true;
            *start = at;
            row &= ~RX_NOTE;
        }
        if (at == from || (at % STRETCH == 0 && interrupted(dfa)))
            break;
        const uint32_t symbol =
            rx_dfa_symbol(dfa, text.bytes[at - 1], side_at(dfa, text, at - 1), side_at(dfa, text, at - 2));
        const uint32_t next = dfa->rows[row + symbol];
        row = next ? next : rx_dfa_step(dfa, row, symbol);
    }
    return dfa->failed ? dfa->failed : found ? AMLA_REGEX_MATCH : AMLA_REGEX_NONE;
}
