/* Sorting by one thing after the other: all lines by the first key, then each group of lines that are equal in it by the
 * second, and so on, at last by their bytes.  Lines have a number for what they are sorted by, their rank, and nearly all
 * comparisons are of two ranks; many lines whose order is that of their ranks are not even compared.  The rank of a text
 * is some bytes of it: lines that are equal in these are sorted again by those that follow. */
#include <stdlib.h>
#include <string.h>

#include "sort_ranking.h"

/* What is noted of each line: whether a group of lines that are equal so far begins with it, and then how many bytes of
 * their texts are known to be equal, or that they are equal in all that they are sorted by now. */
enum { INSIDE = UINT32_MAX, SETTLED = UINT32_MAX - 1 };

/* Part a group, sorted by its ranks, in smaller ones.  Whether some are still to be sorted by further bytes. */
static bool part_group(const SortRanking *ranking, const SortLine *lines, size_t count, uint32_t *notes)
{
    const uint32_t depth = ranking->text && !ranking->exact ? (uint32_t)ranking->common + 7 : SETTLED;
    bool more = false;
    notes[0] = depth;
    for (size_t i = 1; i < count; i++) {
        const bool same = lines[i - 1].rank == lines[i].rank && sort_compare_equal_ranks(ranking, &lines[i - 1], &lines[i]) == 0;
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
static AmlaFilterState sort_groups(SortRanking *ranking, SortLine *lines, size_t count, SortLine *scratch, uint32_t *notes, bool *more)
{
    *more = false;
    for (size_t from = 0, to; from < count; from = to) {
        to = group_end(notes, from, count);
        if (to - from == 1 || notes[from] == SETTLED)
            continue;
        sort_rank_lines(ranking, lines + from, to - from, notes[from]);
        const AmlaFilterState state = sort_ranked(ranking, lines + from, to - from, scratch);
        if (state != AMLA_FILTER_MORE)
            return state;
        *more |= part_group(ranking, lines + from, to - from, notes + from);
    }
    return AMLA_FILTER_MORE;
}

/* Sort each group of lines that are equal so far by one thing more. */
static AmlaFilterState refine(SortRanking ranking, SortLine *lines, size_t count, SortLine *scratch, uint32_t *notes)
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
        state = refine((SortRanking){ .order = order, .key = key, .text = sort_key_is_plain(key) }, lines, count, scratch, notes);
    }
    if (state == AMLA_FILTER_MORE && order->last_resort)
        state = refine((SortRanking){ .order = order, .text = true }, lines, count, scratch, notes);
    free(notes);
    return state;
}
