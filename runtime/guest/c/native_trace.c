#include "native_trace.h"

#include "engine.h"

static JSValue take(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc, (void)argv;
    return amla_trace_take(ctx);
}

static JSValue text(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    return amla_trace_text(ctx, argv[0]);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("take", 0, take),
    JS_CFUNC_DEF("text", 1, text),
};

int amla_native_trace(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
