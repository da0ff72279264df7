/* fold.  Options: width, bytes (columns are bytes, also tabs), spaces (break at blanks). */
#include "filter.h"
#include "lines.h"
#include "options.h"

typedef struct {
    uint64_t width;
    bool bytes, spaces;
    AmlaLines lines;
} Fold;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Fold *fold = self;
    fold->width = (uint64_t)amla_option_integer(ctx, options, "width", 80);
    fold->bytes = amla_option_flag(ctx, options, "bytes");
    fold->spaces = amla_option_flag(ctx, options, "spaces");
    return 0;
}

static uint64_t advance(const Fold *fold, uint64_t column, uint8_t byte)
{
    if (fold->bytes)
        return column + 1;
    switch (byte) {
    case '\b':
        return column - (column > 0);
    case '\r':
        return 0;
    case '\t':
        return column + 8 - column % 8;
    default:
        return column + 1;
    }
}

/* Where the piece line[from..to), which is full, is broken. */
static size_t break_point(const Fold *fold, const uint8_t *line, size_t from, size_t to)
{
    for (size_t at = to; fold->spaces && at > from; at--)
        if (line[at - 1] == ' ' || line[at - 1] == '\t')
            return at;
    return to;
}

static uint64_t width_of(const Fold *fold, const uint8_t *line, size_t from, size_t to)
{
    uint64_t column = 0;
    for (; from < to; from++)
        column = advance(fold, column, line[from]);
    return column;
}

static AmlaFilterState visit(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out)
{
    const Fold *fold = self;
    size_t from = 0;
    uint64_t column = 0;
    for (size_t at = 0; at < length;) {
        const uint64_t next = advance(fold, column, line[at]);
        if (next <= fold->width || at == from) {
            column = next;
            at++;
            continue;
        }
        const size_t stop = break_point(fold, line, from, at);
        amla_buffer_append(out, line + from, stop - from);
        amla_buffer_put(out, '\n');
        from = stop;
        column = width_of(fold, line, from, at);
    }
    amla_buffer_append(out, line + from, length - from);
    if (ended)
        amla_buffer_put(out, '\n');
    return AMLA_FILTER_MORE;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    return amla_lines_feed(&((Fold *)self)->lines, '\n', bytes, length, visit, self, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    return amla_lines_end(&((Fold *)self)->lines, visit, self, out);
}

static void destroy(void *self)
{
    amla_lines_clear(&((Fold *)self)->lines);
}

const AmlaFilterType amla_filter_fold = {
    .name = "fold",
    .size = sizeof(Fold),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
