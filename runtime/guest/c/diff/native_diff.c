#include "native_diff.h"

#include <stdlib.h>

#include "bytes_view.h"
#include "diff.h"
#include "filters/buffer.h"

static JSValue numbers(JSContext *ctx, const AmlaBuffer *words)
{
    JSValue bytes = JS_NewArrayBufferCopy(ctx, words->length ? words->data : (const uint8_t *)"", words->length);
    if (JS_IsException(bytes))
        return bytes;
    JSValue array = JS_NewTypedArray(ctx, 1, (JSValueConst[]){ bytes }, JS_TYPED_ARRAY_UINT32);
    JS_FreeValue(ctx, bytes);
    return array;
}

static void put(AmlaBuffer *words, size_t number)
{
    const uint32_t word = (uint32_t)number;
    amla_buffer_append(words, &word, sizeof word);
}

static void put_changes(const AmlaDiff *diff, AmlaBuffer *words)
{
    const AmlaDiffSide *a = &diff->sides[0], *b = &diff->sides[1];
    for (size_t x = 0, y = 0; x < a->lines || y < b->lines;) {
        const size_t from_x = x, from_y = y;
        while (x < a->lines && a->changed[x])
            x++;
        while (y < b->lines && b->changed[y])
            y++;
        if (x > from_x || y > from_y) {
            const size_t fields[] = { from_x, x - from_x, from_y, y - from_y };
            for (int i = 0; i < 4; i++)
                put(words, fields[i]);
            continue;
        }
        x++;
        y++;
    }
}

static int set_numbers(JSContext *ctx, JSValueConst object, const char *name, AmlaBuffer *words)
{
    JSValue array = words->failed ? JS_ThrowOutOfMemory(ctx) : numbers(ctx, words);
    amla_buffer_clear(words);
    return JS_IsException(array) ? -1 : JS_SetPropertyStr(ctx, object, name, array);
}

static JSValue result_of(JSContext *ctx, const AmlaDiff *diff)
{
    static const char *const names[] = { "left", "right" };
    JSValue object = JS_NewObject(ctx);
    AmlaBuffer words = { 0 };
    put_changes(diff, &words);
    int fault = set_numbers(ctx, object, "changes", &words);
    for (int i = 0; i < 2 && fault >= 0; i++) {
        for (size_t line = 0; line <= diff->sides[i].lines; line++)
            put(&words, diff->sides[i].starts[line]);
        fault = set_numbers(ctx, object, names[i], &words);
    }
    if (fault >= 0)
        return object;
    JS_FreeValue(ctx, object);
    return JS_EXCEPTION;
}

static JSValue compare(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes left, right;
    uint32_t flags, horizon;
    if (!amla_bytes_borrow(ctx, argv[0], &left) || !amla_bytes_borrow(ctx, argv[1], &right) || JS_ToUint32(ctx, &flags, argv[2]) ||
        JS_ToUint32(ctx, &horizon, argv[3]))
        return JS_EXCEPTION;
    AmlaDiff diff = { .flags = flags, .horizon = horizon };
    diff.sides[0].text = left.length ? left.data : (const uint8_t *)"";
    diff.sides[0].length = left.length;
    diff.sides[1].text = right.length ? right.data : (const uint8_t *)"";
    diff.sides[1].length = right.length;
    const AmlaDiffResult result = amla_diff_run(&diff);
    JSValue answer = result == AMLA_DIFF_FINE     ? result_of(ctx, &diff)
                     : result == AMLA_DIFF_MEMORY ? JS_ThrowOutOfMemory(ctx)
                                                  : JS_UNDEFINED;
    amla_diff_clear(&diff);
    return answer;
}

static const JSCFunctionListEntry functions[] = { JS_CFUNC_DEF("compare", 4, compare) };

int amla_native_diff(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, 1);
}
