#include "globals.h"

#include <stdlib.h>

static JSClassID globals_class;

static void finalize(JSRuntime *rt, JSValueConst object)
{
    JSValue *resolver = JS_GetOpaque(object, globals_class);
    if (resolver) {
        JS_FreeValueRT(rt, *resolver);
        js_free_rt(rt, resolver);
    }
}

static void mark(JSRuntime *rt, JSValueConst object, JS_MarkFunc *mark_value)
{
    JSValue *resolver = JS_GetOpaque(object, globals_class);
    if (resolver)
        JS_MarkValue(rt, *resolver, mark_value);
}

static int define_global(JSContext *ctx, JSAtom name, JSValueConst value)
{
    JSValue global = JS_GetGlobalObject(ctx);
    int flags = JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE;
    int result = JS_DefinePropertyValue(ctx, global, name, JS_DupValue(ctx, value), flags);
    JS_FreeValue(ctx, global);
    return result;
}

static int get_own_property(JSContext *ctx, JSPropertyDescriptor *descriptor, JSValueConst object, JSAtom name)
{
    JSValue *resolver = JS_GetOpaque(object, globals_class);
    JSValue key = JS_AtomToValue(ctx, name);
    if (!resolver || !JS_IsString(key)) {
        JS_FreeValue(ctx, key);
        return 0;
    }
    JSValue value = JS_Call(ctx, *resolver, JS_UNDEFINED, 1, (JSValueConst *)&key);
    JS_FreeValue(ctx, key);
    if (JS_IsException(value))
        return -1;
    if (JS_IsUndefined(value))
        return 0;
    if (define_global(ctx, name, value) < 0) {
        JS_FreeValue(ctx, value);
        return -1;
    }
    if (!descriptor) {
        JS_FreeValue(ctx, value);
        return 1;
    }
    descriptor->flags = JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE;
    descriptor->value = value;
    descriptor->getter = JS_UNDEFINED;
    descriptor->setter = JS_UNDEFINED;
    return 1;
}

static JSClassExoticMethods exotic = { .get_own_property = get_own_property };

static const JSClassDef class_def = {
    .class_name = "Globals", .finalizer = finalize, .gc_mark = mark, .exotic = &exotic,
};

int amla_globals_register(JSRuntime *rt)
{
    JS_NewClassID(rt, &globals_class);
    return JS_NewClass(rt, globals_class, &class_def);
}

static JSValue install(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSValue *resolver = js_malloc(ctx, sizeof *resolver);
    if (!resolver)
        return JS_EXCEPTION;
    JSValue global = JS_GetGlobalObject(ctx);
    JSValue proto = JS_GetPrototype(ctx, global);
    JSValue object = JS_NewObjectProtoClass(ctx, proto, globals_class);
    JS_FreeValue(ctx, proto);
    if (JS_IsException(object)) {
        js_free(ctx, resolver);
        JS_FreeValue(ctx, global);
        return object;
    }
    *resolver = JS_DupValue(ctx, argv[0]);
    JS_SetOpaque(object, resolver);
    int result = JS_SetPrototype(ctx, global, object);
    JS_FreeValue(ctx, object);
    JS_FreeValue(ctx, global);
    return result < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

JSValue amla_globals_function(JSContext *ctx)
{
    return JS_NewCFunction(ctx, install, "globals", 1);
}
