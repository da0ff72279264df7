/* A backtracking matcher, for what no automaton can do: back-references, and what Perl's syntax has beyond POSIX.
 *
 * Its work is bounded: STEPS_MAX steps in one text (one line, where there are lines), and so many choices kept open.
 */
#ifndef AMLA_REGEX_BACKTRACK_H
#define AMLA_REGEX_BACKTRACK_H

#include "regex.h"
#include "sides.h"

typedef struct {
    uint32_t state;
    uint32_t slot; /* a slot to set back to `place`, or one of the kinds in backtrack.c */
    size_t place;
} RxChoice;

/* A call of a group. */
typedef struct {
    uint32_t back; /* where it goes on */
    size_t outer;  /* the frame around it */
} RxFrame;

typedef struct {
    const RxProgram *program; /* BACKTRACK or PERL */
    const RxSides *sides;
    bool bytes, longest;
    RxText text;
    size_t steps, total; /* of this text; ever */
    size_t *slots;      /* of each group its start and end, and these before the latest try; then registers; then of calls */
    size_t *best;       /* slots of the best match so far */
    size_t slot_count;
    size_t end, best_end;
    bool found;
    RxFrame *frames;    /* of calls, also of those that are over: a choice in one may still be taken */
    size_t *kept;       /* slots of each frame when it began */
    size_t frame_capacity, kept_capacity;
    RxChoice *choices;
    size_t height, capacity;
    AmlaRegexResult failed;
} RxBacktrack;

/* False when memory is short.  Free with rx_backtrack_free() either way.  `longest`: of all matches that start at one
 * place the longest counts, as POSIX has it; else the first found. */
bool rx_backtrack_init(RxBacktrack *backtrack, const RxProgram *program, const RxSides *sides, bool bytes,
                       bool longest);
void rx_backtrack_free(RxBacktrack *backtrack);

/* Start a search: the steps are counted from here. */
void rx_backtrack_begin(RxBacktrack *backtrack, RxText text);

/* Whether there is a match at `start`; MATCH: backtrack->best has it, see rx_backtrack_span(). */
AmlaRegexResult rx_backtrack_at(RxBacktrack *backtrack, size_t start);

AmlaSpan rx_backtrack_span(const RxBacktrack *backtrack, size_t group);

#endif
