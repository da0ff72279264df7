/* comm.  Options: end (what ends lines), checking (0 never, 1 once a line was alone, 2 always), hidden (bits of the columns
 * that are left out), delimiter (bytes), total.  Before feed() or end(): source.  Report: see ordered.h. */
#include <stdio.h>
#include <stdlib.h>

#include "filter.h"
#include "options.h"
#include "ordered.h"

enum { COLUMNS = 3 };

typedef struct {
    AmlaOrderedFiles files;
    char *delimiter; /* owned */
    size_t delimiter_length;
    unsigned hidden;
    bool total;
    uint64_t counts[COLUMNS];
} Comm;

static AmlaInputLine whole_line(const void *self, int side, AmlaInputLine line)
{
    (void)self, (void)side;
    return line;
}

static int order(const void *self, AmlaInputLine left, AmlaInputLine right)
{
    (void)self;
    return amla_order_bytes(left, right);
}

static int configure(JSContext *ctx, void *self, JSValueConst options)
{
    amla_ordered_configure(&((Comm *)self)->files, ctx, options);
    return 0;
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Comm *comm = self;
    amla_ordered_create(&comm->files, ctx, options);
    comm->files.key_of = whole_line;
    comm->files.order = order;
    comm->hidden = (unsigned)amla_option_integer(ctx, options, "hidden", 0);
    comm->total = amla_option_flag(ctx, options, "total");
    comm->delimiter = amla_option_text(ctx, options, "delimiter", &comm->delimiter_length);
    if (comm->delimiter)
        return 0;
    JS_ThrowOutOfMemory(ctx);
    return -1;
}

static void put_total(const Comm *comm, AmlaBuffer *out)
{
    char number[24];
    for (int column = 0; column < COLUMNS; column++) {
        amla_buffer_append(out, number, (size_t)snprintf(number, sizeof number, "%llu", (unsigned long long)comm->counts[column]));
        amla_buffer_append(out, comm->delimiter, comm->delimiter_length);
    }
    amla_buffer_append(out, "total", 5);
    amla_buffer_put(out, comm->files.end);
}

static void put_line(const Comm *comm, int column, AmlaInputLine line, AmlaBuffer *out)
{
    if (comm->hidden >> column & 1)
        return;
    for (int before = 0; before < column; before++)
        if (!(comm->hidden >> before & 1))
            amla_buffer_append(out, comm->delimiter, comm->delimiter_length);
    amla_buffer_append(out, line.data, line.length);
    amla_buffer_put(out, comm->files.end);
}

/* One line or a pair; both files are where they are to be compared. */
static void compare(Comm *comm, AmlaBuffer *out)
{
    AmlaOrderedFiles *files = &comm->files;
    const bool left = amla_ordered_has(files, 0), right = amla_ordered_has(files, 1);
    const int which = !left ? 1 : !right ? -1 : amla_order_bytes(amla_ordered_line(files, 0), amla_ordered_line(files, 1));
    const int column = which < 0 ? 0 : which > 0 ? 1 : 2;
    files->unpaired |= which != 0;
    comm->counts[column]++;
    put_line(comm, column, amla_ordered_line(files, which > 0), out);
    files->sides[0].due = which <= 0;
    files->sides[1].due = which >= 0;
}

static AmlaFilterState run(Comm *comm, AmlaBuffer *out)
{
    AmlaOrderedFiles *files = &comm->files;
    for (AmlaFilterState state = AMLA_FILTER_MORE;;) {
        if (amla_output_is_full(out, &state) || !amla_ordered_advance(files, &state))
            return state;
        if (!amla_ordered_has(files, 0) && !amla_ordered_has(files, 1)) {
            if (comm->total)
                put_total(comm, out);
            return AMLA_FILTER_DONE;
        }
        compare(comm, out);
    }
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Comm *comm = self;
    return amla_ordered_feed(&comm->files, bytes, length) ? run(comm, out) : AMLA_FILTER_MEMORY;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Comm *comm = self;
    amla_ordered_end(&comm->files);
    return run(comm, out);
}

static JSValue report(JSContext *ctx, void *self)
{
    return amla_ordered_report(ctx, &((Comm *)self)->files);
}

static void destroy(void *self)
{
    Comm *comm = self;
    amla_ordered_clear(&comm->files);
    free(comm->delimiter);
}

const AmlaFilterType amla_filter_comm = {
    .name = "comm",
    .size = sizeof(Comm),
    .create = create,
    .configure = configure,
    .feed = feed,
    .end = end,
    .report = report,
    .destroy = destroy,
};
