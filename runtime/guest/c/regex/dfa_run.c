/* A DFA over a text. */
#include "cells.h"
#include "dfa.h"

enum { STRETCH = 1 << 16 }; /* bytes between two polls */

/* Where a run is, and what it has found. */
typedef struct {
    RxText text;
    size_t at;
    uint32_t row;
    bool idle;   /* the row is that of an idle state */
    bool found;
    size_t last; /* the place where it was last found */
} Run;

static bool interrupted(RxDfa *dfa)
{
    if (amla_interrupted())
        dfa->failed = AMLA_REGEX_INTERRUPTED;
    return dfa->failed;
}

/* A transition led to `at`, by which something special is met.  Whether the run may just go on from there. */
static bool take(Run *run, uint32_t next, size_t at, bool to_first)
{
    if (next & RX_MATCHES) {
        run->found = true;
        run->last = at;
    }
    run->idle = next & RX_IDLE;
    run->row = next == RX_DEAD ? RX_DEAD : next & RX_ROW;
    run->at = at;
    return run->row != RX_DEAD && !run->idle && !(to_first && run->found);
}

static void stay(Run *run, uint32_t row, size_t at)
{
    run->row = row;
    run->at = at;
}

/* Forward by known transitions up to `stop`, or to a match if the first one ends the run. */
static void follow(const RxDfa *dfa, Run *run, size_t stop, bool to_first)
{
    const uint32_t *const rows = dfa->rows, *const symbols = dfa->symbols;
    const uint8_t *const bytes = run->text.bytes;
    uint32_t row = run->row;
    size_t at = run->at;
    for (; at < stop; at++) {
        const uint32_t next = rows[row + symbols[bytes[at]]];
        if ((int32_t)next > 0) {
            row = next;
            continue;
        }
        if (next == RX_UNKNOWN || !take(run, next, at + 1, to_first)) {
            if (next == RX_UNKNOWN)
                stay(run, row, at);
            return;
        }
        row = run->row;
    }
    stay(run, row, at);
}

/* The same for programs with conditions on places, while bytes alone tell their sides and one more follows. */
static void follow_sides(const RxDfa *dfa, Run *run, size_t stop, bool to_first)
{
    const uint32_t *const rows = dfa->rows, *const symbols = dfa->symbols;
    const uint8_t *const bytes = run->text.bytes, *const sides = dfa->sides->of;
    uint32_t row = run->row;
    size_t at = run->at;
    if (stop == run->text.length)
        stop--;
    for (; at < stop; at++) {
        const uint8_t side = sides[bytes[at + 1]];
        if (side == RX_SIDES || sides[bytes[at]] == RX_SIDES)
            break;
        const uint32_t next = rows[row + symbols[bytes[at]] + side];
        if ((int32_t)next > 0) {
            row = next;
            continue;
        }
        if (next == RX_UNKNOWN || !take(run, next, at + 1, to_first)) {
            if (next == RX_UNKNOWN)
                stay(run, row, at);
            return;
        }
        row = run->row;
    }
    stay(run, row, at);
}

/* One byte, by a transition that may have to be made. */
static void advance(RxDfa *dfa, Run *run, bool to_first)
{
    const uint32_t symbol = rx_dfa_symbol(dfa, run->text, run->at, run->at + 1), next = dfa->rows[run->row + symbol];
    take(run, next ? next : rx_dfa_step(dfa, run->row, symbol), run->at + 1, to_first);
}

/* From an idle state on to where a match can begin; gives scanning up where that is nearly everywhere. */
static void scan(RxDfa *dfa, Run *run, size_t stop)
{
    enum { TRIES = 64, TOO_NEAR = 12 };
    const size_t from = run->at;
    run->at = rx_scan(&dfa->scan, run->text.bytes, run->text.length, from, stop);
    dfa->skipped += run->at - from;
    if (++dfa->scans == TRIES) {
        if (dfa->skipped < TRIES * TOO_NEAR)
            rx_dfa_stop_scanning(dfa);
        dfa->scans = dfa->skipped = 0;
    }
    take(run, rx_dfa_start_at(dfa, run->text, run->at), run->at, false);
    run->idle = false;
}

static void forward(RxDfa *dfa, Run *run)
{
    const bool to_first = dfa->kind == RX_DFA_ANY;
    for (size_t poll = run->at + STRETCH; run->row != RX_DEAD && run->at < run->text.length;) {
        const size_t stop = run->text.length < poll ? run->text.length : poll;
        if (run->idle)
            scan(dfa, run, stop);
        else if (dfa->program->asserts)
            follow_sides(dfa, run, stop, to_first);
        else
            follow(dfa, run, stop, to_first);
        if (run->at >= poll) {
            if (interrupted(dfa))
                return;
            poll = run->at + STRETCH;
        }
        if (run->row != RX_DEAD && !run->idle && run->at < run->text.length && !(to_first && run->found))
            advance(dfa, run, to_first);
        if (to_first && run->found)
            return;
    }
}

static Run start_run(RxDfa *dfa, RxText text, size_t at)
{
    dfa->failed = AMLA_REGEX_NONE;
    Run run = { .text = text };
    take(&run, rx_dfa_start_at(dfa, text, at), at, false);
    return run;
}

static AmlaRegexResult result_of(const RxDfa *dfa, const Run *run, size_t *place)
{
    if (dfa->failed)
        return dfa->failed;
    *place = run->found ? run->last : *place;
    return run->found ? AMLA_REGEX_MATCH : AMLA_REGEX_NONE;
}

AmlaRegexResult rx_dfa_forward(RxDfa *dfa, RxText text, size_t from, size_t *end)
{
    Run run = start_run(dfa, text, from);
    if (!run.found || dfa->kind != RX_DFA_ANY)
        forward(dfa, &run);
    return result_of(dfa, &run, end);
}

AmlaRegexResult rx_dfa_backward(RxDfa *dfa, RxText text, size_t from, size_t end, size_t *start)
{
    Run run = start_run(dfa, text, end);
    while (run.row != RX_DEAD && run.at > from) {
        if (run.at % STRETCH == 0 && interrupted(dfa))
            break;
        run.at--;
        const uint32_t symbol = rx_dfa_symbol(dfa, text, run.at, run.at - 1);
        const uint32_t next = dfa->rows[run.row + symbol];
        if ((int32_t)next > 0)
            run.row = next;
        else
            take(&run, next ? next : rx_dfa_step(dfa, run.row, symbol), run.at, false);
    }
    return result_of(dfa, &run, start);
}
