#include "charset.h"

#include <stdlib.h>
#include <string.h>

void rx_set_add(RxArena *arena, RxSet *set, uint32_t lo, uint32_t hi)
{
    if (set->count && set->ranges[set->count - 1].hi + 1 == lo) {
        set->ranges[set->count - 1].hi = hi;
        return;
    }
    if (set->count == set->capacity) {
        const uint32_t capacity = set->capacity ? set->capacity * 2 : 2;
        RxRange *ranges = rx_alloc(arena, capacity * sizeof(RxRange));
        if (!ranges)
            return;
        if (set->count)
            memcpy(ranges, set->ranges, set->count * sizeof(RxRange));
        set->ranges = ranges;
        set->capacity = capacity;
    }
    set->ranges[set->count++] = (RxRange){ lo, hi };
}

void rx_set_add_all(RxArena *arena, RxSet *set, const RxSet *more)
{
    for (uint32_t i = 0; i < more->count; i++)
        rx_set_add(arena, set, more->ranges[i].lo, more->ranges[i].hi);
}

static int by_start(const void *left, const void *right)
{
    const uint32_t a = ((const RxRange *)left)->lo, b = ((const RxRange *)right)->lo;
    return (a > b) - (a < b);
}

void rx_set_tidy(RxSet *set)
{
    if (set->count < 2)
        return;
    qsort(set->ranges, set->count, sizeof(RxRange), by_start);
    uint32_t kept = 0;
    for (uint32_t i = 1; i < set->count; i++) {
        RxRange *last = &set->ranges[kept];
        const RxRange range = set->ranges[i];
        if (range.lo > last->hi + 1)
            set->ranges[++kept] = range;
        else if (range.hi > last->hi)
            last->hi = range.hi;
    }
    set->count = kept + 1;
}

bool rx_set_has(const RxSet *set, uint32_t c)
{
    uint32_t low = 0, high = set->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (set->ranges[middle].hi < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->ranges[low].lo <= c;
}

/* Add lo..hi without what `set` has in it. */
static void add_gaps(RxArena *arena, RxSet *result, const RxSet *set, uint32_t lo, uint32_t hi)
{
    for (uint32_t i = 0; i < set->count && lo <= hi; i++) {
        const RxRange range = set->ranges[i];
        if (range.hi < lo)
            continue;
        if (range.lo > hi)
            break;
        if (range.lo > lo)
            rx_set_add(arena, result, lo, range.lo - 1);
        lo = range.hi + 1;
    }
    if (lo <= hi)
        rx_set_add(arena, result, lo, hi);
}

void rx_set_invert(RxArena *arena, RxSet *set, bool bytes)
{
    RxSet result = { 0 };
    if (bytes) {
        add_gaps(arena, &result, set, 0, 0xff);
    } else {
        add_gaps(arena, &result, set, 0, 0xd7ff);
        add_gaps(arena, &result, set, 0xe000, RX_LAST);
    }
    *set = result;
}

void rx_set_remove(RxArena *arena, RxSet *set, uint32_t c)
{
    if (!rx_set_has(set, c))
        return;
    RxSet result = { 0 };
    RxRange gone_range = { c, c };
    const RxSet gone = { &gone_range, 1, 1 };
    for (uint32_t i = 0; i < set->count; i++)
        add_gaps(arena, &result, &gone, set->ranges[i].lo, set->ranges[i].hi);
    *set = result;
}
