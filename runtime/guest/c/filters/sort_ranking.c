#include <string.h>

#include "sort_ranking.h"

static SortText text_of(const SortLine *line)
{
    return (SortText){ line->data, line->length };
}

static SortText ranked_text(const SortRanking *ranking, const SortLine *line)
{
    return ranking->key ? sort_key_text(ranking->order, ranking->key, text_of(line)) : text_of(line);
}

/* The first place in [at, stop) where two texts differ, or stop. */
static size_t first_difference(const uint8_t *left, const uint8_t *right, size_t at, size_t stop)
{
    for (uint64_t a, b; at + 8 <= stop; at += 8) {
        memcpy(&a, left + at, 8);
        memcpy(&b, right + at, 8);
        if (a != b)
            return at + (size_t)__builtin_ctzll(a ^ b) / 8;
    }
    while (at < stop && left[at] == right[at])
        at++;
    return at;
}

/* How many bytes all texts begin with; the first `known` are equal. */
static size_t common_prefix(const SortRanking *ranking, const SortLine *lines, size_t count, size_t known)
{
    const SortText first = ranked_text(ranking, &lines[0]);
    size_t common = first.length;
    for (size_t i = 1; i < count && common > known; i++) {
        const SortText text = ranked_text(ranking, &lines[i]);
        common = first_difference(text.data, first.data, known, text.length < common ? text.length : common);
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

static bool reversed(const SortRanking *ranking)
{
    return ranking->key ? ranking->key->flags & SORT_REVERSE : ranking->order->reverse;
}

void sort_rank_lines(SortRanking *ranking, SortLine *lines, size_t count, size_t known)
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

int sort_compare_equal_ranks(const SortRanking *ranking, const SortLine *left, const SortLine *right)
{
    if (ranking->text || ranking->exact)
        return 0;
    return sort_compare_key(ranking->order, ranking->key, text_of(left), text_of(right));
}
