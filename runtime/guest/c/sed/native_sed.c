#include "native_sed.h"

#include "bytes_view.h"
#include "filters/options.h"
#include "sed.h"

static JSClassID sed_class;

static void free_sed(JSRuntime *rt, JSValueConst value)
{
    (void)rt;
    amla_sed_free(JS_GetOpaque(value, sed_class));
}

static const JSClassDef sed_class_def = { .class_name = "Sed", .finalizer = free_sed };

#define NATIVE(name) static JSValue name(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)

static AmlaSed *sed_of(JSContext *ctx, JSValueConst value)
{
    AmlaSed *sed = JS_GetOpaque2(ctx, value, sed_class);
    if (!sed && !JS_HasException(ctx))
        JS_ThrowTypeError(ctx, "this sed is over");
    return sed;
}

NATIVE(create)
{
    (void)this_value, (void)argc;
    const AmlaSedOptions options = {
        .quiet = amla_option_flag(ctx, argv[0], "quiet"),
        .extended = amla_option_flag(ctx, argv[0], "extended"),
        .separate = amla_option_flag(ctx, argv[0], "separate"),
        .in_place = amla_option_flag(ctx, argv[0], "inPlace"),
        .nul = amla_option_flag(ctx, argv[0], "nul"),
        .unbuffered = amla_option_flag(ctx, argv[0], "unbuffered"),
        .posix = amla_option_flag(ctx, argv[0], "posix"),
        .bytewise = amla_option_flag(ctx, argv[0], "bytewise"),
        .sandbox = amla_option_flag(ctx, argv[0], "sandbox"),
        .width = (uint64_t)amla_option_integer(ctx, argv[0], "width", 70),
    };
    JSValue handle = JS_NewObjectClass(ctx, sed_class);
    AmlaSed *sed = JS_IsException(handle) ? NULL : amla_sed_create(&options);
    if (!sed) {
        JS_FreeValue(ctx, handle);
        return JS_ThrowOutOfMemory(ctx);
    }
    JS_SetOpaque(handle, sed);
    return handle;
}

NATIVE(source)
{
    (void)this_value, (void)argc;
    AmlaBytes text;
    AmlaSed *sed = sed_of(ctx, argv[0]);
    const char *name = sed && !JS_IsUndefined(argv[1]) ? JS_ToCString(ctx, argv[1]) : NULL;
    if (!sed || (!name && !JS_IsUndefined(argv[1])))
        return JS_EXCEPTION;
    const bool fine = amla_bytes_borrow(ctx, argv[2], &text);
    if (fine)
        amla_sed_source(sed, name, (const char *)text.data, text.length);
    JS_FreeCString(ctx, name);
    return fine ? JS_UNDEFINED : JS_EXCEPTION;
}

NATIVE(run)
{
    (void)this_value, (void)argc;
    AmlaSed *sed = sed_of(ctx, argv[0]);
    return sed ? JS_NewInt32(ctx, amla_sed_run(sed)) : JS_EXCEPTION;
}

NATIVE(request)
{
    (void)this_value, (void)argc;
    AmlaSed *sed = sed_of(ctx, argv[0]);
    if (!sed)
        return JS_EXCEPTION;
    const AmlaSedRequest *wanted = amla_sed_request(sed);
    JSValue text = JS_NewUint8ArrayCopy(ctx, wanted->length ? wanted->text : (const uint8_t *)"", wanted->length);
    if (JS_IsException(text))
        return JS_EXCEPTION;
    JSValue fields[] = { JS_NewUint32(ctx, wanted->stream), text };
    return JS_NewArrayFrom(ctx, 2, fields);
}

NATIVE(opened)
{
    (void)this_value, (void)argc;
    AmlaSed *sed = sed_of(ctx, argv[0]);
    const char *name = sed && !JS_IsUndefined(argv[1]) ? JS_ToCString(ctx, argv[1]) : NULL;
    if (!sed || (!name && !JS_IsUndefined(argv[1])))
        return JS_EXCEPTION;
    amla_sed_opened(sed, name);
    JS_FreeCString(ctx, name);
    return JS_UNDEFINED;
}

NATIVE(feed)
{
    (void)this_value, (void)argc;
    AmlaBytes bytes;
    AmlaSed *sed = sed_of(ctx, argv[0]);
    if (!sed || !amla_bytes_borrow(ctx, argv[1], &bytes))
        return JS_EXCEPTION;
    amla_sed_feed(sed, bytes.data, bytes.length);
    return JS_UNDEFINED;
}

NATIVE(status)
{
    (void)this_value, (void)argc;
    AmlaSed *sed = sed_of(ctx, argv[0]);
    return sed ? JS_NewInt32(ctx, amla_sed_status(sed)) : JS_EXCEPTION;
}

NATIVE(unused)
{
    (void)this_value, (void)argc;
    AmlaSed *sed = sed_of(ctx, argv[0]);
    return sed ? JS_NewInt64(ctx, (int64_t)amla_sed_unused(sed)) : JS_EXCEPTION;
}

NATIVE(fault)
{
    (void)this_value, (void)argc;
    AmlaSed *sed = sed_of(ctx, argv[0]);
    return sed ? JS_NewString(ctx, amla_sed_fault(sed)) : JS_EXCEPTION;
}

NATIVE(release)
{
    (void)this_value, (void)argc;
    AmlaSed *sed = sed_of(ctx, argv[0]);
    if (!sed)
        return JS_EXCEPTION;
    amla_sed_free(sed);
    JS_SetOpaque(argv[0], NULL);
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("create", 1, create),   JS_CFUNC_DEF("source", 3, source), JS_CFUNC_DEF("run", 1, run),
    JS_CFUNC_DEF("request", 1, request), JS_CFUNC_DEF("opened", 2, opened), JS_CFUNC_DEF("feed", 2, feed),
    JS_CFUNC_DEF("status", 1, status),   JS_CFUNC_DEF("unused", 1, unused), JS_CFUNC_DEF("fault", 1, fault),
    JS_CFUNC_DEF("free", 1, release),
};

int amla_native_sed(JSContext *ctx, JSValueConst object)
{
    JSRuntime *rt = JS_GetRuntime(ctx);
    JS_NewClassID(rt, &sed_class);
    if (JS_NewClass(rt, sed_class, &sed_class_def))
        return -1;
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
