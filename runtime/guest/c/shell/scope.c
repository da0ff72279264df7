#include "scope.h"

static JSAtom table_atom, owner_atom;
static JSValue separators_name;

int amla_scope_define(JSContext *ctx)
{
    table_atom = JS_NewAtom(ctx, "table");
    owner_atom = JS_NewAtom(ctx, "owner");
    separators_name = JS_NewString(ctx, "IFS");
    return amla_variables_define(ctx);
}

AmlaScope amla_scope(JSValueConst variables, JSValueConst positional)
{
    return (AmlaScope){ amla_own_field(variables, table_atom), amla_own_field(variables, owner_atom), positional };
}

JSValue amla_scope_separators(JSContext *ctx, const AmlaScope *scope)
{
    const AmlaVariable *variable = amla_variable_find(ctx, scope->table, separators_name);
    JSValueConst text = variable ? amla_variable_value(variable) : JS_UNDEFINED;
    return JS_IsString(text) ? JS_DupValue(ctx, text) : JS_NewString(ctx, " \t\n");
}

bool amla_scope_splits_blanks(JSContext *ctx, const AmlaScope *scope)
{
    const AmlaVariable *variable = amla_variable_find(ctx, scope->table, separators_name);
    return variable && amla_text_is(amla_variable_value(variable), " \t\n");
}
