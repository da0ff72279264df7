#include "native_regex.h"

#include <stdlib.h>

#include "bytes_view.h"
#include "regex.h"

enum { SPANS_MAX = 64 };

static JSClassID regex_class;

static void free_regex(JSRuntime *rt, JSValueConst value)
{
    (void)rt;
    amla_regex_free(JS_GetOpaque(value, regex_class));
}

static const JSClassDef regex_class_def = { .class_name = "Regex", .finalizer = free_regex };

/* create(pattern bytes, flags): a handle; throws a SyntaxError in the GNU tools' words. */
static JSValue create(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    uint32_t flags;
    AmlaBytes pattern;
    if (JS_ToUint32(ctx, &flags, argv[1]) || !amla_bytes_borrow(ctx, argv[0], &pattern))
        return JS_EXCEPTION;
    JSValue handle = JS_NewObjectClass(ctx, regex_class);
    if (JS_IsException(handle))
        return handle;
    const char *error = NULL;
    AmlaRegex *regex = amla_regex_create((const char *)pattern.data, pattern.length, flags, &error);
    if (!regex) {
        JS_FreeValue(ctx, handle);
        return JS_ThrowSyntaxError(ctx, "%s", error ? error : "Memory exhausted");
    }
    JS_SetOpaque(handle, regex);
    return handle;
}

static JSValue spans_array(JSContext *ctx, const AmlaSpan *spans, size_t count)
{
    JSValue array = JS_NewArray(ctx);
    for (size_t i = 0; i < count && !JS_IsException(array); i++) {
        const bool unset = spans[i].start == AMLA_REGEX_UNSET;
        JS_SetPropertyUint32(ctx, array, (uint32_t)(2 * i), JS_NewInt64(ctx, unset ? -1 : (int64_t)spans[i].start));
        JS_SetPropertyUint32(ctx, array, (uint32_t)(2 * i + 1), JS_NewInt64(ctx, unset ? -1 : (int64_t)spans[i].end));
    }
    return array;
}

/* search(handle, bytes, from, spans): [start, end, …] of the match and the groups asked for (-1 where unset), or
 * undefined; throws a RangeError when it is too complex. */
static JSValue search(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes text;
    size_t from, count;
    AmlaSpan spans[SPANS_MAX];
    AmlaRegex *regex = JS_GetOpaque2(ctx, argv[0], regex_class);
    if (!regex || !amla_bytes_index(ctx, argv[2], "from", 0, SIZE_MAX / 2, &from) ||
        !amla_bytes_index(ctx, argv[3], "spans", 1, SPANS_MAX, &count) || !amla_bytes_borrow(ctx, argv[1], &text))
        return JS_EXCEPTION;
    if (from > text.length)
        return JS_UNDEFINED;
    switch (amla_regex_search(regex, (const char *)text.data, text.length, from, spans, count)) {
    case AMLA_REGEX_MATCH:
        return spans_array(ctx, spans, count);
    case AMLA_REGEX_TOO_COMPLEX:
        return JS_ThrowRangeError(ctx, "the regular expression needs too many steps on this text");
    default:
        return JS_UNDEFINED;
    }
}

/* groups(handle): how many groups the pattern has. */
static JSValue groups(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaRegex *regex = JS_GetOpaque2(ctx, argv[0], regex_class);
    return regex ? JS_NewUint32(ctx, amla_regex_groups(regex)) : JS_EXCEPTION;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("create", 2, create),
    JS_CFUNC_DEF("search", 4, search),
    JS_CFUNC_DEF("groups", 1, groups),
};

int amla_native_regex(JSContext *ctx, JSValueConst object)
{
    JSRuntime *rt = JS_GetRuntime(ctx);
    JS_NewClassID(rt, &regex_class);
    if (JS_NewClass(rt, regex_class, &regex_class_def))
        return -1;
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
