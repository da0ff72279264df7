#include "native_shell.h"

#include "locals.h"
#include "phrase.h"
#include "program.h"
#include "scope.h"

/* store(variables, names, texts): gives each variable its text, the empty one where there
 * are fewer; returns how many were given theirs before one that takes more than that. */
static JSValue store(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const AmlaScope scope = amla_scope(argv[0], JS_UNDEFINED);
    int32_t index = 0;
    for (;; index++) {
        JSValueConst name = amla_array_element(argv[1], index);
        AmlaVariable *variable = JS_IsString(name) ? amla_variable_find(ctx, scope.table, name) : NULL;
        if (!variable || !amla_variable_is_own(variable, scope.owner))
            return JS_NewInt32(ctx, index);
        JSValueConst text = amla_array_element(argv[2], index);
        amla_variable_put(ctx, variable, JS_IsString(text) ? JS_DupValue(ctx, text) : JS_NewStringLen(ctx, "", 0));
    }
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("leave", 2, amla_locals_leave),
    JS_CFUNC_DEF("local", 3, amla_locals_add),
    JS_CFUNC_DEF("phrase", 1, amla_phrase_create),
    JS_CFUNC_DEF("program", 5, amla_program_create),
    JS_CFUNC_DEF("run", 3, amla_program_run),
    JS_CFUNC_DEF("split", 1, amla_text_split),
    JS_CFUNC_DEF("store", 3, store),
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
