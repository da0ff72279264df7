/* Putting lines in the order of their ranks. */
#include <string.h>

#include "cells.h"
#include "sort_ranking.h"

enum { POLL = 1 << 16 };

/* --- merging ----------------------------------------------------------------------------- */

/* from[0..middle) and from[middle..count), each in order, to `to`.  False when interrupted. */
static bool merge(const SortRanking *ranking, const SortLine *from, size_t middle, size_t count, SortLine *to)
{
    size_t left = 0, right = middle, steps = 0;
    if (middle == count || !sort_out_of_order(ranking, &from[middle - 1], &from[middle])) {
        memcpy(to, from, count * sizeof *to);
        return true;
    }
    while (left < middle && right < count) {
        *to++ = sort_out_of_order(ranking, &from[left], &from[right]) ? from[right++] : from[left++];
        if ((++steps & (POLL - 1)) == 0 && amla_interrupted())
            return false;
    }
    memcpy(to, from + left, (middle - left) * sizeof *to);
    memcpy(to + (middle - left), from + right, (count - right) * sizeof *to);
    return true;
}

enum { RUN = 8 };

static void sort_run(const SortRanking *ranking, SortLine *lines, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const SortLine line = lines[i];
        size_t at = i;
        for (; at > 0 && sort_out_of_order(ranking, &lines[at - 1], &line); at--)
            lines[at] = lines[at - 1];
        lines[at] = line;
    }
}

static AmlaFilterState sort_by_merging(const SortRanking *ranking, SortLine *lines, size_t count, SortLine *scratch)
{
    SortLine *from = lines, *to = scratch;
    for (size_t i = 0; i < count; i += RUN)
        sort_run(ranking, lines + i, count - i < RUN ? count - i : RUN);
    for (size_t width = RUN; width < count; width *= 2) {
        for (size_t i = 0; i < count; i += 2 * width) {
            const size_t size = count - i < 2 * width ? count - i : 2 * width;
            if (!merge(ranking, from + i, size < width ? size : width, size, to + i))
                return AMLA_FILTER_INTERRUPTED;
        }
        SortLine *swap = from;
        from = to;
        to = swap;
    }
    if (from != lines)
        memcpy(lines, from, count * sizeof *lines);
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

/* --- by ranks alone ---------------------------------------------------------------------- */

static void distribute(const SortLine *from, size_t count, unsigned shift, SortLine *to)
{
    size_t places[256] = { 0 }, place = 0;
    for (size_t i = 0; i < count; i++)
        places[from[i].rank >> shift & 255]++;
    for (unsigned byte = 0; byte < 256; byte++) {
        const size_t many = places[byte];
        places[byte] = place;
        place += many;
    }
    for (size_t i = 0; i < count; i++)
        to[places[from[i].rank >> shift & 255]++] = from[i];
}

/* By one byte of the ranks after the other, the last one first. */
static AmlaFilterState sort_by_bytes(SortLine *lines, size_t count, SortLine *scratch)
{
    SortLine *from = lines, *to = scratch;
    uint64_t different = 0;
    for (size_t i = 1; i < count; i++)
        different |= lines[0].rank ^ lines[i].rank;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (!(different >> shift & 255))
            continue;
        distribute(from, count, shift, to);
        SortLine *swap = from;
        from = to;
        to = swap;
        if (amla_interrupted())
            return AMLA_FILTER_INTERRUPTED;
    }
    if (from != lines)
        memcpy(lines, from, count * sizeof *lines);
    return AMLA_FILTER_MORE;
}

/* --- either ------------------------------------------------------------------------------ */

static bool in_order(const SortRanking *ranking, const SortLine *lines, size_t count)
{
    size_t at = 1;
    while (at < count && !sort_out_of_order(ranking, &lines[at - 1], &lines[at]))
        at++;
    return at >= count;
}

AmlaFilterState sort_ranked(const SortRanking *ranking, SortLine *lines, size_t count, SortLine *scratch)
{
    enum { MANY = 400 }; /* from there on bytes are faster than merging */
    if (in_order(ranking, lines, count))
        return AMLA_FILTER_MORE;
    if (count >= MANY && (ranking->text || ranking->exact))
        return sort_by_bytes(lines, count, scratch);
    return sort_by_merging(ranking, lines, count, scratch);
}
