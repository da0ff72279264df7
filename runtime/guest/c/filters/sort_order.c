/* Merge sort by one thing after the other: all lines by the first key, then each group of lines that are equal in it by
 * the second, and so on, at last by their bytes.  Lines have a number for what they are sorted by, and nearly all
 * comparisons are of two of these. */
#include <stdlib.h>

#include "cells.h"
#include "sort.h"

enum { POLL = 1 << 16 };

static SortText text_of(const SortLine *line)
{
    return (SortText){ line->data, line->length };
}

/* What lines are sorted by now. */
typedef struct {
    const SortOrder *order;
    const SortKey *key; /* NULL: the bytes of the lines */
    bool whole;         /* lines of equal rank are compared by all that the order says */
    bool exact;         /* lines of equal rank are equal */
    size_t common;      /* bytes that all lines begin with, where they are sorted by bytes */
} Ranking;

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
static uint64_t rank_bytes(const SortLine *line, size_t common)
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

static void rank_lines(Ranking *ranking, SortLine *lines, size_t count)
{
    const SortOrder *order = ranking->order;
    ranking->exact = ranking->key != NULL;
    ranking->common = ranking->key ? 0 : common_prefix(lines, count);
    for (size_t i = 0; i < count; i++) {
        if (ranking->key)
            lines[i].rank = sort_rank(order, ranking->key, text_of(&lines[i]), &ranking->exact);
        else
            lines[i].rank = order->reverse ? ~rank_bytes(&lines[i], ranking->common) : rank_bytes(&lines[i], ranking->common);
    }
}

static int compare_bytes(const Ranking *ranking, const SortLine *left, const SortLine *right)
{
    const size_t skip = ranking->common;
    const SortText a = { left->data + skip, left->length - skip }, b = { right->data + skip, right->length - skip };
    const int result = sort_compare_bytes(a, b);
    return ranking->order->reverse ? -result : result;
}

static int compare_equal_ranks(const Ranking *ranking, const SortLine *left, const SortLine *right)
{
    if (!ranking->key)
        return compare_bytes(ranking, left, right);
    if (ranking->whole)
        return sort_compare(ranking->order, text_of(left), text_of(right));
    return ranking->exact ? 0 : sort_compare_key(ranking->order, ranking->key, text_of(left), text_of(right));
}

/* Whether `right` must come before `left`. */
static inline bool out_of_order(const Ranking *ranking, const SortLine *left, const SortLine *right)
{
    if (left->rank != right->rank)
        return left->rank > right->rank;
    return compare_equal_ranks(ranking, left, right) > 0;
}

/* --- merging ----------------------------------------------------------------------------- */

/* from[0..middle) and from[middle..count) to `to`. */
static bool merge(const Ranking *ranking, const SortLine *from, size_t middle, size_t count, SortLine *to)
{
    size_t left = 0, right = middle, steps = 0;
    /* Files that are merged may be out of order: then only all steps give what others give. */
    if (middle == count || (!ranking->whole && !out_of_order(ranking, &from[middle - 1], &from[middle]))) {
        memcpy(to, from, count * sizeof *to);
        return true;
    }
    while (left < middle && right < count) {
        *to++ = out_of_order(ranking, &from[left], &from[right]) ? from[right++] : from[left++];
        if ((++steps & (POLL - 1)) == 0 && amla_interrupted())
            return false;
    }
    memcpy(to, from + left, (middle - left) * sizeof *to);
    memcpy(to + (middle - left), from + right, (count - right) * sizeof *to);
    return true;
}

enum { RUN = 8 };

static void sort_run(const Ranking *ranking, SortLine *lines, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const SortLine line = lines[i];
        size_t at = i;
        for (; at > 0 && out_of_order(ranking, &lines[at - 1], &line); at--)
            lines[at] = lines[at - 1];
        lines[at] = line;
    }
}

/* --- sorting ----------------------------------------------------------------------------- */

static AmlaFilterState sort_group(Ranking *ranking, SortLine *lines, size_t count, SortLine *scratch)
{
    rank_lines(ranking, lines, count);
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

/* Sort each group of lines that are equal so far.  starts[i] tells whether a group begins with line i; more will. */
static AmlaFilterState refine(Ranking *ranking, SortLine *lines, size_t count, SortLine *scratch, bool *starts)
{
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && !starts[to];)
            to++;
        if (to - from == 1)
            continue;
        const AmlaFilterState state = sort_group(ranking, lines + from, to - from, scratch);
        if (state != AMLA_FILTER_MORE)
            return state;
        for (size_t i = from + 1; i < to; i++)
            starts[i] = lines[i - 1].rank != lines[i].rank || compare_equal_ranks(ranking, &lines[i - 1], &lines[i]) != 0;
    }
    return AMLA_FILTER_MORE;
}

AmlaFilterState sort_lines(const SortOrder *order, SortLine *lines, size_t count, SortLine *scratch)
{
    bool *starts = calloc(count + 1, sizeof *starts);
    if (!starts)
        return AMLA_FILTER_MEMORY;
    AmlaFilterState state = AMLA_FILTER_MORE;
    for (size_t i = 0; i < order->key_count && state == AMLA_FILTER_MORE; i++)
        state = refine(&(Ranking){ .order = order, .key = &order->keys[i] }, lines, count, scratch, starts);
    if (state == AMLA_FILTER_MORE && order->last_resort)
        state = order->key_count ? refine(&(Ranking){ .order = order }, lines, count, scratch, starts)
                                 : sort_group(&(Ranking){ .order = order }, lines, count, scratch);
    free(starts);
    return state;
}

AmlaFilterState sort_merge_runs(const SortOrder *order, SortLine *lines, size_t *starts, size_t run_count, SortLine *scratch)
{
    const size_t count = starts[run_count];
    Ranking ranking = { .order = order, .key = order->key_count ? order->keys : NULL, .whole = true };
    rank_lines(&ranking, lines, count);
    SortLine *from = lines, *to = scratch;
    while (run_count > 1) {
        size_t merged = 0;
        for (size_t i = 0; i < run_count; i += 2) {
            const size_t start = starts[i], middle = starts[i + 1], stop = i + 1 < run_count ? starts[i + 2] : middle;
            const size_t left = middle > start ? middle - start : stop - start;
            if (stop > start && !merge(&ranking, from + start, left, stop - start, to + start))
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
