#include "locals.h"

#include "scope.h"

static JSAtom locals_atom, names_atom, hidden_atom, starts_atom, length_atom;

/* Borrowed. */
typedef struct {
    JSValueConst names, hidden; /* in pairs */
    JSValueConst starts;        /* where each call's names begin */
    int32_t count, depth;
} Locals;

int amla_locals_define(JSContext *ctx)
{
    locals_atom = JS_NewAtom(ctx, "locals");
    names_atom = JS_NewAtom(ctx, "names");
    hidden_atom = JS_NewAtom(ctx, "hidden");
    starts_atom = JS_NewAtom(ctx, "starts");
    length_atom = JS_NewAtom(ctx, "length");
    return 0;
}

static int32_t length_of(JSValueConst array)
{
    JSValueConst length = amla_own_field(array, length_atom);
    return JS_VALUE_GET_TAG(length) == JS_TAG_INT ? JS_VALUE_GET_INT(length) : 0;
}

static Locals locals_of(JSValueConst variables)
{
    JSValueConst locals = amla_own_field(variables, locals_atom);
    JSValueConst names = amla_own_field(locals, names_atom), starts = amla_own_field(locals, starts_atom);
    return (Locals){ names, amla_own_field(locals, hidden_atom), starts, length_of(names), length_of(starts) };
}

/* Where the names of the call at that depth, counted from 1, begin. */
static int32_t start_of(JSContext *ctx, const Locals *locals, int32_t depth)
{
    JSValue start = depth > 0 ? JS_GetPropertyUint32(ctx, locals->starts, (uint32_t)depth - 1) : JS_UNDEFINED;
    return JS_VALUE_GET_TAG(start) == JS_TAG_INT ? JS_VALUE_GET_INT(start) : locals->count;
}

static bool innermost_has(JSContext *ctx, const Locals *locals, JSValueConst name)
{
    bool has = false;
    for (int32_t i = start_of(ctx, locals, locals->depth); i < locals->count && !has; i++) {
        JSValue other = JS_GetPropertyUint32(ctx, locals->names, (uint32_t)i);
        has = JS_IsStrictEqual(ctx, other, name);
        JS_FreeValue(ctx, other);
    }
    return has;
}

static int push(JSContext *ctx, const Locals *locals, JSValueConst name, JSValueConst hidden)
{
    const uint32_t at = (uint32_t)locals->count;
    return JS_SetPropertyUint32(ctx, locals->names, at, JS_DupValue(ctx, name)) < 0
                || JS_SetPropertyUint32(ctx, locals->hidden, at, JS_DupValue(ctx, hidden)) < 0
            ? -1
            : 0;
}

JSValue amla_locals_add(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const AmlaScope scope = amla_scope(argv[0], JS_UNDEFINED);
    const Locals locals = locals_of(argv[0]);
    JSValueConst name = argv[1], outside = amla_variable_object(ctx, scope.table, name);
    const AmlaVariable *plain = amla_variable_find(ctx, scope.table, name);
    if (JS_IsUndefined(outside) ? plain != NULL : !plain || amla_variable_bits(plain) != 0)
        return JS_FALSE;
    if (innermost_has(ctx, &locals, name))
        return JS_FALSE;
    JSValue variable = amla_variable_new(ctx, scope.table, argv[2], scope.owner);
    if (JS_IsUndefined(variable))
        return JS_FALSE;
    if (JS_IsException(variable))
        return variable;
    if (push(ctx, &locals, name, outside)) {
        JS_FreeValue(ctx, variable);
        return JS_EXCEPTION;
    }
    return amla_variable_replace(ctx, scope.table, name, variable) ? JS_EXCEPTION : JS_TRUE;
}

/* What a name hid is seen again. */
static int uncover(JSContext *ctx, const AmlaScope *scope, const Locals *locals, uint32_t at)
{
    JSValue name = JS_GetPropertyUint32(ctx, locals->names, at);
    int failed = amla_variable_replace(ctx, scope->table, name, JS_GetPropertyUint32(ctx, locals->hidden, at));
    JS_FreeValue(ctx, name);
    return failed;
}

JSValue amla_locals_leave(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const AmlaScope scope = amla_scope(argv[0], JS_UNDEFINED);
    const Locals locals = locals_of(argv[0]);
    int32_t depth;
    if (JS_ToInt32(ctx, &depth, argv[1]))
        return JS_EXCEPTION;
    const int32_t start = start_of(ctx, &locals, depth);
    if (depth <= locals.depth && JS_SetLength(ctx, locals.starts, depth - 1) < 0)
        return JS_EXCEPTION;
    if (start >= locals.count)
        return JS_FALSE;
    for (int32_t i = locals.count - 1; i >= start; i--)
        if (uncover(ctx, &scope, &locals, (uint32_t)i))
            return JS_EXCEPTION;
    return JS_SetLength(ctx, locals.names, start) < 0 || JS_SetLength(ctx, locals.hidden, start) < 0 ? JS_EXCEPTION : JS_TRUE;
}
