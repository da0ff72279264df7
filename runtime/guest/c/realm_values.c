#include "realm_values.h"

#include <string.h>

#include "adopt.h"
#include "engine.h"
#include "realm.h"

/* compile(realm, source, filename, strict) -> function of the realm; throws the realm's SyntaxError. */
static JSValue realm_compile(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    if (!user)
        return JS_EXCEPTION;
    size_t length;
    const char *source = JS_ToCStringLen(ctx, &length, argv[1]);
    const char *filename = JS_ToCString(ctx, argv[2]);
    JSValue function = JS_EXCEPTION;
    if (source && filename)
        function = amla_compile_script(user, source, length, filename, argc > 3 && JS_ToBool(ctx, argv[3]) > 0);
    JS_FreeCString(ctx, filename);
    JS_FreeCString(ctx, source);
    return function;
}

/* [message, at_end, rest]: why a line does not compile, and where. */
static JSValue line_fault(JSContext *ctx, JSContext *user, const AmlaStop *stop)
{
    JSValue error = JS_GetException(user);
    JSValue fault = JS_NewArray(ctx);
    JS_DefinePropertyValueUint32(ctx, fault, 0, JS_GetPropertyStr(user, error, "message"), JS_PROP_C_W_E);
    JS_DefinePropertyValueUint32(ctx, fault, 1, JS_NewBool(ctx, stop->at_end), JS_PROP_C_W_E);
    JS_DefinePropertyValueUint32(ctx, fault, 2, JS_NewString(ctx, stop->rest), JS_PROP_C_W_E);
    JS_FreeValue(user, error);
    return fault;
}

/* line(realm, source, filename, is_expression, is_check): a line of a session as a function of the
 * realm; throws the realm's SyntaxError.  A check gives undefined, or why it does not compile. */
static JSValue realm_line(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    if (!user)
        return JS_EXCEPTION;
    size_t length;
    const AmlaLine line = { .is_expression = JS_ToBool(ctx, argv[3]) > 0, .is_check = JS_ToBool(ctx, argv[4]) > 0 };
    const char *source = JS_ToCStringLen(ctx, &length, argv[1]);
    const char *filename = JS_ToCString(ctx, argv[2]);
    JSValue result = JS_EXCEPTION;
    if (source && filename) {
        AmlaStop stop = { .at_end = false, .rest = source };
        result = amla_compile_line(user, source, length, filename, line, &stop);
        if (line.is_check && JS_IsException(result))
            result = line_fault(ctx, user, &stop);
    }
    JS_FreeCString(ctx, filename);
    JS_FreeCString(ctx, source);
    return result;
}

/* variables(realm): names of what lines declared. */
static JSValue realm_variables(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    return user ? amla_variable_names(user) : JS_EXCEPTION;
}

/* variable(realm, name): its value, to be looked at. */
static JSValue realm_variable(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    JSAtom name = user ? JS_ValueToAtom(ctx, argv[1]) : JS_ATOM_NULL;
    JSValue value = name == JS_ATOM_NULL ? JS_EXCEPTION : amla_peek_variable(user, name);
    JS_FreeAtom(ctx, name);
    return value;
}

/* peek(object, name): a property, to be looked at. */
static JSValue realm_peek(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSAtom name = JS_ValueToAtom(ctx, argv[1]);
    JSValue value = name == JS_ATOM_NULL ? JS_EXCEPTION : amla_peek(ctx, argv[0], name);
    JS_FreeAtom(ctx, name);
    return value;
}

/* proto(realm, value): a prototype, to be looked at. */
static JSValue realm_proto(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    return user ? amla_peek_proto(user, argv[1]) : JS_EXCEPTION;
}

static JSValue realm_completion(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSValue value;
    if (!amla_completion(ctx, argv[0], &value))
        return JS_UNDEFINED;
    JSValue box = JS_NewArray(ctx);
    if (JS_DefinePropertyValueUint32(ctx, box, 0, value, JS_PROP_C_W_E) < 0) {
        JS_FreeValue(ctx, box);
        return JS_EXCEPTION;
    }
    return box;
}

/* Whether the buffer of a view goes on at `end`, where the parser wants a NUL. */
static bool has_room_behind(JSContext *ctx, JSValueConst view, const uint8_t *end)
{
    size_t size;
    JSValue buffer = JS_GetTypedArrayBuffer(ctx, view, NULL, NULL, NULL);
    const uint8_t *start = JS_GetArrayBuffer(ctx, &size, buffer);
    JS_FreeValue(ctx, buffer);
    return start && end < start + size;
}

/* parse(realm, bytes): JSON text to a value of the realm.  A large result is parsed where it lies. */
static JSValue realm_parse(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    if (!user)
        return JS_EXCEPTION;
    size_t length;
    uint8_t *bytes = JS_GetUint8Array(ctx, &length, argv[1]);
    if (!bytes)
        return JS_EXCEPTION;
    if (has_room_behind(ctx, argv[1], bytes + length)) {
        const uint8_t behind = bytes[length];
        bytes[length] = 0;
        JSValue value = JS_ParseJSON(user, (const char *)bytes, length, "<result>");
        bytes[length] = behind;
        return value;
    }
    char *text = js_malloc(ctx, length + 1);
    if (!text)
        return JS_EXCEPTION;
    memcpy(text, bytes, length);
    text[length] = 0;
    JSValue value = JS_ParseJSON(user, text, length, "<result>");
    js_free(ctx, text);
    return value;
}

static JSValue realm_stringify(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    return user ? JS_JSONStringify(user, argv[1], JS_UNDEFINED, JS_UNDEFINED) : JS_EXCEPTION;
}

static JSValue realm_global(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    return user ? JS_GetGlobalObject(user) : JS_EXCEPTION;
}

static JSValue realm_adopt(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    return user ? amla_adopt(user, argv[1]) : JS_EXCEPTION;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("compile", 4, realm_compile),
    JS_CFUNC_DEF("line", 5, realm_line),
    JS_CFUNC_DEF("variables", 1, realm_variables),
    JS_CFUNC_DEF("variable", 2, realm_variable),
    JS_CFUNC_DEF("peek", 2, realm_peek),
    JS_CFUNC_DEF("proto", 2, realm_proto),
    JS_CFUNC_DEF("completion", 1, realm_completion),
    JS_CFUNC_DEF("parse", 2, realm_parse),
    JS_CFUNC_DEF("stringify", 2, realm_stringify),
    JS_CFUNC_DEF("global", 1, realm_global),
    JS_CFUNC_DEF("adopt", 2, realm_adopt),
};

int amla_native_realm_values(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
