/* join.  Options: separator (a byte, -1 for blanks, -2 for none), first, second (the fields to join by, from 0), ignoreCase,
 * checking (0 never, 1 once a line was alone, 2 always), pairs, alone (bits of the files whose lines are printed alone),
 * header, columns (u32 pairs of file and field; absent: the usual ones), automatic (columns by the first lines), filler
 * (bytes), between (a byte), end (what ends lines).  Before feed() or end(): source.  Report: see ordered.h. */
#include <ctype.h>
#include <stdlib.h>

#include "filter.h"
#include "join_print.h"
#include "options.h"
#include "ordered.h"

/* Lines that share a key, of one file. */
typedef struct {
    AmlaBuffer texts;
    AmlaBuffer ends; /* size_t: where each text ends */
} Group;

typedef enum { FIRST, COMPARE, GATHER, PRODUCT } Stage;

typedef struct {
    AmlaOrderedFiles files;
    JoinLayout layout;
    bool ignore_case, pairs, header, automatic;
    bool was_alone; /* a line was, so that those behind the next ones have to be in order */
    unsigned alone;
    Stage stage;
    int gathered; /* GATHER: the file whose lines are gathered */
    AmlaBuffer key;
    Group groups[2];
    size_t left, right; /* PRODUCT: the pair to print next */
} Join;

static AmlaInputLine key_of(const void *self, int side, AmlaInputLine line)
{
    const Join *join = self;
    return join_field(line, join->layout.separator, join->layout.keys[side]);
}

static int order(const void *self, AmlaInputLine left, AmlaInputLine right)
{
    if (!((const Join *)self)->ignore_case)
        return amla_order_bytes(left, right);
    for (size_t i = 0; i < left.length && i < right.length; i++) {
        const int difference = toupper(left.data[i]) - toupper(right.data[i]);
        if (difference)
            return difference;
    }
    return (left.length > right.length) - (left.length < right.length);
}

static int configure(JSContext *ctx, void *self, JSValueConst options)
{
    amla_ordered_configure(&((Join *)self)->files, ctx, options);
    return 0;
}

static void read_layout(JoinLayout *layout, JSContext *ctx, JSValueConst options)
{
    size_t length = 0;
    layout->separator = (int)amla_option_integer(ctx, options, "separator", JOIN_BLANKS);
    layout->keys[0] = (uint32_t)amla_option_integer(ctx, options, "first", 0);
    layout->keys[1] = (uint32_t)amla_option_integer(ctx, options, "second", 0);
    layout->between = (uint8_t)amla_option_integer(ctx, options, "between", ' ');
    layout->end = (uint8_t)amla_option_integer(ctx, options, "end", '\n');
    layout->filler = amla_option_text(ctx, options, "filler", &layout->filler_length);
    layout->columns = (JoinColumn *)amla_option_text(ctx, options, "columns", &length);
    layout->column_count = length / sizeof *layout->columns;
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Join *join = self;
    amla_ordered_create(&join->files, ctx, options);
    join->files.key_of = key_of;
    join->files.order = order;
    join->files.self = join;
    read_layout(&join->layout, ctx, options);
    join->ignore_case = amla_option_flag(ctx, options, "ignoreCase");
    join->pairs = amla_option_flag(ctx, options, "pairs");
    join->header = amla_option_flag(ctx, options, "header");
    join->automatic = amla_option_flag(ctx, options, "automatic");
    join->alone = (unsigned)amla_option_integer(ctx, options, "alone", 0);
    return 0;
}

static void print_present(Join *join, bool left, bool right, AmlaBuffer *out)
{
    const AmlaInputLine lines[] = { amla_ordered_line(&join->files, 0), amla_ordered_line(&join->files, 1) };
    join_print(&join->layout, left ? &lines[0] : NULL, right ? &lines[1] : NULL, out);
}

/* --- the first lines: they may be headers, and say how many columns there are --------------- */

static bool start(Join *join, AmlaBuffer *out)
{
    AmlaOrderedFiles *files = &join->files;
    const bool left = amla_ordered_has(files, 0), right = amla_ordered_has(files, 1);
    const AmlaInputLine lines[] = { amla_ordered_line(files, 0), amla_ordered_line(files, 1) };
    join->stage = COMPARE;
    if (join->automatic && !join_columns_of(&join->layout, left ? &lines[0] : NULL, right ? &lines[1] : NULL))
        return false;
    if (join->header && (left || right)) {
        print_present(join, left, right, out);
        for (int side = 0; side < 2; side++) {
            files->sides[side].due = amla_ordered_has(files, side);
            files->sides[side].input.present = false; /* nothing is in order with a header */
        }
    }
    return true;
}

/* --- pairs ---------------------------------------------------------------------------------- */

static size_t group_count(const Group *group)
{
    return group->ends.length / sizeof(size_t);
}

static AmlaInputLine group_line(const Group *group, size_t index)
{
    const size_t *ends = (const size_t *)(const void *)group->ends.data;
    const size_t from = index ? ends[index - 1] : 0;
    return (AmlaInputLine){ group->texts.data + from, ends[index] - from };
}

static void hold(Group *group, AmlaInputLine line)
{
    amla_buffer_append(&group->texts, line.data, line.length);
    amla_buffer_append(&group->ends, &group->texts.length, sizeof group->texts.length);
}

static void begin_group(Join *join)
{
    const AmlaInputLine key = amla_ordered_key(&join->files, 0);
    join->stage = GATHER;
    join->gathered = 0;
    join->key.length = 0;
    amla_buffer_append(&join->key, key.data, key.length);
    for (int side = 0; side < 2; side++)
        join->groups[side].texts.length = join->groups[side].ends.length = 0;
}

/* One line more, or on to the other file, or to the pairs. */
static void gather(Join *join)
{
    const int side = join->gathered;
    const AmlaInputLine key = { join->key.data, join->key.length };
    if (amla_ordered_has(&join->files, side) && !order(join, amla_ordered_key(&join->files, side), key)) {
        hold(&join->groups[side], amla_ordered_line(&join->files, side));
        join->files.sides[side].due = true;
    } else if (side == 0)
        join->gathered = 1;
    else {
        join->stage = join->pairs ? PRODUCT : COMPARE;
        join->left = join->right = 0;
    }
}

static void put_pair(Join *join, AmlaBuffer *out)
{
    const AmlaInputLine left = group_line(&join->groups[0], join->left), right = group_line(&join->groups[1], join->right);
    join_print(&join->layout, &left, &right, out);
    if (++join->right < group_count(&join->groups[1]))
        return;
    join->right = 0;
    if (++join->left == group_count(&join->groups[0]))
        join->stage = COMPARE;
}

/* --- all ------------------------------------------------------------------------------------ */

static void put_alone(Join *join, int side, AmlaBuffer *out)
{
    if (join->alone >> side & 1)
        print_present(join, side == 0, side == 1, out);
    join->files.sides[side].due = true;
}

static bool compare(Join *join, AmlaBuffer *out)
{
    AmlaOrderedFiles *files = &join->files;
    const bool left = amla_ordered_has(files, 0), right = amla_ordered_has(files, 1);
    files->unpaired |= join->was_alone;
    if (!left && !right)
        return false;
    const int which = left && right ? order(join, amla_ordered_key(files, 0), amla_ordered_key(files, 1)) : left ? -1 : 1;
    if (which == 0)
        begin_group(join);
    else {
        join->was_alone |= left && right;
        put_alone(join, which > 0, out);
    }
    return true;
}

static bool has_failed(const Join *join)
{
    return join->key.failed || join->groups[0].texts.failed || join->groups[0].ends.failed || join->groups[1].texts.failed ||
           join->groups[1].ends.failed;
}

static AmlaFilterState run(Join *join, AmlaBuffer *out)
{
    for (AmlaFilterState state = AMLA_FILTER_MORE;;) {
        if (amla_output_is_full(out, &state) || !amla_ordered_advance(&join->files, &state))
            return state;
        if (has_failed(join) || (join->stage == FIRST && !start(join, out)))
            return AMLA_FILTER_MEMORY;
        if (join->files.sides[0].due || join->files.sides[1].due)
            continue;
        if (join->stage == GATHER)
            gather(join);
        else if (join->stage == PRODUCT)
            put_pair(join, out);
        else if (!compare(join, out))
            return AMLA_FILTER_DONE;
    }
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Join *join = self;
    return amla_ordered_feed(&join->files, bytes, length) ? run(join, out) : AMLA_FILTER_MEMORY;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Join *join = self;
    amla_ordered_end(&join->files);
    return run(join, out);
}

static JSValue report(JSContext *ctx, void *self)
{
    return amla_ordered_report(ctx, &((Join *)self)->files);
}

static void destroy(void *self)
{
    Join *join = self;
    amla_ordered_clear(&join->files);
    join_layout_clear(&join->layout);
    amla_buffer_clear(&join->key);
    for (int side = 0; side < 2; side++) {
        amla_buffer_clear(&join->groups[side].texts);
        amla_buffer_clear(&join->groups[side].ends);
    }
}

const AmlaFilterType amla_filter_join = {
    .name = "join",
    .size = sizeof(Join),
    .create = create,
    .configure = configure,
    .feed = feed,
    .end = end,
    .report = report,
    .destroy = destroy,
};
