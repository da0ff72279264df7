/* Merge sort by one thing after the other: all lines by the first key, then each group of lines that are equal in it by
 * the second, and so on, at last by their bytes.  Lines have a number for what they are sorted by, their rank, and nearly
 * all comparisons are of two ranks.  The rank of a text is some bytes of it: lines that are equal in these are sorted
 * again by those that follow. */
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
    const SortKey *key; /* NULL: the whole lines as bytes */
    bool text;          /* by bytes of the key or the lines, as they are: lines of equal rank are told apart later */
    bool whole;         /* lines of equal rank are compared by all that the order says */
    bool exact;         /* lines of equal rank are equal */
    size_t common;      /* bytes that all texts begin with */
} Ranking;

/* --- ranks ------------------------------------------------------------------------------- */

static SortText ranked_text(const Ranking *ranking, const SortLine *line)
{
    return ranking->key ? sort_key_text(ranking->order, ranking->key, text_of(line)) : text_of(line);
}

/* How many bytes all texts begin with; the first `known` are equal. */
static size_t common_prefix(const Ranking *ranking, const SortLine *lines, size_t count, size_t known)
{
    const SortText first = ranked_text(ranking, &lines[0]);
    size_t common = first.length;
    for (size_t i = 1; i < count && common > known; i++) {
        const SortText text = ranked_text(ranking, &lines[i]);
        const size_t most = text.length < common ? text.length : common;
        size_t at = known;
        while (at < most && text.data[at] == first.data[at])
            at++;
        common = at;
    }
    return common;
}

/* Seven bytes behind the common start, and how many there are; eight stands for more. */
static uint64_t rank_text(SortText text, size_t common, bool *exact)
{
    const size_t left = text.length - common;
    uint64_t rank = 0;
    if (left >= 8) {
        memcpy(&rank, text.data + common, 8);
        *exact = false;
        return (__builtin_bswap64(rank) & ~UINT64_C(0xff)) | 8;
    }
    for (size_t i = 0; i < 7; i++)
        rank = rank << 8 | (i < left ? text.data[common + i] : 0u);
    return rank << 8 | left;
}

static bool reversed(const Ranking *ranking)
{
    return ranking->key ? ranking->key->flags & SORT_REVERSE : ranking->order->reverse;
}

static void rank_lines(Ranking *ranking, SortLine *lines, size_t count, size_t known)
{
    const uint64_t turn = ranking->text && reversed(ranking) ? UINT64_MAX : 0;
    ranking->exact = true;
    ranking->common = ranking->text && count ? common_prefix(ranking, lines, count, known) : 0;
    for (size_t i = 0; i < count; i++) {
        if (ranking->text)
            lines[i].rank = rank_text(ranked_text(ranking, &lines[i]), ranking->common, &ranking->exact) ^ turn;
        else
            lines[i].rank = sort_rank(ranking->order, ranking->key, text_of(&lines[i]), &ranking->exact);
    }
}

static int compare_equal_ranks(const Ranking *ranking, const SortLine *left, const SortLine *right)
{
    if (ranking->whole)
        return sort_compare(ranking->order, text_of(left), text_of(right));
    if (ranking->text || ranking->exact)
        return 0;
    return sort_compare_key(ranking->order, ranking->key, text_of(left), text_of(right));
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

/* Sort lines by their ranks. */
static AmlaFilterState sort_ranked(const Ranking *ranking, SortLine *lines, size_t count, SortLine *scratch)
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

/* What is noted of each line: whether a group of lines that are equal so far begins with it, and then how many bytes of
 * their texts are known to be equal, or that they are equal in all that they are sorted by now. */
enum { INSIDE = UINT32_MAX, SETTLED = UINT32_MAX - 1 };

/* Part a group, sorted by its ranks, in smaller ones.  Whether some are still to be sorted by further bytes. */
static bool part_group(const Ranking *ranking, const SortLine *lines, size_t count, uint32_t *notes)
{
    const uint32_t depth = ranking->text && !ranking->exact ? (uint32_t)ranking->common + 7 : SETTLED;
    bool more = false;
    notes[0] = depth;
    for (size_t i = 1; i < count; i++) {
        const bool same = lines[i - 1].rank == lines[i].rank && compare_equal_ranks(ranking, &lines[i - 1], &lines[i]) == 0;
        notes[i] = same ? INSIDE : depth;
        more |= same && depth != SETTLED;
    }
    return more;
}

static size_t group_end(const uint32_t *notes, size_t from, size_t count)
{
    size_t to = from + 1;
    while (to < count && notes[to] == INSIDE)
        to++;
    return to;
}

/* Sort each group; whether there is more to do is left in *more. */
static AmlaFilterState sort_groups(Ranking *ranking, SortLine *lines, size_t count, SortLine *scratch, uint32_t *notes, bool *more)
{
    *more = false;
    for (size_t from = 0, to; from < count; from = to) {
        to = group_end(notes, from, count);
        if (to - from == 1 || notes[from] == SETTLED)
            continue;
        rank_lines(ranking, lines + from, to - from, notes[from]);
        const AmlaFilterState state = sort_ranked(ranking, lines + from, to - from, scratch);
        if (state != AMLA_FILTER_MORE)
            return state;
        *more |= part_group(ranking, lines + from, to - from, notes + from);
    }
    return AMLA_FILTER_MORE;
}

/* Sort each group of lines that are equal so far by one thing more. */
static AmlaFilterState refine(Ranking ranking, SortLine *lines, size_t count, SortLine *scratch, uint32_t *notes)
{
    bool more = true;
    for (size_t i = 0; i < count; i++)
        notes[i] = notes[i] == INSIDE ? INSIDE : 0;
    while (more) {
        const AmlaFilterState state = sort_groups(&ranking, lines, count, scratch, notes, &more);
        if (state != AMLA_FILTER_MORE)
            return state;
    }
    return AMLA_FILTER_MORE;
}

AmlaFilterState sort_lines(const SortOrder *order, SortLine *lines, size_t count, SortLine *scratch)
{
    uint32_t *notes = malloc((count + 1) * sizeof *notes);
    if (!notes)
        return AMLA_FILTER_MEMORY;
    memset(notes, 0xff, count * sizeof *notes); /* INSIDE */
    notes[0] = 0;
    AmlaFilterState state = AMLA_FILTER_MORE;
    for (size_t i = 0; i < order->key_count && state == AMLA_FILTER_MORE; i++) {
        const SortKey *key = &order->keys[i];
        state = refine((Ranking){ .order = order, .key = key, .text = sort_key_is_plain(key) }, lines, count, scratch, notes);
    }
    if (state == AMLA_FILTER_MORE && order->last_resort)
        state = refine((Ranking){ .order = order, .text = true }, lines, count, scratch, notes);
    free(notes);
    return state;
}

AmlaFilterState sort_merge_runs(const SortOrder *order, SortLine *lines, size_t *starts, size_t run_count, SortLine *scratch)
{
    const size_t count = starts[run_count];
    Ranking ranking = { .order = order, .key = order->keys, .text = order->key_count == 0, .whole = true };
    if (ranking.text)
        ranking.key = NULL;
    rank_lines(&ranking, lines, count, 0);
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
