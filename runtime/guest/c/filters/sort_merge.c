/* sort -m: files that are in order, side by side, so that no more of them is held than a chunk each.
 *
 * Options: those of sort that say what the order is; count (of files).  Before feed() or end(): source.  Report: the file
 * wanted.
 */
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "options.h"
#include "sort.h"

typedef struct {
    AmlaInput input;
    uint64_t rank; /* of its present line: a smaller one is a smaller line */
} Source;

typedef struct {
    SortOrder order;
    bool unique;
    uint8_t end;
    Source *sources; /* owned */
    size_t count, source;
    size_t *queue; /* owned: files with a present line, by these lines */
    size_t queued;
    size_t begun;  /* files whose first line was looked for */
    size_t due;    /* the file whose next line is to be queued; `count` for none */
    AmlaBuffer last; /* the line printed before, for -u */
    bool printed;
} Merge;

static int configure(JSContext *ctx, void *self, JSValueConst options)
{
    Merge *merge = self;
    const size_t source = (size_t)amla_option_integer(ctx, options, "source", 0);
    merge->source = source < merge->count ? source : 0;
    return 0;
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Merge *merge = self;
    merge->end = (uint8_t)amla_option_integer(ctx, options, "end", '\n');
    merge->unique = amla_option_flag(ctx, options, "unique");
    sort_order_read(&merge->order, ctx, options);
    const int64_t count = amla_option_integer(ctx, options, "count", 1);
    merge->due = merge->count = count > 0 && count < INT32_MAX ? (size_t)count : 1;
    merge->sources = calloc(merge->count, sizeof *merge->sources);
    merge->queue = calloc(merge->count, sizeof *merge->queue);
    if (merge->sources && merge->queue)
        return 0;
    JS_ThrowOutOfMemory(ctx);
    return -1;
}

static SortText text_of(AmlaInputLine line)
{
    return (SortText){ line.data, line.length };
}

static SortText present(const Merge *merge, size_t source)
{
    return text_of(amla_input_line(&merge->sources[source].input));
}

/* By the first key, or by the bytes that the line begins with. */
static uint64_t rank_of(const SortOrder *order, SortText line)
{
    uint64_t rank = 0;
    bool exact;
    if (order->key_count)
        return sort_rank(order, order->keys, line, &exact);
    memcpy(&rank, line.data, line.length < sizeof rank ? line.length : sizeof rank);
    rank = __builtin_bswap64(rank);
    return order->reverse ? ~rank : rank;
}

/* Whether the line of `left` comes first; of equal ones, that of the file named first. */
static bool precedes(const Merge *merge, size_t left, size_t right)
{
    const uint64_t a = merge->sources[left].rank, b = merge->sources[right].rank;
    if (a != b)
        return a < b;
    const int order = sort_compare(&merge->order, present(merge, left), present(merge, right));
    return order < 0 || (order == 0 && left < right);
}

static void enqueue(Merge *merge, size_t source)
{
    size_t low = 0, high = merge->queued;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (precedes(merge, merge->queue[middle], source))
            low = middle + 1;
        else
            high = middle;
    }
    memmove(merge->queue + low + 1, merge->queue + low, (merge->queued++ - low) * sizeof *merge->queue);
    merge->queue[low] = source;
}

/* False where the file that is due has to be read first. */
static bool advance(Merge *merge)
{
    AmlaInputLine line;
    Source *source = &merge->sources[merge->due];
    const AmlaInputState state = amla_input_peek(&source->input, merge->end, &line);
    if (state == AMLA_INPUT_WANTED)
        return false;
    const size_t due = merge->due;
    merge->due = merge->count;
    amla_input_take(&source->input, state == AMLA_INPUT_LINE ? &line : NULL);
    if (state == AMLA_INPUT_LINE) {
        source->rank = rank_of(&merge->order, text_of(line));
        enqueue(merge, due);
    }
    return true;
}

static bool repeats(const Merge *merge, SortText line)
{
    const SortText last = { merge->last.data, merge->last.length };
    if (!merge->printed)
        return false;
    return (merge->order.key_count ? sort_compare_keys(&merge->order, last, line) : sort_compare_bytes(last, line)) == 0;
}

static void put_first(Merge *merge, AmlaBuffer *out)
{
    const size_t first = merge->queue[0];
    const SortText line = present(merge, first);
    if (!merge->unique || !repeats(merge, line)) {
        amla_buffer_append(out, line.data, line.length);
        amla_buffer_put(out, merge->end);
        merge->last.length = 0;
        if (merge->unique)
            amla_buffer_append(&merge->last, line.data, line.length);
        merge->printed = true;
    }
    memmove(merge->queue, merge->queue + 1, --merge->queued * sizeof *merge->queue);
    merge->due = first;
}

static AmlaFilterState run(Merge *merge, AmlaBuffer *out)
{
    for (AmlaFilterState state = AMLA_FILTER_MORE;;) {
        if (merge->last.failed)
            return AMLA_FILTER_MEMORY;
        if (amla_output_is_full(out, &state))
            return state;
        if (merge->due == merge->count && merge->begun < merge->count)
            merge->due = merge->begun++;
        if (merge->due < merge->count) {
            if (!advance(merge))
                return AMLA_FILTER_MORE;
        } else if (merge->queued == 0)
            return AMLA_FILTER_DONE;
        else
            put_first(merge, out);
    }
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Merge *merge = self;
    return amla_input_feed(&merge->sources[merge->source].input, bytes, length) ? run(merge, out) : AMLA_FILTER_MEMORY;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Merge *merge = self;
    merge->sources[merge->source].input.whole = true;
    return run(merge, out);
}

static JSValue report(JSContext *ctx, void *self)
{
    const Merge *merge = self;
    return JS_NewInt64(ctx, (int64_t)(merge->due < merge->count ? merge->due : 0));
}

static void destroy(void *self)
{
    Merge *merge = self;
    for (size_t i = 0; merge->sources && i < merge->count; i++)
        amla_input_clear(&merge->sources[i].input);
    free(merge->sources);
    free(merge->queue);
    free(merge->order.keys);
    amla_buffer_clear(&merge->last);
}

const AmlaFilterType amla_filter_sort_merge = {
    .name = "sort-merge",
    .size = sizeof(Merge),
    .create = create,
    .configure = configure,
    .feed = feed,
    .end = end,
    .report = report,
    .destroy = destroy,
};
