/* Array.prototype.sort in the order in which V8 compares: Tim Peters's merge sort.
 *
 * Part of engine.c, behind quickjs.c.  Scripts can tell how an array is sorted: where a
 * comparison contradicts itself (`a < b ? 1 : -1` for equal elements, `a > b`), by what
 * becomes of it, and where it prints, by what it is asked.  So each comparison is made when
 * V8 makes it, and with the same argument first.
 */

#include "merge.h"

static void reverse(ValueSlot *slots, size_t count)
{
    for (ValueSlot *last = slots + count - 1; slots < last; slots++, last--) {
        ValueSlot slot = *slots;
        *slots = *last;
        *last = slot;
    }
}

/* How many slots at the start are in order already; a falling sequence is turned round. */
static size_t count_run(const Sorting *s, ValueSlot *slots, size_t count)
{
    size_t length = 2;
    if (count < 2)
        return count;
    bool falls = precedes(s, &slots[1], &slots[0]);
    while (length < count && precedes(s, &slots[length], &slots[length - 1]) == falls)
        length++;
    if (falls)
        reverse(slots, length);
    return length;
}

/* The first `sorted` slots are in order; the others are put among them one after the other. */
static void insert_rest(const Sorting *s, ValueSlot *slots, size_t sorted, size_t count)
{
    for (; sorted < count; sorted++) {
        ValueSlot slot = slots[sorted];
        size_t low = 0, high = sorted;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (precedes(s, &slot, &slots[middle]))
                high = middle;
            else
                low = middle + 1;
        }
        memmove(&slots[low + 1], &slots[low], (sorted - low) * sizeof slot);
        slots[low] = slot;
    }
}

static bool is_balanced(const Sorting *s, int at)
{
    return at < 2 || s->runs[at - 2].length > s->runs[at - 1].length + s->runs[at].length;
}

/* Merges until each run is longer than the two behind it together; at the `end`, all. */
static void merge_runs(Sorting *s, bool end)
{
    while (s->run_count > 1) {
        int at = s->run_count - 2;
        bool uneven = end || !is_balanced(s, at + 1) || !is_balanced(s, at);
        if (!uneven && s->runs[at].length > s->runs[at + 1].length)
            return;
        if (uneven && at > 0 && s->runs[at - 1].length < s->runs[at + 1].length)
            at--;
        merge_at(s, at);
    }
}

/* Runs are made this long: 32 to 64, a power of two of them or slightly less. */
static size_t least_run(size_t count)
{
    size_t odd = 0;
    for (; count >= 64; count >>= 1)
        odd |= count & 1;
    return count + odd;
}

/* After an exception all counts as equal; nothing is lost. */
static void amla_sort(JSContext *ctx, ValueSlot *slots, size_t count, struct array_sort_context *order)
{
    Sorting s = { slots, NULL, order, .patience = EAGER };
    size_t least = least_run(count);
    if (count >= 64 && !(s.spare = js_malloc(ctx, (count / 2 + 1) * sizeof *slots))) {
        order->exception = 1;
        return;
    }
    for (size_t from = 0, length; from < count; from += length) {
        length = count_run(&s, slots + from, count - from);
        size_t wanted = least < count - from ? least : count - from;
        if (length < wanted) {
            insert_rest(&s, slots + from, length, wanted);
            length = wanted;
        }
        s.runs[s.run_count++] = (Run){ from, length };
        merge_runs(&s, false);
    }
    merge_runs(&s, true);
    js_free(ctx, s.spare);
}
