#include "realm.h"

#include <string.h>

#include "adopt.h"
#include "globals.h"
#include "libc.h"
#include "modules.h"
#include "native_bytes.h"
#include "native_encoding.h"
#include "native_hash.h"
#include "native_random.h"
#include "native_trace.h"
#include "native_types.h"
#include "realm_values.h"

JSContext *amla_system;

static JSClassID realm_class;

/* --- realm objects -------------------------------------------------------------------- */

typedef struct {
    JSContext *context; /* NULL once disposed of */
    JSValue mark;       /* an object made just before the realm was */
    AmlaImage *image;   /* NULL unless remembered */
} RealmState;

static void dispose(RealmState *state)
{
    if (!state->context)
        return;
    JSRuntime *runtime = JS_GetRuntime(state->context);
    amla_set_user_context(NULL);
    amla_end_weak(runtime, true);
    if (state->image)
        amla_image_free(state->context, state->image);
    amla_forget_layouts(runtime);
    JS_FreeContext(state->context);
    state->context = NULL;
    amla_end_weak(runtime, false);
}

static void finalize_realm(JSRuntime *rt, JSValueConst value)
{
    RealmState *state = JS_GetOpaque(value, realm_class);
    if (!state)
        return;
    dispose(state);
    JS_FreeValueRT(rt, state->mark);
    js_free_rt(rt, state);
}

static const JSClassDef realm_def = { .class_name = "Realm", .finalizer = finalize_realm };

JSContext *amla_realm_context(JSContext *ctx, JSValueConst realm)
{
    RealmState *state = JS_GetOpaque2(ctx, realm, realm_class);
    if (state && !state->context)
        JS_ThrowTypeError(ctx, "the realm was disposed of");
    return state ? state->context : NULL;
}

static int add_intrinsics(JSContext *ctx)
{
    return JS_AddIntrinsicBaseObjects(ctx) || JS_AddIntrinsicDate(ctx) || JS_AddIntrinsicEval(ctx)
        || JS_AddIntrinsicRegExp(ctx) || JS_AddIntrinsicJSON(ctx) || JS_AddIntrinsicProxy(ctx)
        || JS_AddIntrinsicMapSet(ctx) || JS_AddIntrinsicTypedArrays(ctx) || JS_AddIntrinsicPromise(ctx)
        || JS_AddIntrinsicWeakRef(ctx) || JS_AddIntrinsicDOMException(ctx);
}

static JSValue realm_create(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc, (void)argv;
    RealmState *state = js_mallocz(ctx, sizeof *state);
    if (!state)
        return JS_EXCEPTION;
    state->mark = JS_NewObject(ctx);
    state->context = JS_NewContextRaw(JS_GetRuntime(ctx));
    JSValue realm = JS_NewObjectClass(ctx, realm_class);
    if (!state->context || JS_IsException(realm) || add_intrinsics(state->context)) {
        dispose(state);
        JS_FreeValue(ctx, state->mark);
        js_free(ctx, state);
        JS_FreeValue(ctx, realm);
        return JS_ThrowOutOfMemory(ctx);
    }
    JS_SetOpaque(realm, state);
    return realm;
}

/* remember(realm): what restore() will put back.  Only while the guest is built, when no
 * collection runs between a realm's creation and this. */
static JSValue realm_remember(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    RealmState *state = JS_GetOpaque2(ctx, argv[0], realm_class);
    if (!state || !state->context)
        return JS_EXCEPTION;
    state->image = amla_image_take(state->context, state->mark);
    return state->image ? JS_UNDEFINED : JS_ThrowOutOfMemory(ctx);
}

/* restore(realm): the realm as it was remembered; false when it cannot be used again. */
static JSValue realm_restore(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    RealmState *state = JS_GetOpaque2(ctx, argv[0], realm_class);
    if (!state)
        return JS_EXCEPTION;
    amla_end_weak(JS_GetRuntime(ctx), true);
    bool restored = state->context && state->image && amla_image_restore(state->context, state->image);
    amla_end_weak(JS_GetRuntime(ctx), false);
    return JS_NewBool(ctx, restored);
}

/* group(name): the natives of a group that a realm may have, made in that realm. */
static JSValue native_group(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    static const struct { const char *name; int (*define)(JSContext *, JSValueConst); } groups[] = {
        { "bytes", amla_native_bytes }, { "encoding", amla_native_encoding }, { "hash", amla_native_hash },
        { "random", amla_native_random }, { "trace", amla_native_trace }, { "types", amla_native_types },
    };
    const char *name = JS_ToCString(ctx, argv[0]);
    JSValue object = JS_UNDEFINED;
    for (size_t i = 0; name && i < sizeof groups / sizeof *groups; i++) {
        if (strcmp(name, groups[i].name))
            continue;
        object = JS_NewObject(ctx);
        if (!JS_IsException(object) && groups[i].define(ctx, object)) {
            JS_FreeValue(ctx, object);
            object = JS_EXCEPTION;
        }
    }
    JS_FreeCString(ctx, name);
    return name ? object : JS_EXCEPTION;
}

/* evaluate(source, filename): the value of an expression of the realm, for CommonJS wrappers. */
static JSValue evaluate(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t length;
    const char *source = JS_ToCStringLen(ctx, &length, argv[0]);
    const char *filename = JS_ToCString(ctx, argv[1]);
    JSValue value = JS_EXCEPTION;
    if (source && filename)
        value = JS_Eval(ctx, source, length, filename, JS_EVAL_TYPE_GLOBAL);
    JS_FreeCString(ctx, filename);
    JS_FreeCString(ctx, source);
    return value;
}

/* What the prelude gets: kernel(group), load(name), group(name), globals(resolver), evaluate(source, filename). */
static JSValue realm_powers(JSContext *user, JSValueConst kernel)
{
    JSValue powers = JS_NewObject(user);
    JS_SetPropertyStr(user, powers, "kernel", amla_adopt(user, kernel));
    JS_SetPropertyStr(user, powers, "load", amla_module_loader(user));
    JS_SetPropertyStr(user, powers, "group", JS_NewCFunction(user, native_group, "group", 1));
    JS_SetPropertyStr(user, powers, "evaluate", JS_NewCFunction(user, evaluate, "evaluate", 2));
    JS_SetPropertyStr(user, powers, "globals", amla_globals_function(user));
    return powers;
}

/* boot(realm, prelude, kernel): run the prelude's `boot(powers, global)` inside the realm;
 * returns what it returns. */
static JSValue realm_boot(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    if (!user)
        return JS_EXCEPTION;
    JSValue module = amla_module_exports(user, argv[1], JS_UNDEFINED);
    if (JS_IsException(module))
        return module;
    JSValue boot = JS_GetPropertyStr(user, module, "boot");
    JSValue powers = realm_powers(user, argv[2]);
    JSValue global = JS_GetGlobalObject(user);
    JSValueConst arguments[] = { powers, global };
    JSValue result = JS_Call(user, boot, JS_UNDEFINED, 2, arguments);
    JS_FreeValue(user, global);
    JS_FreeValue(user, powers);
    JS_FreeValue(user, boot);
    JS_FreeValue(user, module);
    return result;
}

/* seed(realm): called when a baked realm comes to life. */
static JSValue realm_seed(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSContext *user = amla_realm_context(ctx, argv[0]);
    if (!user)
        return JS_EXCEPTION;
    amla_seed(user, amla_random_word());
    amla_set_user_context(user);
    return JS_UNDEFINED;
}

/* dispose(realm): drop the context; the collector takes what its cycles hold. */
static JSValue realm_dispose(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    RealmState *state = JS_GetOpaque2(ctx, argv[0], realm_class);
    if (!state)
        return JS_EXCEPTION;
    dispose(state);
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("create", 0, realm_create),
    JS_CFUNC_DEF("remember", 1, realm_remember),
    JS_CFUNC_DEF("restore", 1, realm_restore),
    JS_CFUNC_DEF("boot", 3, realm_boot),
    JS_CFUNC_DEF("seed", 1, realm_seed),
    JS_CFUNC_DEF("dispose", 1, realm_dispose),
};

int amla_native_realm(JSContext *ctx, JSValueConst object)
{
    JSRuntime *rt = JS_GetRuntime(ctx);
    JS_NewClassID(rt, &realm_class);
    if (JS_NewClass(rt, realm_class, &realm_def) || amla_globals_register(rt))
        return -1;
    if (JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions))
        return -1;
    return amla_native_realm_values(ctx, object);
}
