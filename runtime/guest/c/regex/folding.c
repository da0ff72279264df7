#include "charset.h"
#include "case_tables.h"

uint32_t rx_upper(uint32_t c)
{
    if (c < 0x80)
        return c - 'a' < 26 ? c - 32 : c;
    size_t low = 0, high = sizeof rx_case_runs / sizeof *rx_case_runs;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (rx_case_runs[middle].last < c)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == sizeof rx_case_runs / sizeof *rx_case_runs)
        return c;
    const RxCaseRun *run = &rx_case_runs[low];
    return c >= run->first && (c - run->first) % run->stride == 0 ? c + (uint32_t)run->delta : c;
}

enum { DOTLESS_I = 0x131 }; /* its capital is I, but it does not fold with i */

/* Capitals that are nobody's capital, with the letter that folds as they do. */
static const uint32_t lone_capitals[][2] = {
    { 0x3f4, 0x3b8 }, { 0x1e9e, 0xdf }, { 0x2126, 0x3c9 }, { 0x212a, 'k' }, { 0x212b, 0xe5 },
};

static void fold_ascii(RxArena *arena, RxSet *set)
{
    RxSet after = { 0 };
    rx_set_add_all(arena, &after, set);
    for (uint32_t c = 'A'; c <= 'Z'; c++) {
        if (rx_set_has(set, c))
            rx_set_add(arena, &after, c + 32, c + 32);
        if (rx_set_has(set, c + 32))
            rx_set_add(arena, &after, c, c);
    }
    rx_set_tidy(&after);
    *set = after;
}

/* Add to `after` the images of lo..hi, which a run maps by adding `delta`. */
static void add_images(RxArena *arena, RxSet *after, const RxCaseRun *run, RxRange range, bool down)
{
    const uint32_t delta = down ? -(uint32_t)run->delta : (uint32_t)run->delta;
    const uint32_t first = down ? run->first - delta : run->first, last = down ? run->last - delta : run->last;
    if (range.hi < first || range.lo > last)
        return;
    uint32_t c = first;
    if (range.lo > first)
        c += (range.lo - first + run->stride - 1) / run->stride * run->stride;
    for (; c <= last && c <= range.hi; c += run->stride)
        rx_set_add(arena, after, c + delta, c + delta);
}

/* Add the capitals of all small letters in the set; with `down`, the small letters of all capitals. */
static void fold_runs(RxArena *arena, RxSet *set, RxFold fold, bool down)
{
    RxSet after = { 0 };
    rx_set_add_all(arena, &after, set);
    for (size_t i = 0; i < sizeof rx_case_runs / sizeof *rx_case_runs; i++)
        for (uint32_t k = 0; k < set->count; k++)
            if (fold == RX_FOLD_UPPER || rx_case_runs[i].first != DOTLESS_I)
                add_images(arena, &after, &rx_case_runs[i], set->ranges[k], down);
    rx_set_tidy(&after);
    *set = after;
}

static void fold_lone_capitals(RxArena *arena, RxSet *set)
{
    RxSet after = { 0 };
    rx_set_add_all(arena, &after, set);
    for (size_t i = 0; i < sizeof lone_capitals / sizeof *lone_capitals; i++) {
        const uint32_t capital = lone_capitals[i][0], small = lone_capitals[i][1];
        if (rx_set_has(set, capital))
            rx_set_add(arena, &after, small, small);
        else if (rx_set_has(set, small))
            rx_set_add(arena, &after, capital, capital);
    }
    rx_set_tidy(&after);
    *set = after;
}

void rx_set_fold(RxArena *arena, RxSet *set, RxFold fold, bool bytes)
{
    if (bytes) {
        fold_ascii(arena, set);
        return;
    }
    if (fold == RX_FOLD_FULL)
        fold_lone_capitals(arena, set);
    fold_runs(arena, set, fold, false);
    fold_runs(arena, set, fold, true);
    if (fold == RX_FOLD_FULL)
        fold_lone_capitals(arena, set);
}
