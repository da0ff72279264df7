#include "native_bulk.h"

#include <string.h>

#include "bytes_view.h"

static JSValue copy_bytes(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t source_at, target_at, length;
    AmlaBytes source, target;
    if (!amla_bytes_index(ctx, argv[1], "sourceAt", 0, AMLA_LENGTH_MAX, &source_at) ||
        !amla_bytes_index(ctx, argv[3], "targetAt", 0, AMLA_LENGTH_MAX, &target_at) ||
        !amla_bytes_index(ctx, argv[4], "length", 0, AMLA_LENGTH_MAX, &length) ||
        !amla_bytes_borrow(ctx, argv[0], &source) || !amla_bytes_borrow(ctx, argv[2], &target))
        return JS_EXCEPTION;
    if (source_at > source.length || length > source.length - source_at || target_at > target.length ||
        length > target.length - target_at)
        return JS_ThrowRangeError(ctx, "copy of %zu bytes goes past the end of an array", length);
    memmove(target.data + target_at, source.data + source_at, length);
    return JS_NewInt64(ctx, (int64_t)length);
}

static JSValue compare_bytes(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes a, b;
    if (!amla_bytes_borrow(ctx, argv[0], &a) || !amla_bytes_borrow(ctx, argv[1], &b))
        return JS_EXCEPTION;
    int order = memcmp(a.data, b.data, a.length < b.length ? a.length : b.length);
    if (order == 0)
        order = (a.length > b.length) - (a.length < b.length);
    return JS_NewInt32(ctx, (order > 0) - (order < 0));
}

static JSValue index_of(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t from;
    AmlaBytes bytes, part;
    if (!amla_bytes_index(ctx, argv[2], "from", 0, AMLA_LENGTH_MAX, &from) || !amla_bytes_borrow(ctx, argv[0], &bytes) ||
        !amla_bytes_borrow(ctx, argv[1], &part))
        return JS_EXCEPTION;
    if (from > bytes.length)
        return JS_NewInt32(ctx, -1);
    const uint8_t *found = memmem(bytes.data + from, bytes.length - from, part.data, part.length);
    return JS_NewInt64(ctx, found ? found - bytes.data : -1);
}

static JSValue last_index_of(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t from;
    AmlaBytes bytes, part;
    if (!amla_bytes_index(ctx, argv[2], "from", AMLA_LENGTH_MAX, AMLA_LENGTH_MAX, &from) ||
        !amla_bytes_borrow(ctx, argv[0], &bytes) || !amla_bytes_borrow(ctx, argv[1], &part))
        return JS_EXCEPTION;
    if (part.length > bytes.length)
        return JS_NewInt32(ctx, -1);
    size_t last = bytes.length - part.length;
    for (size_t at = (from < last ? from : last) + 1; at-- > 0;)
        if (memcmp(bytes.data + at, part.data, part.length) == 0)
            return JS_NewInt64(ctx, (int64_t)at);
    return JS_NewInt32(ctx, -1);
}

/* Doubles what is filled, so that a short pattern costs few calls. */
static void fill_pattern(uint8_t *target, size_t length, const uint8_t *pattern, size_t size)
{
    size_t done = size < length ? size : length;
    memmove(target, pattern, done);
    while (done < length) {
        size_t more = done < length - done ? done : length - done;
        memcpy(target + done, target, more);
        done += more;
    }
}

static JSValue fill_bytes(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t from, to;
    int32_t byte = 0;
    bool plain = JS_IsNumber(argv[1]);
    AmlaBytes bytes, pattern;
    if (!amla_bytes_index(ctx, argv[2], "from", 0, AMLA_LENGTH_MAX, &from) ||
        !amla_bytes_index(ctx, argv[3], "to", AMLA_LENGTH_MAX, AMLA_LENGTH_MAX, &to) ||
        (plain && JS_ToInt32(ctx, &byte, argv[1])) || !amla_bytes_borrow(ctx, argv[0], &bytes) ||
        (!plain && !amla_bytes_borrow(ctx, argv[1], &pattern)))
        return JS_EXCEPTION;
    if (to > bytes.length)
        to = bytes.length;
    if (from >= to)
        return JS_UNDEFINED;
    if (plain)
        memset(bytes.data + from, byte, to - from);
    else if (pattern.length == 0)
        return JS_ThrowRangeError(ctx, "cannot fill with an empty pattern");
    else
        fill_pattern(bytes.data + from, to - from, pattern.data, pattern.length);
    return JS_UNDEFINED;
}

static JSValue swap_bytes(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t width;
    AmlaBytes bytes;
    if (!amla_bytes_index(ctx, argv[1], "width", 0, 8, &width) || !amla_bytes_borrow(ctx, argv[0], &bytes))
        return JS_EXCEPTION;
    if (width < 2 || bytes.length % width != 0)
        return JS_ThrowRangeError(ctx, "length must be a multiple of the width, and that at least 2");
    for (uint8_t *group = bytes.data; group < bytes.data + bytes.length; group += width) {
        for (size_t low = 0, high = width - 1; low < high; low++, high--) {
            uint8_t byte = group[low];
            group[low] = group[high];
            group[high] = byte;
        }
    }
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("compare", 2, compare_bytes),
    JS_CFUNC_DEF("copy", 5, copy_bytes),
    JS_CFUNC_DEF("fill", 4, fill_bytes),
    JS_CFUNC_DEF("indexOf", 3, index_of),
    JS_CFUNC_DEF("lastIndexOf", 3, last_index_of),
    JS_CFUNC_DEF("swap", 2, swap_bytes),
};

int amla_native_bulk(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
