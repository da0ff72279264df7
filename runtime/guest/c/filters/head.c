/* The first lines or bytes of one stream.
 *
 * Options: count, bytes (whether bytes are counted, else lines), end (what ends lines).
 * Report: bytes at the end of the last chunk that were not used.
 */
#include "filter.h"
#include "options.h"

typedef struct {
    uint64_t left;
    bool bytes;
    uint8_t end;
    size_t unused;
} Head;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Head *head = self;
    head->left = (uint64_t)amla_option_integer(ctx, options, "count", 10);
    head->bytes = amla_option_flag(ctx, options, "bytes");
    head->end = (uint8_t)amla_option_integer(ctx, options, "end", '\n');
    return 0;
}

/* How much of the chunk belongs to the head. */
static size_t take(Head *head, const uint8_t *bytes, size_t length)
{
    if (head->bytes) {
        const size_t taken = head->left < length ? (size_t)head->left : length;
        head->left -= taken;
        return taken;
    }
    const uint8_t *at = bytes, *const stop = bytes + length;
    while (head->left > 0 && at < stop) {
        const uint8_t *found = memchr(at, head->end, (size_t)(stop - at));
        head->left -= found != NULL;
        at = found ? found + 1 : stop;
    }
    return (size_t)(at - bytes);
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Head *head = self;
    const size_t taken = take(head, bytes, length);
    amla_buffer_append(out, bytes, taken);
    head->unused = length - taken;
    return head->left ? AMLA_FILTER_MORE : AMLA_FILTER_DONE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)self, (void)more_files, (void)out;
    return AMLA_FILTER_MORE;
}

static JSValue report(JSContext *ctx, void *self)
{
    return JS_NewInt64(ctx, (int64_t)((Head *)self)->unused);
}

const AmlaFilterType amla_filter_head = {
    .name = "head",
    .size = sizeof(Head),
    .create = create,
    .feed = feed,
    .end = end,
    .report = report,
};
