/* Scripts, compiled as the body of an async function.
 *
 * Part of engine.c, behind quickjs.c. */

/* The atom `<ret>` is QuickJS's name for the hidden completion variable: a key
 * that a script has no reason to use. */
static const JSAtom completion_key = JS_ATOM__ret_;

static void emit_completion(JSParseState *s, JSFunctionDef *fd)
{
    emit_op(s, OP_object);
    emit_op(s, OP_dup);
    emit_op(s, OP_get_loc);
    emit_u16(s, fd->eval_ret_idx);
    emit_op(s, OP_put_field);
    emit_atom(s, completion_key);
    emit_return(s, true);
}

static int parse_script_body(JSParseState *s)
{
    JSFunctionDef *fd = s->cur_func;

    if (next_token(s) || js_parse_directives(s))
        return -1;
    fd->eval_ret_idx = add_var(s->ctx, fd, JS_ATOM__ret_);
    if (fd->eval_ret_idx < 0)
        return -1;
    while (s->token.val != TOK_EOF) {
        if (js_parse_source_element(s))
            return -1;
        if (fd->scopes[fd->body_scope].has_using) {
            js_parse_error(s, "'using' is supported inside a block or a function, not at the top level");
            return -1;
        }
    }
    emit_completion(s, fd);
    return 0;
}

JSValue amla_compile_script(JSContext *ctx, const char *source, size_t length, const char *filename, bool strict)
{
    JSParseState state, *s = &state;
    JSFunctionDef *fd;

    js_parse_init(ctx, s, source, length, filename, 1);
    skip_shebang(&s->buf_ptr, s->buf_end);
    fd = js_new_function_def(ctx, NULL, false, false, filename, 1, 1);
    if (!fd)
        return JS_EXCEPTION;
    s->cur_func = fd;
    fd->func_kind = JS_FUNC_ASYNC;
    fd->func_type = JS_PARSE_FUNC_STATEMENT;
    fd->has_this_binding = true;
    fd->arguments_allowed = true;
    fd->has_simple_parameter_list = true;
    fd->in_function_body = true;
    fd->is_strict_mode = strict;
    fd->func_name = JS_NewAtom(ctx, "<script>");
    push_scope(s);
    fd->body_scope = fd->scope_level;
    if (parse_script_body(s)) {
        free_token(s, &s->token);
        js_free_function_def(ctx, fd);
        return JS_EXCEPTION;
    }
    JSValue bytecode = js_create_function(ctx, fd);
    if (JS_IsException(bytecode))
        return bytecode;
    return js_closure(ctx, bytecode, NULL, NULL);
}

bool amla_completion(JSContext *ctx, JSValueConst result, JSValue *value)
{
    JSProperty *property;

    if (!JS_IsObject(result) || JS_VALUE_GET_OBJ(result)->class_id != JS_CLASS_OBJECT)
        return false;
    if (!find_own_property(&property, JS_VALUE_GET_OBJ(result), completion_key))
        return false;
    *value = JS_GetProperty(ctx, result, completion_key);
    return true;
}

static void forget_name(JSContext *ctx, JSAtom *name)
{
    JS_FreeAtom(ctx, *name);
    *name = JS_ATOM_empty_string;
}

void amla_strip(JSContext *ctx, JSValueConst code)
{
    if (JS_VALUE_GET_TAG(code) != JS_TAG_FUNCTION_BYTECODE)
        return;
    JSFunctionBytecode *function = JS_VALUE_GET_PTR(code);
    function->pc2line_len = 0;
    bool captured = false; /* what is known of variables is of use to closures alone */
    for (int i = 0; i < function->arg_count + function->var_count; i++) {
        forget_name(ctx, &function->vardefs[i].var_name);
        captured |= function->vardefs[i].is_captured;
    }
    if (!captured)
        function->vardefs = NULL;
    for (int i = 0; i < function->closure_var_count; i++)
        if (function->closure_var[i].closure_type <= JS_CLOSURE_REF) /* others are found by name */
            forget_name(ctx, &function->closure_var[i].var_name);
    for (int i = 0; i < function->cpool_count; i++)
        amla_strip(ctx, function->cpool[i]);
}
