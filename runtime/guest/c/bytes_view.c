#include "bytes_view.h"

/* The engine reports the length that a length-tracking view had when it was made, whatever its
   resizable buffer did since. Only such a view owns an index at or past that length. */
static size_t tracked_length(JSContext *ctx, JSValueConst value, size_t length, size_t room)
{
    if (length >= room)
        return room;
    JSAtom past_end = JS_NewAtomUInt32(ctx, (uint32_t)length);
    int grown = JS_GetOwnProperty(ctx, NULL, value, past_end);
    JS_FreeAtom(ctx, past_end);
    return grown > 0 ? room : length;
}

static bool is_byte_array(JSValueConst value)
{
    int type = JS_GetTypedArrayType(value);
    return type == JS_TYPED_ARRAY_UINT8 || type == JS_TYPED_ARRAY_UINT8C;
}

/* A view whose buffer was detached, or shrank away from under it, has no bytes. */
static bool borrow_nothing(JSContext *ctx, AmlaBytes *view)
{
    static uint8_t nothing[1];
    JS_FreeValue(ctx, JS_GetException(ctx));
    *view = (AmlaBytes){nothing, 0};
    return true;
}

bool amla_bytes_borrow(JSContext *ctx, JSValueConst value, AmlaBytes *view)
{
    size_t length, offset, size;
    if (!is_byte_array(value)) {
        JS_ThrowTypeError(ctx, "not a Uint8Array");
        return false;
    }
    uint8_t *data = JS_GetUint8Array(ctx, &length, value);
    if (!data)
        return borrow_nothing(ctx, view);
    JSValue buffer = JS_GetTypedArrayBuffer(ctx, value, &offset, NULL, NULL);
    if (JS_IsException(buffer))
        return borrow_nothing(ctx, view);
    uint8_t *start = JS_GetArrayBuffer(ctx, &size, buffer);
    JS_FreeValue(ctx, buffer); /* the view keeps it alive */
    if (!start)
        return borrow_nothing(ctx, view);
    view->data = data;
    view->length = tracked_length(ctx, value, length, size - offset);
    return true;
}

static void *resize_adopted(JSRuntime *rt, void *opaque, void *data, size_t size)
{
    (void)opaque;
    if (size == 0) {
        js_free_rt(rt, data);
        return NULL;
    }
    return js_realloc_rt(rt, data, size);
}

JSValue amla_bytes_adopt(JSContext *ctx, uint8_t *data, size_t length)
{
    if (!data)
        return JS_EXCEPTION;
    JSValue buffer = JS_NewArrayBuffer(ctx, data, length, 0, resize_adopted, NULL, false);
    if (JS_IsException(buffer)) {
        js_free(ctx, data);
        return JS_EXCEPTION;
    }
    JSValue array = JS_NewTypedArray(ctx, 1, &buffer, JS_TYPED_ARRAY_UINT8);
    JS_FreeValue(ctx, buffer);
    return array;
}

uint8_t *amla_bytes_alloc(JSContext *ctx, size_t length)
{
    return js_malloc(ctx, length ? length : 1);
}

bool amla_bytes_index(JSContext *ctx, JSValueConst value, const char *name, size_t absent, size_t limit, size_t *out)
{
    double number;
    *out = absent;
    if (JS_IsUndefined(value))
        return true;
    if (JS_ToFloat64(ctx, &number, value))
        return false;
    if (!(number >= 0 && number <= (double)limit) || number != (double)(size_t)number) {
        JS_ThrowRangeError(ctx, "%s must be an integer from 0 to %zu", name, limit);
        return false;
    }
    *out = (size_t)number;
    return true;
}
