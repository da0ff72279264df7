/* rev.  No options: lines end in a newline. */
#include "characters.h"
#include "filter.h"
#include "lines.h"

typedef struct {
    AmlaLines lines;
} Rev;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    (void)ctx, (void)self, (void)options;
    return 0;
}

static AmlaFilterState visit(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out)
{
    (void)self;
    if (!amla_buffer_reserve(out, length + 1))
        return AMLA_FILTER_MEMORY;
    uint8_t *to = out->data + out->length + length;
    uint32_t code;
    for (size_t at = 0; at < length;) {
        const size_t size = line[at] < 0x80 ? 1 : amla_character(line + at, length - at, &code);
        memcpy(to -= size ? size : 1, line + at, size ? size : 1);
        at += size ? size : 1;
    }
    out->length += length;
    if (ended)
        amla_buffer_put(out, '\n');
    return AMLA_FILTER_MORE;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    return amla_lines_feed(&((Rev *)self)->lines, '\n', bytes, length, visit, self, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    return amla_lines_end(&((Rev *)self)->lines, visit, self, out);
}

static void destroy(void *self)
{
    amla_lines_clear(&((Rev *)self)->lines);
}

const AmlaFilterType amla_filter_rev = {
    .name = "rev",
    .size = sizeof(Rev),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
