#include "native_types.h"

#include <string.h>

/* Predicates by class name; the index is the function's magic number. */
static const char *const predicates[] = {
    "map", "set", "mapiterator", "setiterator", "weakmap", "weakset", "weakref", "date", "regexp", "error",
    "promise", "proxy", "arraybuffer", "sharedarraybuffer", "dataview", "arguments", "module", "symbol", "bigint",
    "number", "string", "boolean",
};

static bool class_is(JSValueConst value, const char *name)
{
    const char *found = amla_class_name(value);
    return found && !strcmp(found, name);
}

static JSValue is_class(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv, int magic)
{
    (void)this_value, (void)argc;
    return JS_NewBool(ctx, class_is(argv[0], predicates[magic]));
}

static JSValue is_generator(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    return JS_NewBool(ctx, class_is(argv[0], "generator") || class_is(argv[0], "asyncgenerator"));
}

static JSValue is_boxed(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)ctx, (void)this_value, (void)argc;
    const char *name = amla_class_name(argv[0]);
    static const char *const boxes[] = { "number", "string", "boolean", "bigint", "symbol" };
    for (size_t i = 0; name && i < sizeof boxes / sizeof *boxes; i++)
        if (!strcmp(name, boxes[i]))
            return JS_TRUE;
    return JS_FALSE;
}

static JSValue is_typed_array(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    return JS_NewBool(ctx, JS_GetTypedArrayType(argv[0]) >= 0);
}

static JSValue typed_array_name(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    if (JS_GetTypedArrayType(argv[0]) < 0)
        return JS_UNDEFINED;
    const char *name = amla_class_name(argv[0]);
    return name ? JS_NewString(ctx, name) : JS_UNDEFINED;
}

/* magic 0: async functions and generators; 1: generator functions of both kinds */
static JSValue is_function_of(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv, int magic)
{
    (void)this_value, (void)argc;
    const char *kind = amla_function_kind(argv[0]);
    const char *wanted = magic ? "generator" : "async";
    return JS_NewBool(ctx, kind && (!strcmp(kind, wanted) || !strcmp(kind, "asyncgenerator")));
}

static JSValue function_kind(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const char *kind = amla_function_kind(argv[0]);
    return kind ? JS_NewString(ctx, kind) : JS_UNDEFINED;
}

/* A new array of two owned values. */
static JSValue pair(JSContext *ctx, JSValue first, JSValue second)
{
    JSValue array = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, array, 0, first);
    JS_SetPropertyUint32(ctx, array, 1, second);
    return array;
}

static JSValue proxy_details(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    if (!JS_IsProxy(argv[0]))
        return JS_UNDEFINED;
    JSValue target = JS_GetProxyTarget(ctx, argv[0]);
    if (JS_IsException(target)) { /* revoked */
        JS_FreeValue(ctx, JS_GetException(ctx));
        return pair(ctx, JS_NULL, JS_NULL);
    }
    return pair(ctx, target, JS_GetProxyHandler(ctx, argv[0]));
}

static JSValue promise_details(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSPromiseStateEnum state = JS_PromiseState(ctx, argv[0]);
    if (state != JS_PROMISE_PENDING && state != JS_PROMISE_FULFILLED && state != JS_PROMISE_REJECTED)
        return JS_UNDEFINED;
    int number = state == JS_PROMISE_PENDING ? 0 : state == JS_PROMISE_FULFILLED ? 1 : 2;
    return pair(ctx, JS_NewInt32(ctx, number), number ? JS_PromiseResult(ctx, argv[0]) : JS_UNDEFINED);
}

static JSValue is_pending(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    return JS_NewBool(ctx, JS_PromiseState(ctx, argv[0]) == JS_PROMISE_PENDING);
}

static JSValue preview_entries(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    bool pairs;
    return amla_preview_entries(ctx, argv[0], &pairs);
}

static JSValue previews_pairs(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    bool pairs;
    JS_FreeValue(ctx, amla_preview_entries(ctx, argv[0], &pairs));
    return JS_NewBool(ctx, pairs);
}

static JSValue own_non_index_keys(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value;
    if (!JS_IsObject(argv[0]))
        return JS_NewArray(ctx);
    return amla_non_index_keys(ctx, argv[0], argc > 1 && JS_ToBool(ctx, argv[1]) > 0);
}

static JSValue copy_map(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    return amla_copy_map(ctx, argv[0]);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_MAGIC_DEF("isMap", 1, is_class, 0),
    JS_CFUNC_MAGIC_DEF("isSet", 1, is_class, 1),
    JS_CFUNC_MAGIC_DEF("isMapIterator", 1, is_class, 2),
    JS_CFUNC_MAGIC_DEF("isSetIterator", 1, is_class, 3),
    JS_CFUNC_MAGIC_DEF("isWeakMap", 1, is_class, 4),
    JS_CFUNC_MAGIC_DEF("isWeakSet", 1, is_class, 5),
    JS_CFUNC_MAGIC_DEF("isWeakRef", 1, is_class, 6),
    JS_CFUNC_MAGIC_DEF("isDate", 1, is_class, 7),
    JS_CFUNC_MAGIC_DEF("isRegExp", 1, is_class, 8),
    JS_CFUNC_MAGIC_DEF("isNativeError", 1, is_class, 9),
    JS_CFUNC_MAGIC_DEF("isPromise", 1, is_class, 10),
    JS_CFUNC_MAGIC_DEF("isProxy", 1, is_class, 11),
    JS_CFUNC_MAGIC_DEF("isArrayBuffer", 1, is_class, 12),
    JS_CFUNC_MAGIC_DEF("isSharedArrayBuffer", 1, is_class, 13),
    JS_CFUNC_MAGIC_DEF("isDataView", 1, is_class, 14),
    JS_CFUNC_MAGIC_DEF("isArgumentsObject", 1, is_class, 15),
    JS_CFUNC_MAGIC_DEF("isModuleNamespaceObject", 1, is_class, 16),
    JS_CFUNC_MAGIC_DEF("isModuleNamespace", 1, is_class, 16),
    JS_CFUNC_MAGIC_DEF("isSymbolObject", 1, is_class, 17),
    JS_CFUNC_MAGIC_DEF("isBigIntObject", 1, is_class, 18),
    JS_CFUNC_MAGIC_DEF("isNumberObject", 1, is_class, 19),
    JS_CFUNC_MAGIC_DEF("isStringObject", 1, is_class, 20),
    JS_CFUNC_MAGIC_DEF("isBooleanObject", 1, is_class, 21),
    JS_CFUNC_DEF("isGeneratorObject", 1, is_generator),
    JS_CFUNC_DEF("isBoxedPrimitive", 1, is_boxed),
    JS_CFUNC_DEF("isTypedArray", 1, is_typed_array),
    JS_CFUNC_DEF("typedArrayName", 1, typed_array_name),
    JS_CFUNC_MAGIC_DEF("isAsyncFunction", 1, is_function_of, 0),
    JS_CFUNC_MAGIC_DEF("isGeneratorFunction", 1, is_function_of, 1),
    JS_CFUNC_DEF("functionKind", 1, function_kind),
    JS_CFUNC_DEF("proxyDetails", 1, proxy_details),
    JS_CFUNC_DEF("promiseDetails", 1, promise_details),
    JS_CFUNC_DEF("isPending", 1, is_pending),
    JS_CFUNC_DEF("previewEntries", 1, preview_entries),
    JS_CFUNC_DEF("previewsPairs", 1, previews_pairs),
    JS_CFUNC_DEF("ownNonIndexKeys", 2, own_non_index_keys),
    JS_CFUNC_DEF("copyMap", 1, copy_map),
};

int amla_native_types(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
