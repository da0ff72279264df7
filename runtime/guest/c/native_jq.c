#include "native_jq.h"

#include <stdlib.h>
#include <string.h>

#include "bytes_view.h"
#include "filters/options.h"
#include "jq_filter.h"

typedef struct {
    AmlaJq *filter;
    char *named, *positional;  /* owned; jq reads them while it starts */
    char **environment;        /* owned with its texts; outlives the filter */
} Jq;

static JSClassID jq_class;

static void free_environment(char **environment)
{
    for (char **each = environment; each && *each; each++)
        free(*each);
    free(environment);
}

static void free_jq(JSRuntime *rt, JSValueConst value)
{
    (void)rt;
    Jq *jq = JS_GetOpaque(value, jq_class);
    if (!jq)
        return;
    if (jq->filter)
        amla_jq_free(jq->filter);
    free(jq->named);
    free(jq->positional);
    free_environment(jq->environment);
    free(jq);
}

static const JSClassDef jq_class_def = { .class_name = "Jq", .finalizer = free_jq };

/* An array of NAME=value strings as a C environment; NULL with an exception pending. */
static char **read_environment(JSContext *ctx, JSValueConst list)
{
    int64_t length;
    if (JS_GetLength(ctx, list, &length))
        return NULL;
    char **environment = calloc((size_t)length + 1, sizeof *environment);
    for (int64_t i = 0; environment && i < length; i++) {
        JSValue entry = JS_GetPropertyInt64(ctx, list, i);
        const char *text = JS_ToCString(ctx, entry);
        JS_FreeValue(ctx, entry);
        environment[i] = text ? strdup(text) : NULL;
        JS_FreeCString(ctx, text);
        if (!environment[i]) {
            free_environment(environment);
            environment = NULL;
        }
    }
    if (!environment)
        JS_ThrowOutOfMemory(ctx);
    return environment;
}

static AmlaJqOptions read_options(JSContext *ctx, JSValueConst given, const Jq *jq)
{
    return (AmlaJqOptions){
        .null_input = amla_option_flag(ctx, given, "nullInput"),
        .raw_input = amla_option_flag(ctx, given, "rawInput"),
        .slurp = amla_option_flag(ctx, given, "slurp"),
        .stream = amla_option_flag(ctx, given, "stream"),
        .seq = amla_option_flag(ctx, given, "seq"),
        .raw_output = amla_option_flag(ctx, given, "rawOutput"),
        .join_output = amla_option_flag(ctx, given, "joinOutput"),
        .raw_output0 = amla_option_flag(ctx, given, "rawOutput0"),
        .ascii_output = amla_option_flag(ctx, given, "asciiOutput"),
        .sort_keys = amla_option_flag(ctx, given, "sortKeys"),
        .color_output = amla_option_flag(ctx, given, "colorOutput"),
        .tab = amla_option_flag(ctx, given, "tab"),
        .exit_status = amla_option_flag(ctx, given, "exitStatus"),
        .indent = (int)amla_option_integer(ctx, given, "indent", 2),
        .named = jq->named,
        .positional = jq->positional,
        .environment = jq->environment,
    };
}

/* create(program, options, environment): a handle. */
static JSValue create(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSValue handle = JS_NewObjectClass(ctx, jq_class);
    Jq *jq = calloc(1, sizeof *jq);
    if (JS_IsException(handle) || !jq) {
        free(jq);
        JS_FreeValue(ctx, handle);
        return JS_ThrowOutOfMemory(ctx);
    }
    JS_SetOpaque(handle, jq);
    jq->named = amla_option_text(ctx, argv[1], "named", NULL);
    jq->positional = amla_option_text(ctx, argv[1], "positional", NULL);
    jq->environment = read_environment(ctx, argv[2]);
    const AmlaJqOptions options = read_options(ctx, argv[1], jq);
    const char *program = jq->environment ? JS_ToCString(ctx, argv[0]) : NULL;
    if (!program) {
        JS_FreeValue(ctx, handle);
        return JS_EXCEPTION;
    }
    jq->filter = amla_jq_create(program, &options);
    JS_FreeCString(ctx, program);
    if (jq->filter)
        return handle;
    JS_FreeValue(ctx, handle);
    return JS_ThrowOutOfMemory(ctx);
}

static Jq *borrow(JSContext *ctx, JSValueConst value)
{
    return JS_GetOpaque2(ctx, value, jq_class);
}

/* feed(handle, bytes) */
static JSValue feed(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes bytes;
    Jq *jq = borrow(ctx, argv[0]);
    if (!jq || !amla_bytes_borrow(ctx, argv[1], &bytes))
        return JS_EXCEPTION;
    amla_jq_feed(jq->filter, (const char *)bytes.data, bytes.length);
    return JS_UNDEFINED;
}

/* end(handle) */
static JSValue end(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    Jq *jq = borrow(ctx, argv[0]);
    if (!jq)
        return JS_EXCEPTION;
    amla_jq_end(jq->filter);
    return JS_UNDEFINED;
}

/* source(handle, name): the file that the coming bytes are from. */
static JSValue source(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    Jq *jq = borrow(ctx, argv[0]);
    const char *name = jq ? JS_ToCString(ctx, argv[1]) : NULL;
    if (!name)
        return JS_EXCEPTION;
    amla_jq_source(jq->filter, name);
    JS_FreeCString(ctx, name);
    return JS_UNDEFINED;
}

/* next(handle): the state; output and errors are then there to be taken. */
static JSValue next(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const Jq *jq = borrow(ctx, argv[0]);
    return jq ? JS_NewInt32(ctx, (int)amla_jq_next(jq->filter)) : JS_EXCEPTION;
}

static JSValue taken(JSContext *ctx, AmlaBuffer *buffer)
{
    if (!buffer->length)
        return JS_UNDEFINED;
    const size_t length = buffer->length;
    buffer->length = 0;
    return JS_NewUint8ArrayCopy(ctx, buffer->data, length);
}

/* output(handle), errors(handle): bytes, or undefined. */
static JSValue output(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv, int magic)
{
    (void)this_value, (void)argc;
    const Jq *jq = borrow(ctx, argv[0]);
    return jq ? taken(ctx, (magic ? amla_jq_errors : amla_jq_output)(jq->filter)) : JS_EXCEPTION;
}

/* status(handle) */
static JSValue status(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const Jq *jq = borrow(ctx, argv[0]);
    return jq ? JS_NewInt32(ctx, amla_jq_status(jq->filter)) : JS_EXCEPTION;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("create", 3, create),
    JS_CFUNC_DEF("feed", 2, feed),
    JS_CFUNC_DEF("end", 1, end),
    JS_CFUNC_DEF("source", 2, source),
    JS_CFUNC_DEF("next", 1, next),
    JS_CFUNC_MAGIC_DEF("output", 1, output, 0),
    JS_CFUNC_MAGIC_DEF("errors", 1, output, 1),
    JS_CFUNC_DEF("status", 1, status),
};

int amla_native_jq(JSContext *ctx, JSValueConst object)
{
    JSRuntime *rt = JS_GetRuntime(ctx);
    JS_NewClassID(rt, &jq_class);
    if (JS_NewClass(rt, jq_class, &jq_class_def))
        return -1;
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
