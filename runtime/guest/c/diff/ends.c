#include "diff.h"

/* The ends are found by bytes, whatever the flags ignore.  A line at which the texts begin to differ belongs to the middle,
 * and so do `horizon` lines at each side of it. */

static bool at_line(const AmlaDiffSide *side, size_t at)
{
    return at == 0 || side->text[at - 1] == '\n';
}

static size_t common_start(const AmlaDiff *diff)
{
    const AmlaDiffSide *a = &diff->sides[0], *b = &diff->sides[1];
    const size_t most = a->length < b->length ? a->length : b->length;
    size_t at = 0;
    while (at < most && a->text[at] == b->text[at])
        at++;
    /* The text that ends without a newline is not the start of one that goes on with it. */
    const bool left = a->open_end && at == a->length, right = b->open_end && at == b->length;
    if (left != right && at > 0 && !(diff->flags & AMLA_DIFF_IGNORE_OPEN_END))
        at--;
    return at;
}

/* The line that `at` lies in. */
static size_t line_at(const AmlaDiffSide *side, size_t at)
{
    size_t low = 0, high = side->lines;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (side->starts[middle + 1] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t common_end(const AmlaDiff *diff, size_t start)
{
    const AmlaDiffSide *a = &diff->sides[0], *b = &diff->sides[1];
    if (a->open_end != b->open_end && !(diff->flags & AMLA_DIFF_IGNORE_OPEN_END))
        return 0;
    const size_t most = (a->length < b->length ? a->length : b->length) - start;
    size_t count = 0;
    while (count < most && a->text[a->length - count - 1] == b->text[b->length - count - 1])
        count++;
    return count;
}

void diff_find_ends(AmlaDiff *diff)
{
    AmlaDiffSide *a = &diff->sides[0], *b = &diff->sides[1];
    size_t first = line_at(a, common_start(diff));
    first -= first < diff->horizon ? first : diff->horizon;
    const size_t count = common_end(diff, a->starts[first]);
    size_t lines = 0; /* whole lines in the common end */
    if (count > 0) {
        const size_t at = a->length - count;
        lines = a->lines - line_at(a, at);
        if (!at_line(a, at) || !at_line(b, b->length - count))
            lines--;
        lines -= lines < diff->horizon ? lines : diff->horizon;
    }
    a->first = b->first = first;
    a->last = a->lines - lines;
    b->last = b->lines - lines;
}
