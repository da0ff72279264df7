/* Merge sort of ranked lines: nearly all comparisons are of two numbers. */
#include "cells.h"
#include "sort.h"

enum { POLL = 1 << 16 };

static SortText text_of(const SortLine *line)
{
    return (SortText){ line->data, line->length };
}

/* --- ranks ------------------------------------------------------------------------------- */

static size_t common_prefix(const SortLine *lines, size_t count)
{
    size_t common = count ? lines[0].length : 0;
    for (size_t i = 1; i < count && common > 0; i++) {
        size_t at = 0;
        const size_t most = lines[i].length < common ? lines[i].length : common;
        while (at < most && lines[i].data[at] == lines[0].data[at])
            at++;
        common = at;
    }
    return common;
}

/* Eight bytes behind the common start; zeros where there are fewer. */
static uint64_t rank_line(const SortLine *line, size_t common)
{
    uint64_t rank = 0;
    const size_t left = line->length - common;
    if (left >= 8) {
        memcpy(&rank, line->data + common, 8);
        return __builtin_bswap64(rank);
    }
    for (size_t i = 0; i < 8; i++)
        rank = rank << 8 | (i < left ? line->data[common + i] : 0u);
    return rank;
}

static SortRanks rank_lines(const SortOrder *order, SortLine *lines, size_t count)
{
    SortRanks ranks = { .order = order, .exact = true };
    if (order->key_count == 0)
        ranks.common = common_prefix(lines, count);
    for (size_t i = 0; i < count; i++) {
        if (order->key_count > 0)
            lines[i].rank = sort_rank(order, text_of(&lines[i]), &ranks.exact);
        else
            lines[i].rank = order->reverse ? ~rank_line(&lines[i], ranks.common) : rank_line(&lines[i], ranks.common);
    }
    return ranks;
}

static int compare_whole(const SortRanks *ranks, const SortLine *left, const SortLine *right)
{
    const size_t skip = ranks->common;
    const SortText a = { left->data + skip, left->length - skip }, b = { right->data + skip, right->length - skip };
    const int result = sort_compare_bytes(a, b);
    return ranks->order->reverse ? -result : result;
}

static int compare_equals(const SortRanks *ranks, const SortLine *left, const SortLine *right)
{
    if (ranks->order->key_count == 0)
        return compare_whole(ranks, left, right);
    return sort_compare(ranks->order, text_of(left), text_of(right), ranks->exact ? 1 : 0);
}

/* Whether `right` must come before `left`. */
static inline bool out_of_order(const SortRanks *ranks, const SortLine *left, const SortLine *right)
{
    if (left->rank != right->rank)
        return left->rank > right->rank;
    return compare_equals(ranks, left, right) > 0;
}

/* --- merging ----------------------------------------------------------------------------- */

/* from[0..middle) and from[middle..count) to `to`. */
static bool merge(const SortRanks *ranks, const SortLine *from, size_t middle, size_t count, SortLine *to)
{
    size_t left = 0, right = middle, steps = 0;
    if (middle == count || !out_of_order(ranks, &from[middle - 1], &from[middle])) {
        memcpy(to, from, count * sizeof *to);
        return true;
    }
    while (left < middle && right < count) {
        *to++ = out_of_order(ranks, &from[left], &from[right]) ? from[right++] : from[left++];
        if ((++steps & (POLL - 1)) == 0 && amla_interrupted())
            return false;
    }
    memcpy(to, from + left, (middle - left) * sizeof *to);
    memcpy(to + (middle - left), from + right, (count - right) * sizeof *to);
    return true;
}

enum { RUN = 8 };

static void sort_run(const SortRanks *ranks, SortLine *lines, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const SortLine line = lines[i];
        size_t at = i;
        for (; at > 0 && out_of_order(ranks, &lines[at - 1], &line); at--)
            lines[at] = lines[at - 1];
        lines[at] = line;
    }
}

AmlaFilterState sort_lines(const SortOrder *order, SortLine *lines, size_t count, SortLine *scratch)
{
    const SortRanks ranks = rank_lines(order, lines, count);
    SortLine *from = lines, *to = scratch;
    for (size_t i = 0; i < count; i += RUN)
        sort_run(&ranks, lines + i, count - i < RUN ? count - i : RUN);
    for (size_t width = RUN; width < count; width *= 2) {
        for (size_t i = 0; i < count; i += 2 * width) {
            const size_t size = count - i < 2 * width ? count - i : 2 * width;
            if (!merge(&ranks, from + i, size < width ? size : width, size, to + i))
                return AMLA_FILTER_INTERRUPTED;
        }
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

AmlaFilterState sort_merge_runs(const SortOrder *order, SortLine *lines, size_t *starts, size_t run_count, SortLine *scratch)
{
    const size_t count = starts[run_count];
    const SortRanks ranks = rank_lines(order, lines, count);
    SortLine *from = lines, *to = scratch;
    while (run_count > 1) {
        size_t merged = 0;
        for (size_t i = 0; i < run_count; i += 2) {
            const size_t start = starts[i], middle = starts[i + 1], stop = i + 1 < run_count ? starts[i + 2] : middle;
            if (stop > start && !merge(&ranks, from + start, middle - start ? middle - start : stop - start, stop - start, to + start))
                return AMLA_FILTER_INTERRUPTED;
            starts[merged++] = start;
        }
        starts[merged] = count;
        run_count = merged;
        SortLine *swap = from;
        from = to;
        to = swap;
    }
    if (from != lines)
        memcpy(lines, from, count * sizeof *lines);
    return AMLA_FILTER_MORE;
}
