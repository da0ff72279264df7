#include "diff.h"

/* A run of changed lines whose first line is the same as the line behind it can as well begin one line later.  Runs that
 * meet become one; then each is put as late as it can be, or beside a run of the other side if it can meet one. */

typedef struct {
    const uint32_t *classes;
    uint8_t *changed, *other; /* relative to the first line compared; a zero lies before and behind */
    ptrdiff_t end;
    ptrdiff_t start, stop;    /* the run */
    ptrdiff_t partner;        /* in the other side, where the run's stop is */
} Run;

static void slide_back(Run *run)
{
    run->changed[--run->start] = 1;
    run->changed[--run->stop] = 0;
    while (run->other[--run->partner])
        continue;
}

/* Returns where the run stops beside a run of the other side; `end` when it never does. */
static ptrdiff_t slide_both_ways(Run *run)
{
    for (;;) {
        const ptrdiff_t length = run->stop - run->start;
        while (run->start > 0 && run->classes[run->start - 1] == run->classes[run->stop - 1]) {
            slide_back(run);
            while (run->start > 0 && run->changed[run->start - 1])
                run->start--;
        }
        ptrdiff_t beside = run->partner > 0 && run->other[run->partner - 1] ? run->stop : run->end;
        while (run->stop < run->end && run->classes[run->start] == run->classes[run->stop]) {
            run->changed[run->start++] = 0;
            run->changed[run->stop++] = 1;
            while (run->stop < run->end && run->changed[run->stop])
                run->stop++;
            while (run->other[++run->partner])
                beside = run->stop;
        }
        if (run->stop - run->start == length)
            return beside;
    }
}

static void shift_side(AmlaDiffSide *side, AmlaDiffSide *other)
{
    Run run = { .classes = side->classes + side->first, .changed = side->changed + side->first,
                .other = other->changed + other->first, .end = (ptrdiff_t)(side->last - side->first) };
    ptrdiff_t at = 0;
    for (;;) {
        for (; at < run.end && !run.changed[at]; at++)
            while (run.other[run.partner++])
                continue;
        if (at == run.end)
            return;
        run.start = run.stop = at;
        while (run.stop < run.end && run.changed[run.stop])
            run.stop++;
        while (run.other[run.partner])
            run.partner++;
        for (const ptrdiff_t beside = slide_both_ways(&run); beside < run.stop;)
            slide_back(&run);
        at = run.stop;
    }
}

void diff_shift(AmlaDiff *diff)
{
    shift_side(&diff->sides[0], &diff->sides[1]);
    shift_side(&diff->sides[1], &diff->sides[0]);
}
