#include "adopt.h"

#include "realm.h"

#define ADOPT_DEPTH 64

static JSValue adopt(JSContext *ctx, JSValueConst value, int depth);

static JSValue adopt_array(JSContext *ctx, JSValueConst array, int depth)
{
    int64_t length;
    if (JS_GetLength(amla_system, array, &length))
        return JS_EXCEPTION;
    JSValue copy = JS_NewArray(ctx);
    for (int64_t i = 0; i < length && !JS_IsException(copy); i++) {
        JSValue item = JS_GetPropertyInt64(amla_system, array, i);
        JSValue adopted = JS_IsException(item) ? item : adopt(ctx, item, depth + 1);
        JS_FreeValue(amla_system, item);
        if (JS_IsException(adopted) || JS_DefinePropertyValueUint32(ctx, copy, (uint32_t)i, adopted, JS_PROP_C_W_E) < 0) {
            JS_FreeValue(ctx, copy);
            return JS_EXCEPTION;
        }
    }
    return copy;
}

/* Copy the own enumerable properties of a system object onto `target`. */
static int adopt_properties(JSContext *ctx, JSValueConst target, JSValueConst source, int depth)
{
    JSPropertyEnum *names;
    uint32_t count;
    int result = 0;

    if (JS_GetOwnPropertyNames(amla_system, &names, &count, source,
                               JS_GPN_STRING_MASK | JS_GPN_SYMBOL_MASK | JS_GPN_ENUM_ONLY))
        return -1;
    for (uint32_t i = 0; i < count && !result; i++) {
        JSValue item = JS_GetProperty(amla_system, source, names[i].atom);
        JSValue adopted = JS_IsException(item) ? item : adopt(ctx, item, depth + 1);
        JS_FreeValue(amla_system, item);
        if (JS_IsException(adopted) || JS_DefinePropertyValue(ctx, target, names[i].atom, adopted, JS_PROP_C_W_E) < 0)
            result = -1;
    }
    JS_FreePropertyEnum(amla_system, names, count);
    return result;
}

static JSValue adopt_object(JSContext *ctx, JSValueConst object, int depth)
{
    JSValue copy = JS_NewObject(ctx);
    if (!JS_IsException(copy) && adopt_properties(ctx, copy, object, depth)) {
        JS_FreeValue(ctx, copy);
        return JS_EXCEPTION;
    }
    return copy;
}

static JSValue adopt_error(JSContext *ctx, JSValueConst error, int depth)
{
    JSValue text = JS_GetPropertyStr(amla_system, error, "message");
    const char *message = JS_ToCString(amla_system, text);
    JSValue copy = amla_error_like(ctx, amla_system, error, message ? message : "");
    JS_FreeCString(amla_system, message);
    JS_FreeValue(amla_system, text);
    if (!JS_IsException(copy) && adopt_properties(ctx, copy, error, depth)) {
        JS_FreeValue(ctx, copy);
        return JS_EXCEPTION;
    }
    return copy;
}

static JSValue adopt_bytes(JSContext *ctx, JSValueConst array)
{
    size_t length;
    uint8_t *bytes = JS_GetUint8Array(amla_system, &length, array);
    if (!bytes && length)
        return JS_EXCEPTION;
    return JS_NewUint8ArrayCopy(ctx, bytes, length);
}

static JSValue adopt_buffer(JSContext *ctx, JSValueConst buffer)
{
    size_t length;
    uint8_t *bytes = JS_GetArrayBuffer(amla_system, &length, buffer);
    if (!bytes && length)
        return JS_EXCEPTION;
    return JS_NewArrayBufferCopy(ctx, bytes, length);
}

static JSValue call_wrapped(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv, int magic, JSValueConst *data)
{
    (void)this_value, (void)magic;
    JSValue result = JS_Call(amla_system, data[0], JS_UNDEFINED, argc, argv);
    if (!JS_IsException(result)) {
        JSValue adopted = amla_adopt(ctx, result);
        JS_FreeValue(amla_system, result);
        return adopted;
    }
    JSValue error = JS_GetException(amla_system);
    if (JS_IsUncatchableError(error) || amla_own_kind(amla_system, error) != AMLA_ERROR)
        return JS_Throw(ctx, error);
    JSValue adopted = adopt_error(ctx, error, 0);
    JS_FreeValue(amla_system, error);
    return JS_IsException(adopted) ? adopted : JS_Throw(ctx, adopted);
}

static JSValue wrap(JSContext *ctx, JSValueConst function)
{
    JSValue length = JS_GetPropertyStr(amla_system, function, "length");
    JSValue name = JS_GetPropertyStr(amla_system, function, "name");
    int32_t arity = 0;
    JS_ToInt32(amla_system, &arity, length);
    JSValue wrapped = JS_NewCFunctionData(ctx, call_wrapped, arity, 0, 1, &function);
    if (!JS_IsException(wrapped) && JS_IsString(name))
        JS_DefinePropertyValueStr(ctx, wrapped, "name", JS_DupValue(ctx, name), JS_PROP_CONFIGURABLE);
    JS_FreeValue(amla_system, name);
    JS_FreeValue(amla_system, length);
    return wrapped;
}

static JSValue adopt(JSContext *ctx, JSValueConst value, int depth)
{
    if (depth > ADOPT_DEPTH)
        return JS_ThrowRangeError(ctx, "value is nested more than %d levels deep", ADOPT_DEPTH);
    switch (amla_own_kind(amla_system, value)) {
    case AMLA_OBJECT: return adopt_object(ctx, value, depth);
    case AMLA_ARRAY: return adopt_array(ctx, value, depth);
    case AMLA_ERROR: return adopt_error(ctx, value, depth);
    case AMLA_FUNCTION: return wrap(ctx, value);
    case AMLA_BYTES: return adopt_bytes(ctx, value);
    case AMLA_BUFFER: return adopt_buffer(ctx, value);
    default: return JS_DupValue(ctx, value);
    }
}

JSValue amla_adopt(JSContext *ctx, JSValueConst value)
{
    return ctx == amla_system ? JS_DupValue(ctx, value) : adopt(ctx, value, 0);
}
