#include "native_awk.h"

#include "awk.h"
#include "bytes_view.h"

static JSClassID awk_class;

static void free_awk(JSRuntime *rt, JSValueConst value)
{
    (void)rt;
    amla_awk_free(JS_GetOpaque(value, awk_class));
}

static const JSClassDef awk_class_def = { .class_name = "Awk", .finalizer = free_awk };

#define NATIVE(name) static JSValue name(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)

static AmlaAwk *awk_of(JSContext *ctx, JSValueConst value)
{
    AmlaAwk *awk = JS_GetOpaque2(ctx, value, awk_class);
    if (!awk && !JS_HasException(ctx))
        JS_ThrowTypeError(ctx, "this awk is over");
    return awk;
}

NATIVE(create)
{
    (void)this_value, (void)argc;
    JSValue handle = JS_NewObjectClass(ctx, awk_class);
    AmlaAwk *awk = JS_IsException(handle) ? NULL : amla_awk_create(JS_ToBool(ctx, argv[0]) > 0, JS_ToBool(ctx, argv[1]) > 0);
    if (!awk) {
        JS_FreeValue(ctx, handle);
        return JS_ThrowOutOfMemory(ctx);
    }
    JS_SetOpaque(handle, awk);
    return handle;
}

NATIVE(source)
{
    (void)this_value, (void)argc;
    AmlaBytes text;
    AmlaAwk *awk = awk_of(ctx, argv[0]);
    const char *name = awk && !JS_IsUndefined(argv[1]) ? JS_ToCString(ctx, argv[1]) : NULL;
    if (!awk || (!name && !JS_IsUndefined(argv[1])))
        return JS_EXCEPTION;
    const bool fine = amla_bytes_borrow(ctx, argv[2], &text);
    if (fine)
        amla_awk_source(awk, name, (const char *)text.data, text.length);
    JS_FreeCString(ctx, name);
    return fine ? JS_UNDEFINED : JS_EXCEPTION;
}

/* A function that takes a handle and bytes. */
static JSValue give_bytes(JSContext *ctx, JSValueConst *argv, void (*give)(AmlaAwk *awk, const char *text, size_t length))
{
    AmlaBytes text;
    AmlaAwk *awk = awk_of(ctx, argv[0]);
    if (!awk || !amla_bytes_borrow(ctx, argv[1], &text))
        return JS_EXCEPTION;
    give(awk, (const char *)text.data, text.length);
    return JS_UNDEFINED;
}

NATIVE(assign)
{
    (void)this_value, (void)argc;
    return give_bytes(ctx, argv, amla_awk_assign);
}

NATIVE(argument)
{
    (void)this_value, (void)argc;
    return give_bytes(ctx, argv, amla_awk_argument);
}

NATIVE(environment)
{
    (void)this_value, (void)argc;
    AmlaBytes name, value;
    AmlaAwk *awk = awk_of(ctx, argv[0]);
    if (!awk || !amla_bytes_borrow(ctx, argv[1], &name) || !amla_bytes_borrow(ctx, argv[2], &value))
        return JS_EXCEPTION;
    amla_awk_environment(awk, (const char *)name.data, name.length, (const char *)value.data, value.length);
    return JS_UNDEFINED;
}

NATIVE(zone)
{
    (void)this_value, (void)argc;
    AmlaBytes changes, names;
    AmlaAwk *awk = awk_of(ctx, argv[0]);
    if (!awk || !amla_bytes_borrow(ctx, argv[1], &changes) || !amla_bytes_borrow(ctx, argv[2], &names))
        return JS_EXCEPTION;
    amla_awk_zone(awk, changes.data, changes.length, (const char *)names.data, names.length);
    return JS_UNDEFINED;
}

/* The run is ending: nothing of the system's is to catch this. */
static JSValue interrupted(JSContext *ctx)
{
    JS_ThrowInternalError(ctx, "interrupted");
    JSValue error = JS_GetException(ctx);
    JS_SetUncatchableError(ctx, error);
    return JS_Throw(ctx, error);
}

NATIVE(run)
{
    (void)this_value, (void)argc;
    AmlaAwk *awk = awk_of(ctx, argv[0]);
    if (!awk)
        return JS_EXCEPTION;
    const AmlaAwkState state = amla_awk_run(awk);
    return state == AMLA_AWK_INTERRUPTED ? interrupted(ctx) : JS_NewInt32(ctx, (int32_t)state);
}

NATIVE(request)
{
    (void)this_value, (void)argc;
    AmlaAwk *awk = awk_of(ctx, argv[0]);
    if (!awk)
        return JS_EXCEPTION;
    const AmlaAwkRequest *wanted = amla_awk_request(awk);
    JSValue text = JS_NewUint8ArrayCopy(ctx, (const uint8_t *)(wanted->length ? wanted->text : ""), wanted->length);
    if (JS_IsException(text))
        return JS_EXCEPTION;
    JSValue fields[] = { JS_NewInt32(ctx, wanted->mode), JS_NewUint32(ctx, wanted->stream), text };
    return JS_NewArrayFrom(ctx, 3, fields);
}

NATIVE(opened)
{
    (void)this_value, (void)argc;
    AmlaAwk *awk = awk_of(ctx, argv[0]);
    const char *reason = awk && !JS_IsUndefined(argv[1]) ? JS_ToCString(ctx, argv[1]) : NULL;
    if (!awk || (!reason && !JS_IsUndefined(argv[1])))
        return JS_EXCEPTION;
    amla_awk_opened(awk, reason, JS_ToBool(ctx, argv[2]));
    JS_FreeCString(ctx, reason);
    return JS_UNDEFINED;
}

static void feed_bytes(AmlaAwk *awk, const char *text, size_t length)
{
    amla_awk_feed(awk, text, length);
}

NATIVE(feed)
{
    (void)this_value, (void)argc;
    return give_bytes(ctx, argv, feed_bytes);
}

NATIVE(reply)
{
    (void)this_value, (void)argc;
    int32_t status;
    AmlaAwk *awk = awk_of(ctx, argv[0]);
    if (!awk || JS_ToInt32(ctx, &status, argv[1]))
        return JS_EXCEPTION;
    amla_awk_reply(awk, status);
    return JS_UNDEFINED;
}

NATIVE(status)
{
    (void)this_value, (void)argc;
    AmlaAwk *awk = awk_of(ctx, argv[0]);
    return awk ? JS_NewInt32(ctx, amla_awk_status(awk)) : JS_EXCEPTION;
}

NATIVE(release)
{
    (void)this_value, (void)argc;
    AmlaAwk *awk = awk_of(ctx, argv[0]);
    if (!awk)
        return JS_EXCEPTION;
    amla_awk_free(awk);
    JS_SetOpaque(argv[0], NULL);
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("create", 2, create),     JS_CFUNC_DEF("source", 3, source),
    JS_CFUNC_DEF("assign", 2, assign),     JS_CFUNC_DEF("argument", 2, argument),
    JS_CFUNC_DEF("environment", 3, environment), JS_CFUNC_DEF("run", 1, run),
    JS_CFUNC_DEF("zone", 3, zone),
    JS_CFUNC_DEF("request", 1, request),   JS_CFUNC_DEF("opened", 3, opened),
    JS_CFUNC_DEF("feed", 2, feed),         JS_CFUNC_DEF("reply", 2, reply),
    JS_CFUNC_DEF("status", 1, status),     JS_CFUNC_DEF("free", 1, release),
};

int amla_native_awk(JSContext *ctx, JSValueConst object)
{
    JSRuntime *rt = JS_GetRuntime(ctx);
    JS_NewClassID(rt, &awk_class);
    if (JS_NewClass(rt, awk_class, &awk_class_def))
        return -1;
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
