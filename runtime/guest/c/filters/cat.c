/* cat with options.  Options: number (every line), numberNonblank, squeeze, ends, tabs, nonprinting. */
#include "filter.h"

#include "options.h"

typedef struct {
    bool number, number_nonblank, squeeze, ends, tabs, nonprinting;
    bool inside;    /* the last byte was no newline */
    int blanks;     /* empty lines just before */
    uint64_t count; /* lines numbered */
} Cat;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Cat *cat = self;
    cat->number = amla_option_flag(ctx, options, "number");
    cat->number_nonblank = amla_option_flag(ctx, options, "numberNonblank");
    cat->squeeze = amla_option_flag(ctx, options, "squeeze");
    cat->ends = amla_option_flag(ctx, options, "ends");
    cat->tabs = amla_option_flag(ctx, options, "tabs");
    cat->nonprinting = amla_option_flag(ctx, options, "nonprinting");
    return 0;
}

static void put_number(Cat *cat, AmlaBuffer *out)
{
    char text[32];
    int at = sizeof text, digits = 0;
    text[--at] = '\t';
    for (uint64_t n = ++cat->count; n; n /= 10, digits++)
        text[--at] = (char)('0' + n % 10);
    for (; digits < 6; digits++)
        text[--at] = ' ';
    amla_buffer_append(out, text + at, sizeof text - (size_t)at);
}

static void put_visible(const Cat *cat, uint8_t byte, AmlaBuffer *out)
{
    if (byte == '\t' ? !cat->tabs : !cat->nonprinting) {
        amla_buffer_put(out, byte);
        return;
    }
    if (byte >= 128) {
        amla_buffer_append(out, "M-", 2);
        byte -= 128;
    }
    if (byte < 32 || byte == 127) {
        amla_buffer_put(out, '^');
        byte ^= 64;
    }
    amla_buffer_put(out, byte);
}

static void put_newline(Cat *cat, AmlaBuffer *out)
{
    if (!cat->inside) {
        if (++cat->blanks > 1 && cat->squeeze)
            return;
        if (cat->number && !cat->number_nonblank)
            put_number(cat, out);
    }
    if (cat->ends)
        amla_buffer_put(out, '$');
    amla_buffer_put(out, '\n');
    cat->inside = false;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Cat *cat = self;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            put_newline(cat, out);
            continue;
        }
        if (!cat->inside && (cat->number || cat->number_nonblank))
            put_number(cat, out);
        cat->inside = true;
        cat->blanks = 0;
        put_visible(cat, bytes[i], out);
    }
    return AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)self, (void)more_files, (void)out;
    return AMLA_FILTER_MORE;
}

const AmlaFilterType amla_filter_cat = {
    .name = "cat",
    .size = sizeof(Cat),
    .create = create,
    .feed = feed,
    .end = end,
};
