/* Parameters that a closure among the parameters sees: `function f(a, get = () => a)`.  Included by quickjs.c
 * (build/quickjs_as_v8.py).
 *
 * QuickJS gives such a function two copies of each parameter, one for the parameter list and one for the body, though by
 * the language they are two only where the body declares the name anew.  Nobody can tell before a closure of the list
 * keeps its copy; closures of the list are resolved before the body, which then uses the same one. */

/* The list's copy of a parameter; -1 where there is none. */
static int amla_list_copy(JSContext *ctx, JSFunctionDef *fd, JSAtom name)
{
    return fd->has_parameter_expressions ? find_var_in_scope(ctx, fd, name, ARG_SCOPE_INDEX) : -1;
}

static void amla_declared_anew(JSContext *ctx, JSFunctionDef *fd, JSAtom name)
{
    int index = amla_list_copy(ctx, fd, name);
    if (index >= 0)
        fd->vars[index].is_declared_anew = true;
}

/* For what a name in the body stands for, the list's copy where both are one. `eval` has been given the body's copies. */
static int amla_shared_copy(JSContext *ctx, JSFunctionDef *fd, JSAtom name, int index)
{
    bool inner = index < 0 || (index < ARGUMENT_VAR_OFFSET && fd->vars[index].scope_level > 0);
    int copy = inner || fd->has_eval_call ? -1 : amla_list_copy(ctx, fd, name);
    return copy >= 0 && fd->vars[copy].is_captured && !fd->vars[copy].is_declared_anew ? copy : index;
}
