/* Whose a value is: errors of a realm, the realm that a callable works in, and values of its own kinds.
 *
 * Part of engine.c, behind quickjs.c. */

static JSValueConst proto_of(JSValueConst value)
{
    JSObject *proto = JS_VALUE_GET_OBJ(value)->shape->proto;
    return proto ? JS_MKPTR(JS_TAG_OBJECT, proto) : JS_NULL;
}

static bool same_object(JSValueConst a, JSValueConst b)
{
    return JS_IsObject(a) && JS_IsObject(b) && JS_VALUE_GET_OBJ(a) == JS_VALUE_GET_OBJ(b);
}

/* Index of the native error class in the prototype chain of `value`:
 * 0… for the classes of JSErrorEnum, JS_NATIVE_ERROR_COUNT for plain Error, -1 for none. */
static int native_error_class(JSContext *ctx, JSValueConst value)
{
    for (JSValueConst proto = proto_of(value); JS_IsObject(proto); proto = proto_of(proto)) {
        for (int i = 0; i < JS_NATIVE_ERROR_COUNT; i++)
            if (same_object(proto, ctx->native_error_proto[i]))
                return i;
        if (same_object(proto, ctx->class_proto[JS_CLASS_ERROR]))
            return JS_NATIVE_ERROR_COUNT;
    }
    return -1;
}

JSValue amla_error_like(JSContext *to, JSContext *from, JSValueConst model, const char *message)
{
    int error_class = native_error_class(from, model);
    JSErrorEnum number = error_class >= 0 && error_class < JS_NATIVE_ERROR_COUNT ? (JSErrorEnum)error_class : JS_PLAIN_ERROR;
    return JS_MakeError2(to, number, true, message);
}

static JSContext *user_context;
extern JSContext *amla_system;

void amla_set_user_context(JSContext *ctx)
{
    user_context = ctx;
}

/* Called by QuickJS (build/quickjs_fixes.py) before it enters a callable that is not a plain
 * function of bytecode: such a callable works in the context it is given. */
JSContext *amla_calling_context(JSContext *ctx, JSObject *function);
JSContext *amla_calling_context(JSContext *ctx, JSObject *function)
{
    static const uint16_t kinds[] = {
        JS_CLASS_GENERATOR_FUNCTION, JS_CLASS_ASYNC_FUNCTION, JS_CLASS_ASYNC_GENERATOR_FUNCTION,
    };
    if (likely(ctx != amla_system) || !user_context || function->class_id == JS_CLASS_C_FUNCTION)
        return ctx;
    JSObject *proto = function->shape->proto;
    if (!proto)
        return user_context;
    if (proto == JS_VALUE_GET_OBJ(ctx->function_proto))
        return ctx;
    for (size_t i = 0; i < countof(kinds); i++)
        if (JS_IsObject(ctx->class_proto[kinds[i]]) && proto == JS_VALUE_GET_OBJ(ctx->class_proto[kinds[i]]))
            return ctx;
    return user_context;
}

void amla_forbid_eval(JSContext *ctx)
{
    ctx->eval_internal = NULL;
}

AmlaKind amla_own_kind(JSContext *ctx, JSValueConst value)
{
    if (!JS_IsObject(value))
        return AMLA_OTHER;
    JSObject *object = JS_VALUE_GET_OBJ(value);
    JSValueConst proto = proto_of(value);
    switch (object->class_id) {
    case JS_CLASS_OBJECT:
        return same_object(proto, ctx->class_proto[JS_CLASS_OBJECT]) ? AMLA_OBJECT : AMLA_OTHER;
    case JS_CLASS_ARRAY:
        return same_object(proto, ctx->class_proto[JS_CLASS_ARRAY]) ? AMLA_ARRAY : AMLA_OTHER;
    case JS_CLASS_UINT8_ARRAY:
        return same_object(proto, ctx->class_proto[JS_CLASS_UINT8_ARRAY]) ? AMLA_BYTES : AMLA_OTHER;
    case JS_CLASS_ARRAY_BUFFER:
        return same_object(proto, ctx->class_proto[JS_CLASS_ARRAY_BUFFER]) ? AMLA_BUFFER : AMLA_OTHER;
    case JS_CLASS_ERROR:
        return native_error_class(ctx, value) >= 0 ? AMLA_ERROR : AMLA_OTHER;
    default:
        if (JS_IsFunction(ctx, value))
            return same_object(proto, ctx->function_proto) ? AMLA_FUNCTION : AMLA_OTHER;
        return AMLA_OTHER;
    }
}
