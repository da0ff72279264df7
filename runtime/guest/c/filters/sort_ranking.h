/* What lines are sorted by, and the numbers that they have for it. */
#ifndef AMLA_SORT_RANKING_H
#define AMLA_SORT_RANKING_H

#include "sort.h"

/* What lines are sorted by now. */
typedef struct {
    const SortOrder *order;
    const SortKey *key; /* NULL: the whole lines as bytes */
    bool text;          /* by bytes of the key or the lines, as they are: lines of equal rank are told apart later */
    bool exact;         /* lines of equal rank are equal */
    size_t common;      /* bytes that all texts begin with */
} SortRanking;

/* Give all lines their ranks; the first `known` bytes of their texts are equal. */
void sort_rank_lines(SortRanking *ranking, SortLine *lines, size_t count, size_t known);

int sort_compare_equal_ranks(const SortRanking *ranking, const SortLine *left, const SortLine *right);

/* Whether `right` must come before `left`. */
static inline bool sort_out_of_order(const SortRanking *ranking, const SortLine *left, const SortLine *right)
{
    if (left->rank != right->rank)
        return left->rank > right->rank;
    return sort_compare_equal_ranks(ranking, left, right) > 0;
}

/* Sort lines that have their ranks; `scratch` holds as many. */
AmlaFilterState sort_ranked(const SortRanking *ranking, SortLine *lines, size_t count, SortLine *scratch);

#endif
