#include "native_random.h"

#include "bytes_view.h"
#include "libc.h"

static JSValue fill(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes bytes;
    if (!amla_bytes_borrow(ctx, argv[0], &bytes))
        return JS_EXCEPTION;
    amla_random_bytes(bytes.data, bytes.length);
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("fill", 1, fill),
};

int amla_native_random(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, 1);
}
