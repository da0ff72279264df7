#include "native_host.h"

#include <string.h>

#include "cells.h"
#include "memory.h"
#include "modules.h"
#include "step.h"

static JSValue host_handlers(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    amla_set_handlers(ctx, argv[0]);
    return JS_UNDEFINED;
}

typedef struct {
    const void *at;
    size_t length;
    const char *text;
} Part;

/* A string or Uint8Array as bytes, which hold as long as it does; `text` must be freed when set. */
static int read_part(JSContext *ctx, JSValueConst value, Part *part)
{
    memset(part, 0, sizeof *part);
    if (JS_IsUndefined(value))
        return 0;
    if (JS_IsString(value)) {
        part->at = amla_ascii(value, &part->length);
        if (part->at)
            return 0;
        part->text = JS_ToCStringLen(ctx, &part->length, value);
        part->at = part->text;
        return part->text ? 0 : -1;
    }
    part->at = JS_GetUint8Array(ctx, &part->length, value);
    return part->at || !part->length ? 0 : -1;
}

/* emit(kind, id, head, body): both parts string (as UTF-8), Uint8Array or undefined. */
static JSValue host_emit(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    int32_t kind;
    uint32_t id;
    Part head, body = { 0 };
    if (JS_ToInt32(ctx, &kind, argv[0]) || JS_ToUint32(ctx, &id, argv[1]) || read_part(ctx, argv[2], &head))
        return JS_EXCEPTION;
    int failed = read_part(ctx, argc > 3 ? argv[3] : JS_UNDEFINED, &body);
    int emitted = failed ? 0 : amla_emit((uint8_t)kind, id, head.at, head.length, body.at, body.length);
    JS_FreeCString(ctx, head.text);
    JS_FreeCString(ctx, body.text);
    if (emitted)
        return JS_ThrowOutOfMemory(ctx);
    return failed ? JS_EXCEPTION : JS_UNDEFINED;
}

/* send(kind, id, head, body): like emit, with the length of the head before it. */
static JSValue host_send(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    int32_t kind;
    uint32_t id;
    Part head, body;
    if (JS_ToInt32(ctx, &kind, argv[0]) || JS_ToUint32(ctx, &id, argv[1]) || read_part(ctx, argv[2], &head))
        return JS_EXCEPTION;
    int failed = read_part(ctx, argv[3], &body);
    const uint32_t length = (uint32_t)head.length;
    uint8_t *counted = failed ? NULL : js_malloc(ctx, sizeof length + head.length);
    if (counted) {
        memcpy(counted, &length, sizeof length);
        memcpy(counted + sizeof length, head.at, head.length);
        failed = amla_emit((uint8_t)kind, id, counted, sizeof length + head.length, body.at, body.length);
        js_free(ctx, counted);
        if (failed)
            JS_ThrowOutOfMemory(ctx);
    }
    JS_FreeCString(ctx, head.text);
    JS_FreeCString(ctx, body.text);
    return counted && !failed ? JS_UNDEFINED : JS_EXCEPTION;
}

/* print(kind, text): output, as string or Uint8Array. */
static JSValue host_print(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    int32_t kind;
    Part text;
    if (JS_ToInt32(ctx, &kind, argv[0]) || read_part(ctx, argv[1], &text))
        return JS_EXCEPTION;
    int failed = amla_print((uint8_t)kind, text.at, text.length);
    JS_FreeCString(ctx, text.text);
    return failed ? JS_ThrowOutOfMemory(ctx) : JS_UNDEFINED;
}

static JSValue throw_uncatchable(JSContext *ctx, const char *message)
{
    JS_ThrowInternalError(ctx, "%s", message);
    JSValue error = JS_GetException(ctx);
    JS_SetUncatchableError(ctx, error);
    return JS_Throw(ctx, error);
}

/* starve(): stand still until input frames have come, and take them; false when the
 * host wants the run to end instead. */
static JSValue host_starve(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc, (void)argv;
    return JS_NewBool(ctx, amla_await_input());
}

/* leave(): end the run now; does not return to script code. */
static JSValue host_leave(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc, (void)argv;
    amla_leave();
    return throw_uncatchable(ctx, "left");
}

static JSValue host_now(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc, (void)argv;
    return JS_NewFloat64(ctx, amla_cells.clock_ms);
}

static JSValue host_monotonic(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc, (void)argv;
    return JS_NewFloat64(ctx, amla_cells.steady_ms);
}

static JSValue host_memory(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)ctx, (void)this_value, (void)argc, (void)argv;
    return JS_NewInt64(ctx, (int64_t)__builtin_wasm_memory_size(0) * 65536);
}

/* tidy(): between runs, frees what the last one left and cannot be reached. */
static JSValue host_tidy(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc, (void)argv;
    amla_memory_tidy(JS_GetRuntime(ctx));
    return JS_UNDEFINED;
}

static JSValue host_modules(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc, (void)argv;
    return amla_module_names(ctx);
}

/* module(name, require): a module of the guest, run in the system realm; its exports. */
static JSValue host_module(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value;
    return amla_module_exports(ctx, argv[0], argc > 1 ? argv[1] : JS_UNDEFINED);
}

/* poll(): lets the host see what was printed; where it wants the run to end, throws what
 * no code can catch. */
static JSValue host_poll(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc, (void)argv;
    amla_publish_old();
    if (!amla_interrupted())
        return JS_UNDEFINED;
    return throw_uncatchable(ctx, "interrupted");
}

/* exposed(work): runs work, which the engine may interrupt at any place; what it returns. */
static JSValue host_exposed(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const bool before = amla_expose(true);
    JSValue result = JS_Call(ctx, argv[0], JS_UNDEFINED, 0, NULL);
    amla_expose(before);
    return result;
}

/* spare(polls): where work is exposed, throws as poll() does, or leaves it alone for so many
 * calls and turns of loops. */
static JSValue host_spare(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    int32_t polls;
    if (JS_ToInt32(ctx, &polls, argv[0]))
        return JS_EXCEPTION;
    return amla_spare(polls) ? JS_UNDEFINED : throw_uncatchable(ctx, "interrupted");
}

static JSValue host_interrupted(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc, (void)argv;
    return JS_NewBool(ctx, amla_interrupted());
}

static const JSCFunctionListEntry host_functions[] = {
    JS_CFUNC_DEF("handlers", 1, host_handlers),
    JS_CFUNC_DEF("emit", 4, host_emit),
    JS_CFUNC_DEF("send", 4, host_send),
    JS_CFUNC_DEF("print", 2, host_print),
    JS_CFUNC_DEF("starve", 0, host_starve),
    JS_CFUNC_DEF("leave", 0, host_leave),
    JS_CFUNC_DEF("now", 0, host_now),
    JS_CFUNC_DEF("monotonic", 0, host_monotonic),
    JS_CFUNC_DEF("memory", 0, host_memory),
    JS_CFUNC_DEF("tidy", 0, host_tidy),
    JS_CFUNC_DEF("module", 2, host_module),
    JS_CFUNC_DEF("modules", 0, host_modules),
    JS_CFUNC_DEF("interrupted", 0, host_interrupted),
    JS_CFUNC_DEF("poll", 0, host_poll),
    JS_CFUNC_DEF("exposed", 1, host_exposed),
    JS_CFUNC_DEF("spare", 1, host_spare),
};

int amla_native_host(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, host_functions, sizeof host_functions / sizeof *host_functions);
}
