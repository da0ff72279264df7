/* Lines typed one after the other, in a realm that stays.
 *
 * A line is compiled as an asynchronous global script: what it declares becomes
 * a variable of the realm, `let`, `const` and classes included, and may be
 * declared again by a later line.  Functions find such variables by name, so
 * what an earlier line defined sees the new ones.
 *
 * Part of engine.c, behind quickjs.c.
 */

static int parse_line_expression(JSParseState *s)
{
    JSFunctionDef *fd = s->cur_func;

    if (next_token(s))
        return -1;
    fd->eval_ret_idx = add_var(s->ctx, fd, JS_ATOM__ret_);
    if (fd->eval_ret_idx < 0 || js_parse_expr(s))
        return -1;
    if (s->token.val != TOK_EOF)
        return js_parse_expect(s, TOK_EOF);
    emit_op(s, OP_put_loc);
    emit_u16(s, fd->eval_ret_idx);
    emit_completion(s, fd);
    return 0;
}

static JSFunctionDef *line_definition(JSContext *ctx, const char *filename)
{
    JSFunctionDef *fd = js_new_function_def(ctx, NULL, true, false, filename, 1, 1);
    if (!fd)
        return NULL;
    fd->eval_type = JS_EVAL_TYPE_GLOBAL;
    fd->is_global_var = true;
    fd->has_this_binding = true;
    fd->in_function_body = true;
    fd->func_kind = JS_FUNC_ASYNC;
    fd->func_name = JS_NewAtom(ctx, "<line>");
    return fd;
}

/* Make room for a declaration: the variable of that name that an earlier line made goes,
 * and a `var` can then stand beside a `let` of the same name, which hides it. */
static void forget_variable(JSContext *ctx, JSAtom name)
{
    JSObject *global = JS_VALUE_GET_OBJ(ctx->global_obj);
    JSProperty *property;

    delete_property(ctx, JS_VALUE_GET_OBJ(ctx->global_var_obj), name);
    JSShapeProperty *found = find_own_property(&property, global, name);
    if (found && (found->flags & (JS_PROP_TMASK | JS_PROP_WRITABLE)) == JS_PROP_WRITABLE)
        js_update_property_flags(ctx, global, &found, found->flags | JS_PROP_CONFIGURABLE);
}

static void forget_variables(JSContext *ctx, const JSAtom *names, int count)
{
    for (int i = 0; i < count; i++)
        forget_variable(ctx, names[i]);
}

static JSAtom *declared_names(JSContext *ctx, const JSFunctionDef *fd, int *count)
{
    JSAtom *names = js_malloc(ctx, sizeof *names * (size_t)(fd->global_var_count + 1));
    *count = names ? fd->global_var_count : 0;
    for (int i = 0; i < *count; i++)
        names[i] = JS_DupAtom(ctx, fd->global_vars[i].var_name);
    return names;
}

static JSValue finish_line(JSContext *ctx, JSFunctionDef *fd, bool check)
{
    int count;
    JSAtom *names = declared_names(ctx, fd, &count);
    JSValue code = js_create_function(ctx, fd);
    const bool compiled = names && !JS_IsException(code);
    if (compiled && !check)
        forget_variables(ctx, names, count);
    for (int i = 0; i < count; i++)
        JS_FreeAtom(ctx, names[i]);
    js_free(ctx, names);
    if (!compiled || check) {
        JS_FreeValue(ctx, code);
        return compiled ? JS_UNDEFINED : JS_EXCEPTION;
    }
    return js_closure(ctx, code, NULL, NULL);
}

JSValue amla_compile_line(JSContext *ctx, const char *source, size_t length, const char *filename, AmlaLine line, AmlaStop *stop)
{
    JSParseState state, *s = &state;

    js_parse_init(ctx, s, source, length, filename, 1);
    skip_shebang(&s->buf_ptr, s->buf_end);
    JSFunctionDef *fd = line_definition(ctx, filename);
    if (!fd)
        return JS_EXCEPTION;
    s->cur_func = fd;
    push_scope(s);
    fd->body_scope = fd->scope_level;
    if (line.is_expression ? parse_line_expression(s) : parse_script_body(s)) {
        stop->at_end = s->token.val == TOK_EOF;
        stop->rest = s->token.ptr ? (const char *)s->token.ptr : source;
        free_token(s, &s->token);
        js_free_function_def(ctx, fd);
        return JS_EXCEPTION;
    }
    return finish_line(ctx, fd, line.is_check);
}

/* --- looking at a realm's variables ------------------------------------------------ */

JSValue amla_variable_names(JSContext *ctx)
{
    return amla_non_index_keys(ctx, ctx->global_var_obj, false);
}

/* Of the object itself, without running any code of the script: undefined for accessors,
 * and for what a proxy or another exotic object would have to be asked for.  What the
 * engine itself makes when it is first asked for comes into being. */
static JSValueConst peek_own(JSContext *ctx, JSObject *object, JSAtom name, bool *found)
{
    JSProperty *property;
    JSShapeProperty *shape = find_own_property(&property, object, name);
    *found = shape != NULL;
    if (shape && (shape->flags & JS_PROP_TMASK) == JS_PROP_AUTOINIT && name != JS_ATOM_stack) {
        if (JS_AutoInitProperty(ctx, object, name, property, shape)) {
            JS_FreeValue(ctx, JS_GetException(ctx));
            return JS_UNDEFINED;
        }
        shape = find_own_property(&property, object, name);
    }
    if (!shape || (shape->flags & JS_PROP_TMASK) || JS_IsUninitialized(property->u.value))
        return JS_UNDEFINED;
    return property->u.value;
}

JSValue amla_peek(JSContext *ctx, JSValueConst object, JSAtom name)
{
    bool found = false;
    if (!JS_IsObject(object))
        return JS_UNDEFINED;
    for (JSObject *at = JS_VALUE_GET_OBJ(object); at && at->class_id != JS_CLASS_PROXY; at = at->shape->proto) {
        uint32_t index;
        JSValueConst value = peek_own(ctx, at, name, &found);
        if (found)
            return JS_DupValue(ctx, value);
        if (at->fast_array && at->class_id == JS_CLASS_ARRAY && JS_AtomIsArrayIndex(ctx, &index, name) && index < at->u.array.count)
            return JS_DupValue(ctx, at->u.array.u.values[index]);
    }
    return JS_UNDEFINED;
}

JSValue amla_peek_variable(JSContext *ctx, JSAtom name)
{
    bool found;
    JSValueConst value = peek_own(ctx, JS_VALUE_GET_OBJ(ctx->global_var_obj), name, &found);
    if (!found)
        value = peek_own(ctx, JS_VALUE_GET_OBJ(ctx->global_obj), name, &found);
    return JS_DupValue(ctx, value);
}

JSValue amla_peek_proto(JSContext *ctx, JSValueConst value)
{
    if (JS_IsObject(value))
        return JS_VALUE_GET_OBJ(value)->class_id == JS_CLASS_PROXY ? JS_NULL : js_dup(proto_of(value));
    return js_dup(JS_GetPrototypePrimitive(ctx, value));
}
