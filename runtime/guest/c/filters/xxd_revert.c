/* xxd -r.  Options: plain (digits alone), columns (bytes of a line at most), shift (added to offsets). */
#include "filter.h"
#include "lines.h"
#include "options.h"

enum { STRAYS = 2 }; /* so many characters in a row that are no digits begin a comment, up to the line's end */

typedef struct {
    bool plain;
    int64_t columns, shift;
    int carried; /* plain: a digit that goes on with the next line's first, or -1 */
    AmlaLines lines;
    AmlaBuffer image; /* what the lines with offsets describe */
} Revert;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Revert *revert = self;
    revert->plain = amla_option_flag(ctx, options, "plain");
    revert->columns = amla_option_integer(ctx, options, "columns", 16);
    revert->shift = amla_option_integer(ctx, options, "shift", 0);
    revert->carried = -1;
    return 0;
}

static int digit_of(uint8_t byte)
{
    const uint8_t lower = byte | 32;
    return byte >= '0' && byte <= '9' ? byte - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* The bytes that pairs of digits stand for, `most` at most; `first` is a digit before them, or -1.  A digit that is left. */
static int put_pairs(const uint8_t *at, const uint8_t *stop, int64_t most, bool skip_blanks, int first, AmlaBuffer *out)
{
    int strays = 0;
    for (int64_t count = 0; at < stop && count < most && strays < STRAYS; at++) {
        const int digit = digit_of(*at);
        if (digit < 0 && skip_blanks && is_blank(*at))
            continue;
        strays = digit < 0 ? strays + 1 : 0;
        if (digit < 0)
            first = -1;
        else if (first < 0)
            first = digit;
        else {
            amla_buffer_put(out, (uint8_t)(first << 4 | digit));
            first = -1;
            count++;
        }
    }
    return first;
}

/* Make room for what lies at this offset, with zeros before it. */
static bool reach(AmlaBuffer *image, int64_t offset)
{
    if (offset < 0 || offset > INT32_MAX)
        return false;
    const size_t missing = (size_t)offset > image->length ? (size_t)offset - image->length : 0;
    if (!amla_buffer_reserve(image, missing))
        return false;
    memset(image->data + image->length, 0, missing);
    image->length += missing;
    return true;
}

static bool place(Revert *revert, int64_t offset, const AmlaBuffer *bytes)
{
    AmlaBuffer *image = &revert->image;
    if (!bytes->length)
        return true;
    if (!reach(image, offset))
        return false;
    const size_t behind = image->length - (size_t)offset, over = bytes->length < behind ? bytes->length : behind;
    memcpy(image->data + offset, bytes->data, over);
    amla_buffer_append(image, bytes->data + over, bytes->length - over);
    return !image->failed;
}

static AmlaFilterState visit_dump(Revert *revert, const uint8_t *at, const uint8_t *stop)
{
    int64_t offset = 0;
    AmlaBuffer bytes = { 0 };
    while (at < stop && digit_of(*at) < 0)
        at++;
    if (at == stop)
        return AMLA_FILTER_MORE;
    for (; at < stop && digit_of(*at) >= 0; at++)
        offset = offset > INT32_MAX ? offset : offset << 4 | digit_of(*at);
    if (at < stop)
        at++;
    put_pairs(at, stop, revert->columns, false, -1, &bytes);
    const bool placed = !bytes.failed && place(revert, offset + revert->shift, &bytes);
    amla_buffer_clear(&bytes);
    return placed ? AMLA_FILTER_MORE : AMLA_FILTER_MEMORY;
}

static AmlaFilterState visit(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out)
{
    (void)ended;
    Revert *revert = self;
    if (!revert->plain)
        return visit_dump(revert, line, line + length);
    revert->carried = put_pairs(line, line + length, INT64_MAX, true, revert->carried, out);
    return AMLA_FILTER_MORE;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    return amla_lines_feed(&((Revert *)self)->lines, '\n', bytes, length, visit, self, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Revert *revert = self;
    const AmlaFilterState state = amla_lines_end(&revert->lines, visit, revert, out);
    amla_buffer_append(out, revert->image.data, revert->image.length);
    return state;
}

static void destroy(void *self)
{
    Revert *revert = self;
    amla_lines_clear(&revert->lines);
    amla_buffer_clear(&revert->image);
}

const AmlaFilterType amla_filter_xxd_revert = {
    .name = "xxd_revert",
    .size = sizeof(Revert),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
