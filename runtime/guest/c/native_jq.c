#include "native_jq.h"

#include <string.h>

#include "jq_filter.h"

/* Append to a string value, which is consumed.  JS_EXCEPTION stays what it is. */
static JSValue append(JSContext *ctx, JSValue text, const char *bytes, size_t length)
{
    JSValue piece = JS_NewStringLen(ctx, bytes, length);
    JSAtom concat = JS_NewAtom(ctx, "concat");
    JSValue joined = JS_IsException(piece) ? JS_EXCEPTION : JS_Invoke(ctx, text, concat, 1, (JSValueConst *)&piece);
    JS_FreeAtom(ctx, concat);
    JS_FreeValue(ctx, piece);
    JS_FreeValue(ctx, text);
    return joined;
}

static JSValue drain(JSContext *ctx, AmlaJq *filter)
{
    JSValue output = JS_NewString(ctx, ""), errors = JS_NewString(ctx, "");
    AmlaJqState state;
    do {
        size_t length;
        state = amla_jq_next(filter);
        const char *bytes = amla_jq_output(filter, &length);
        output = append(ctx, output, bytes, length);
        bytes = amla_jq_errors(filter, &length);
        errors = append(ctx, errors, bytes, length);
    } while (state == AMLA_JQ_OUTPUT && !JS_IsException(output) && !JS_IsException(errors));
    JSValue fields[] = { JS_NewInt32(ctx, amla_jq_status(filter)), output, errors };
    return JS_NewArrayFrom(ctx, 3, fields);
}

static JSValue run(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t length;
    const char *program = JS_ToCString(ctx, argv[0]);
    const char *input = program ? JS_ToCStringLen(ctx, &length, argv[1]) : NULL;
    JSValue result = JS_EXCEPTION;
    if (input) {
        AmlaJq *filter = amla_jq_create(program, &(AmlaJqOptions){ .indent = 2 });
        amla_jq_feed(filter, input, length);
        amla_jq_end(filter);
        result = drain(ctx, filter);
        amla_jq_free(filter);
    }
    JS_FreeCString(ctx, input);
    JS_FreeCString(ctx, program);
    return result;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("run", 2, run),
};

int amla_native_jq(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, 1);
}
