#include "fmt_break.h"

enum {
    LINE = 70 * 70,
    NO_BREAK = 600 * 600,
    SENTENCE = 50 * 50,
    BRACKET = 40 * 40,
    PUNCTUATION = 40 * 40,
    WIDOW = 200 * 200,
    ORPHAN = 150 * 150,
    CREDIT = 3 * 3,
};

static int64_t uneven(int64_t difference)
{
    return difference * difference * 100;
}

/* What it costs that a line begins with words[at]. */
static int64_t break_cost(const FmtWord *words, uint32_t at)
{
    const FmtWord *word = &words[at], *before = at > 0 ? word - 1 : NULL;
    int64_t cost = LINE;
    if (before && before->period)
        cost += before->final ? -SENTENCE : NO_BREAK;
    else if (before && before->punctuated)
        cost -= PUNCTUATION;
    else if (at > 1 && words[at - 2].final)
        cost += WIDOW / (before->length + 2);
    if (word->opens)
        cost -= BRACKET;
    else if (word->final)
        cost += ORPHAN / (word->length + 2);
    return cost;
}

/* What a line costs whose next one begins at `end`; `length` is its own. */
static int64_t line_cost(const FmtWord *words, uint32_t count, uint32_t end, int32_t length, int32_t goal)
{
    if (end == count)
        return 0;
    const int64_t cost = words[end].cost + uneven(goal - length);
    return words[end].next < count ? cost + uneven(length - words[end].line) / 2 : cost;
}

static void break_at(FmtWord *words, uint32_t count, uint32_t start, const FmtMeasures *measures, int32_t before)
{
    int64_t best = INT64_MAX;
    int32_t length = start == 0 ? measures->first_indent : measures->indent;
    for (uint32_t end = start + 1;; end++) {
        length += words[end - 1].length;
        int64_t cost = line_cost(words, count, end, length, measures->goal);
        if (start == 0 && before > 0)
            cost += uneven(length - before) / 2;
        if (cost < best) {
            best = cost;
            words[start].next = end;
            words[start].line = length;
        }
        if (end == count)
            break;
        length += words[end - 1].space;
        if (length + words[end].length >= measures->most)
            break;
    }
    words[start].cost = best + break_cost(words, start);
}

void fmt_break_words(FmtWord *words, uint32_t count, const FmtMeasures *measures, int32_t before)
{
    for (uint32_t start = count; start-- > 0;)
        break_at(words, count, start, measures, before);
}

/* Where breaking costs least, near the end rather than far from it. */
uint32_t fmt_part_end(const FmtWord *words, uint32_t count)
{
    uint32_t end = count;
    int64_t best = INT64_MAX;
    for (uint32_t at = words[0].next; at != count; at = words[at].next) {
        const uint32_t next = words[at].next;
        const int64_t cost = words[at].cost - (next < count ? words[next].cost : 0);
        if (cost < best) {
            end = at;
            best = cost;
        }
        if (best < INT64_MAX - CREDIT)
            best += CREDIT;
    }
    return end;
}
