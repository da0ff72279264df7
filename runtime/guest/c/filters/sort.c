/* sort, and its check of an order, over all files.
 *
 * Options: those of sort_order_read(), unique, check (tell whether the one file is in order), end (what ends lines).
 * Report, of a check: undefined when all is in order, else [number, text] of the first line that is not.
 */
#include "sort.h"

#include <stdlib.h>

#include "cells.h"
#include "lines.h"
#include "options.h"

/* Text is kept in blocks, which lines never cross. */
typedef struct Block {
    struct Block *before;
    size_t size, used;
    uint8_t data[];
} Block;

enum { BLOCK = 1 << 20, DEDUPE_FROM = 8 << 20 };

typedef struct {
    SortOrder order;
    bool unique, check;
    uint8_t end;
    Block *block;
    size_t line_start; /* in the block: of a line that is not whole yet */
    size_t held;       /* bytes in all blocks */
    size_t dedupe_at;  /* with -u: equal lines go when so much is held */
    SortLine *lines;
    size_t count, room;
    size_t given;      /* lines that were put out */
    bool sorted;
    /* of a check */
    AmlaLines pieces;
    AmlaBuffer last;
    uint64_t number;
    bool disorder;
} Sort;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Sort *sort = self;
    sort->end = (uint8_t)amla_option_integer(ctx, options, "end", '\n');
    sort->unique = amla_option_flag(ctx, options, "unique");
    sort->check = amla_option_flag(ctx, options, "check");
    sort_order_read(&sort->order, ctx, options);
    sort->dedupe_at = DEDUPE_FROM;
    return 0;
}

/* --- lines in memory --------------------------------------------------------------------- */

static void free_blocks(Block *block)
{
    while (block) {
        Block *before = block->before;
        free(block);
        block = before;
    }
}

/* Room for `more` bytes behind the present line, in a new block if need be. */
static bool reserve(Sort *sort, size_t more)
{
    Block *old = sort->block;
    if (old && old->size - old->used >= more)
        return true;
    const size_t partial = old ? old->used - sort->line_start : 0;
    const size_t size = partial + more > BLOCK ? (partial + more) * 2 : BLOCK;
    Block *block = malloc(sizeof *block + size);
    if (!block)
        return false;
    *block = (Block){ .before = old, .size = size, .used = partial };
    if (partial) {
        memcpy(block->data, old->data + sort->line_start, partial);
        old->used = sort->line_start;
    }
    sort->block = block;
    sort->line_start = 0;
    return true;
}

static bool add_line(Sort *sort, const uint8_t *data, size_t length)
{
    if (sort->count == sort->room) {
        const size_t room = sort->room ? sort->room + sort->room / 2 : 1024;
        SortLine *lines = realloc(sort->lines, room * sizeof *lines);
        if (!lines)
            return false;
        sort->lines = lines;
        sort->room = room;
    }
    sort->lines[sort->count++] = (SortLine){ 0, data, (uint32_t)length };
    return true;
}

static bool take_lines(Sort *sort, size_t from)
{
    Block *block = sort->block;
    const uint8_t *at = block->data + from, *const stop = block->data + block->used, *found;
    while (at < stop && (found = memchr(at, sort->end, (size_t)(stop - at)))) {
        if (!add_line(sort, block->data + sort->line_start, (size_t)(found - block->data) - sort->line_start))
            return false;
        at = found + 1;
        sort->line_start = (size_t)(at - block->data);
    }
    return true;
}

static bool keep(Sort *sort, const uint8_t *bytes, size_t length)
{
    if (!reserve(sort, length))
        return false;
    const size_t from = sort->block->used;
    memcpy(sort->block->data + from, bytes, length);
    sort->block->used += length;
    sort->held += length;
    return take_lines(sort, from);
}

/* --- sorting ----------------------------------------------------------------------------- */

static SortText text_of(const SortLine *line)
{
    return (SortText){ line->data, line->length };
}

static bool equal(const Sort *sort, const SortLine *left, const SortLine *right)
{
    if (sort->order.key_count)
        return sort_compare_keys(&sort->order, text_of(left), text_of(right)) == 0;
    return sort_compare_bytes(text_of(left), text_of(right)) == 0;
}

static void drop_equals(Sort *sort)
{
    size_t kept = sort->count > 0;
    for (size_t i = 1; i < sort->count; i++)
        if (!equal(sort, &sort->lines[kept - 1], &sort->lines[i]))
            sort->lines[kept++] = sort->lines[i];
    sort->count = kept;
}

static AmlaFilterState order_lines(Sort *sort)
{
    SortLine *scratch = malloc((sort->count + 1) * sizeof *scratch);
    if (!scratch)
        return AMLA_FILTER_MEMORY;
    const AmlaFilterState state = sort_lines(&sort->order, sort->lines, sort->count, scratch);
    free(scratch);
    if (state == AMLA_FILTER_MORE && sort->unique)
        drop_equals(sort);
    return state;
}

/* Move the lines that are left to blocks of their own, and free the others. */
static AmlaFilterState compact(Sort *sort)
{
    Block *old = sort->block;
    const uint8_t *partial = old->data + sort->line_start;
    const size_t partial_length = old->used - sort->line_start, count = sort->count;
    sort->block = NULL;
    sort->held = sort->line_start = sort->count = 0;
    bool kept = true;
    for (size_t i = 0; kept && i < count; i++)
        kept = keep(sort, sort->lines[i].data, sort->lines[i].length + 1u);
    kept = kept && keep(sort, partial, partial_length);
    free_blocks(old);
    return kept ? AMLA_FILTER_MORE : AMLA_FILTER_MEMORY;
}

static AmlaFilterState dedupe(Sort *sort)
{
    AmlaFilterState state = order_lines(sort);
    if (state == AMLA_FILTER_MORE)
        state = compact(sort);
    sort->dedupe_at = sort->held * 2 > DEDUPE_FROM ? sort->held * 2 : DEDUPE_FROM;
    return state;
}

/* --- checking ---------------------------------------------------------------------------- */

static AmlaFilterState visit_checked(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out)
{
    (void)ended, (void)out;
    Sort *sort = self;
    const SortText before = { sort->last.data, sort->last.length }, now = { line, length };
    if (sort->number++ > 0) {
        const int result = sort_compare(&sort->order, before, now);
        sort->disorder = sort->unique ? result >= 0 : result > 0;
    }
    sort->last.length = 0;
    amla_buffer_append(&sort->last, line, length);
    return sort->last.failed ? AMLA_FILTER_MEMORY : sort->disorder ? AMLA_FILTER_DONE : AMLA_FILTER_MORE;
}

static JSValue report(JSContext *ctx, void *self)
{
    const Sort *sort = self;
    if (!sort->disorder)
        return JS_UNDEFINED;
    JSValue array = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, array, 0, JS_NewInt64(ctx, (int64_t)sort->number));
    JS_SetPropertyUint32(ctx, array, 1, JS_NewUint8ArrayCopy(ctx, sort->last.data, sort->last.length));
    return array;
}

/* --- the filter -------------------------------------------------------------------------- */

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Sort *sort = self;
    if (sort->check)
        return sort->disorder ? AMLA_FILTER_DONE : amla_lines_feed(&sort->pieces, sort->end, bytes, length, visit_checked, sort, out);
    if (!keep(sort, bytes, length))
        return AMLA_FILTER_MEMORY;
    if (sort->unique && sort->held > sort->dedupe_at)
        return dedupe(sort);
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

/* A last line gets its end. */
static bool end_file(Sort *sort)
{
    return !sort->block || sort->block->used == sort->line_start || keep(sort, &sort->end, 1);
}

static AmlaFilterState put_lines(Sort *sort, AmlaBuffer *out)
{
    while (sort->given < sort->count && out->length < AMLA_FILTER_CHUNK) {
        const SortLine *line = &sort->lines[sort->given++];
        amla_buffer_append(out, line->data, line->length + 1u);
    }
    return sort->given < sort->count ? AMLA_FILTER_FULL : AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    Sort *sort = self;
    if (sort->check)
        return sort->disorder ? AMLA_FILTER_DONE : amla_lines_end(&sort->pieces, visit_checked, sort, out);
    if (!sort->sorted) {
        if (!end_file(sort))
            return AMLA_FILTER_MEMORY;
        if (more_files)
            return AMLA_FILTER_MORE;
        const AmlaFilterState state = order_lines(sort);
        if (state != AMLA_FILTER_MORE)
            return state;
        sort->sorted = true;
    }
    return put_lines(sort, out);
}

static void destroy(void *self)
{
    Sort *sort = self;
    free_blocks(sort->block);
    free(sort->lines);
    free(sort->order.keys);
    amla_lines_clear(&sort->pieces);
    amla_buffer_clear(&sort->last);
}

const AmlaFilterType amla_filter_sort = {
    .name = "sort",
    .size = sizeof(Sort),
    .create = create,
    .feed = feed,
    .end = end,
    .report = report,
    .destroy = destroy,
};
