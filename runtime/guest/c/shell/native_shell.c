#include "native_shell.h"

#include "line.h"
#include "locals.h"
#include "phrase.h"
#include "program.h"
#include "scope.h"

/* assign(variables, name, text): gives a variable a text; false, with nothing done, where it takes more than that. */
static JSValue assign(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const AmlaScope scope = amla_scope(argv[0], JS_UNDEFINED);
    AmlaVariable *variable = amla_variable_find(ctx, scope.table, argv[1]);
    if (!variable || !amla_variable_is_own(variable, scope.owner))
        return JS_FALSE;
    amla_variable_put(ctx, variable, JS_DupValue(ctx, argv[2]));
    return JS_TRUE;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("assign", 3, assign),
    JS_CFUNC_DEF("fields", 5, amla_line_fields),
    JS_CFUNC_DEF("leave", 2, amla_locals_leave),
    JS_CFUNC_DEF("local", 3, amla_locals_add),
    JS_CFUNC_DEF("phrase", 1, amla_phrase_create),
    JS_CFUNC_DEF("program", 5, amla_program_create),
    JS_CFUNC_DEF("put", 4, amla_phrase_put),
    JS_CFUNC_DEF("read", 6, amla_line_read),
    JS_CFUNC_DEF("replace", 3, amla_text_replace),
    JS_CFUNC_DEF("run", 3, amla_program_run),
    JS_CFUNC_DEF("split", 1, amla_text_split),
    JS_CFUNC_DEF("text", 3, amla_phrase_text),
    JS_CFUNC_DEF("words", 3, amla_phrase_words),
};

int amla_native_shell(JSContext *ctx, JSValueConst object)
{
    JSRuntime *rt = JS_GetRuntime(ctx);
    if (amla_scope_define(ctx) || amla_locals_define(ctx) || amla_program_define(rt) || amla_phrase_define(rt))
        return -1;
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
