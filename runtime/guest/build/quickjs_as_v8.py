"""Corrections to QuickJS where scripts can tell it from V8: errors' stacks, parameters, weak references, digits."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["QUICKJS_PARAMETERS", "QUICKJS_RADIX", "QUICKJS_RULES", "QUICKJS_SORT", "QUICKJS_STACK", "QUICKJS_WEAK"]

_FILE = "quickjs.c"

_STACK = "an error has a stack of its own, which scripts list, copy and delete, headed by its name and message"
_MADE = (
    "        obj = JS_NewObjectProtoClass(ctx, ctx->native_error_proto[error_num],\n"
    "                                     JS_CLASS_ERROR);\n"
)

QUICKJS_STACK: list[Fix | Swap] = [
    Fix(
        _FILE,
        "static JSValue JS_ThrowTypeErrorRevokedProxy(JSContext *ctx);\n",
        """static JSValue amla_new_error(JSContext *ctx, JSValueConst proto);
static JSValue amla_headed(JSContext *ctx, JSValueConst error, JSValue frames);
static JSShapeProperty *amla_unmade_stack(JSObject *error, JSProperty **property);
static int amla_make_stack(JSContext *ctx, JSObject *error);
""",
        _STACK,
    ),
    Swap(
        _FILE,
        "obj = JS_NewObjectClass(ctx, JS_CLASS_ERROR);",
        "obj = amla_new_error(ctx, ctx->class_proto[JS_CLASS_ERROR]);",
        2,
        _STACK,
    ),
    Swap(_FILE, _MADE, "        obj = amla_new_error(ctx, ctx->native_error_proto[error_num]);\n", 1, _STACK),
    Swap(
        _FILE,
        "    obj = JS_NewObjectProtoClass(ctx, proto, JS_CLASS_ERROR);",
        "    obj = amla_new_error(ctx, proto);",
        1,
        _STACK,
    ),
    *[
        Swap(
            _FILE,
            "    obj = JS_NewObjectProtoClass(ctx,\n"
            f"                                 ctx->native_error_proto[{kind}],\n"
            "                                 JS_CLASS_ERROR);",
            f"    obj = amla_new_error(ctx, ctx->native_error_proto[{kind}]);",
            1,
            _STACK,
        )
        for kind in ("JS_AGGREGATE_ERROR", "JS_SUPPRESSED_ERROR")
    ],
    Swap(
        _FILE,
        "    if (!JS_IsUndefined(p->u.object_data))\n        return false;\n"
        "    if (find_own_property1(p, JS_ATOM_stack))\n        return false;\n",
        "    JSProperty *stack;\n    if (!JS_IsUndefined(p->u.object_data))\n        return false;\n"
        "    if (!amla_unmade_stack(p, &stack))\n        return false;\n",
        1,
        _STACK,
    ),
    Swap(
        _FILE,
        "    if (has_filter_func) {\n        /* Error.captureStackTrace",
        """    if (has_filter_func && !has_prepare && !can_store_error_stack(error_obj) && JS_IsString(stack))
        stack = amla_headed(ctx, error_obj, stack);
    if (has_prepare ? has_filter_func || can_store_error_stack(error_obj)
                    : has_filter_func && !can_store_error_stack(error_obj)) {
        /* Error.captureStackTrace""",
        1,
        _STACK,
    ),
    Swap(
        _FILE,
        "    build_backtrace(ctx, v, argv[1], NULL, 0, 0, JS_BACKTRACE_FLAG_SKIP",
        """    JSProperty *stack;
    JSObject *error = JS_VALUE_GET_OBJ(v);
    if (error->class_id == JS_CLASS_ERROR && amla_unmade_stack(error, &stack)) {
        JS_FreeValue(ctx, error->u.object_data);
        error->u.object_data = JS_UNDEFINED;
    }
    build_backtrace(ctx, v, argv[1], NULL, 0, 0, JS_BACKTRACE_FLAG_SKIP""",
        1,
        _STACK,
    ),
    Swap(
        _FILE,
        "    if (js_shape_prepare_update(ctx, p, &prs))\n        return -1;\n\n"
        "    realm = js_autoinit_get_realm(pr);\n",
        "    realm = js_autoinit_get_realm(pr);\n    if (p->class_id == JS_CLASS_ERROR && prop == JS_ATOM_stack)\n"
        "        return amla_make_stack(realm, p);\n"
        "    if (js_shape_prepare_update(ctx, p, &prs))\n        return -1;\n\n",
        1,
        _STACK,
    ),
    Swap(_FILE, '    JS_CGETSET_DEF("stack", js_error_get_stack, js_error_set_stack ),\n', "", 1, _STACK),
]

_RADIX = "a number in another base has V8's digits behind the point"

QUICKJS_RADIX: list[Fix | Swap] = [
    Fix(
        _FILE,
        "static JSValue JS_ThrowTypeErrorRevokedProxy(JSContext *ctx);\n",
        "static JSValue amla_radix_text(JSContext *ctx, double value, int radix);\n",
        _RADIX,
    ),
    Swap(
        _FILE,
        "    flags = JS_DTOA_FORMAT_FREE;\n    if (base != 10)\n        flags |= JS_DTOA_EXP_DISABLED;\n",
        "    flags = JS_DTOA_FORMAT_FREE;\n    if (base != 10 && fabs(d) < 9007199254740992.0)\n"
        "        return amla_radix_text(ctx, d, base);\n    if (base != 10)\n        flags |= JS_DTOA_EXP_DISABLED;\n",
        1,
        _RADIX,
    ),
]

_PARAMETERS = (
    "a closure in the parameter list sees what the body assigns to a parameter, and the body what the closure does"
)

QUICKJS_PARAMETERS: list[Fix | Swap] = [
    Swap(
        _FILE,
        "    uint8_t var_kind : 4; /* see JSVarKindEnum */\n    /* if is_captured",
        "    uint8_t var_kind : 4; /* see JSVarKindEnum */\n    uint8_t is_declared_anew : 1; /* see parameters.h */\n"
        "    /* if is_captured",
        1,
        _PARAMETERS,
    ),
    Swap(
        _FILE,
        "static int define_var(JSParseState *s, JSFunctionDef *fd, JSAtom name,\n",
        '#include "parameters.h"\n\nstatic int define_var(JSParseState *s, JSFunctionDef *fd, JSAtom name,\n',
        1,
        _PARAMETERS,
    ),
    Fix(
        _FILE,
        "            /* if the variable already exists, don't add it again  */\n"
        "            idx = find_var(ctx, fd, name);\n",
        "            amla_declared_anew(ctx, fd, name);\n",
        _PARAMETERS,
    ),
    *[
        Swap(
            _FILE,
            f"        if (!is_arg_scope) {{\n            var_idx = find_var(ctx, {function}, var_name);\n",
            f"        if (!is_arg_scope) {{\n            var_idx = find_var(ctx, {function}, var_name);\n"
            f"            var_idx = amla_shared_copy(ctx, {function}, var_name, var_idx);\n",
            1,
            _PARAMETERS,
        )
        for function in ("s", "fd")
    ],
    *[
        Swap(
            _FILE,
            f"{indent}var_idx = idx;\n{indent}break;\n",
            f"{indent}var_idx = amla_shared_copy(ctx, {function}, var_name, idx);\n{indent}break;\n",
            1,
            _PARAMETERS,
        )
        for indent, function in ((" " * 12, "s"), (" " * 16, "fd"))
    ],
    Swap(
        _FILE,
        "        /* the argument scope has no parent, hence we don't use pop_scope(s) */\n"
        "        emit_op(s, OP_leave_scope);\n        emit_u16(s, fd->scope_level);\n",
        "",
        1,
        _PARAMETERS,
    ),
]

_WEAK = "what is referred to weakly is there until a collection, as in V8, not until the last strong reference goes"

QUICKJS_WEAK: list[Fix | Swap] = [
    Fix(
        _FILE,
        "    insert_weakref_record(arg, wr);\n",
        "    if (amla_keep_target(ctx, arg)) {\n        JS_FreeValue(ctx, obj);\n        return JS_EXCEPTION;\n    }\n",
        _WEAK,
    ),
    Fix(
        _FILE,
        "    insert_weakref_record(target, wr);\n",
        "    if (amla_keep_target(ctx, target))\n        return JS_EXCEPTION;\n",
        _WEAK,
    ),
    Swap(_FILE, "bool enqueue = !rt->in_free;", "bool enqueue = !rt->in_free && !amla_ending;", 1, _WEAK),
    Fix(_FILE, "void JS_RunGC(JSRuntime *rt)\n{\n", "    amla_let_targets_go(rt);\n", _WEAK),
]

_ORDER = "where a comparison contradicts itself, or prints, scripts can tell in which order an array is sorted"

QUICKJS_SORT: list[Fix | Swap] = [
    Swap(
        _FILE,
        "    if (cmp != 0)\n        return cmp;\n    /* make sort stable: compare array offsets */\n"
        "    return (ap->pos > bp->pos) - (ap->pos < bp->pos);\n\n"
        "exception:\n    psc->exception = 1;\n    return 0;\n}\n",
        "    return cmp;\n\nexception:\n    psc->exception = 1;\n    return 0;\n}\n\n"
        "static void amla_sort(JSContext *ctx, ValueSlot *slots, size_t count, struct array_sort_context *order);\n",
        1,
        _ORDER,
    ),
    Swap(
        _FILE,
        "rqsort(array, pos, sizeof(*array), js_array_cmp_generic, &asc);",
        "amla_sort(ctx, array, pos, &asc);",
        1,
        _ORDER,
    ),
]

_LABELS = "`outer: again: for (…) continue outer;` goes on with the loop"

QUICKJS_RULES: list[Fix | Swap] = [
    Swap(
        _FILE,
        "    } else if (token_is_pseudo_keyword(s, JS_ATOM_async)) {\n        const uint8_t *source_ptr;",
        "    } else if (token_is_pseudo_keyword(s, JS_ATOM_async) && peek_token(s, true) != TOK_ARROW) {\n"
        "        const uint8_t *source_ptr;",
        1,
        "`async => 1` is a function of one parameter",
    ),
    Swap(
        _FILE,
        "    JS_FreeValue(ctx, iterator);\n\n    enumobj = JS_GetIterator(ctx, sp[-1], false);\n",
        "\n    enumobj = JS_IsFunction(ctx, iterator) ? JS_GetIterator2(ctx, sp[-1], iterator)\n"
        "                                           : amla_not_iterable(ctx, sp[-1], false);\n"
        "    JS_FreeValue(ctx, iterator);\n",
        1,
        "`...list` asks for the iterator once, which a proxy sees",
    ),
    Swap(
        _FILE,
        "JS_PROP_WRITABLE && !(flags & JS_PROP_WRITABLE)) {\n                /* missing-proxy-check feature */",
        "JS_PROP_WRITABLE && (flags & JS_PROP_HAS_WRITABLE) && !(flags & JS_PROP_WRITABLE)) {",
        1,
        "a proxy of an array may define its length without saying that it stays writable",
    ),
    Swap(
        _FILE,
        "            top->label_cont != -1 &&\n            (name == JS_ATOM_NULL || top->label_name == name)) {",
        "            top->label_cont != -1 &&\n"
        "            (name == JS_ATOM_NULL || top->label_name == name || amla_is_labelled(top, name))) {",
        1,
        _LABELS,
    ),
    Swap(
        _FILE,
        "static __exception int emit_break(JSParseState *s, JSAtom name, int is_cont)\n{\n",
        "/* A loop has all labels that stand in front of it. */\n"
        "static bool amla_is_labelled(const BlockEnv *loop, JSAtom name)\n{\n"
        "    for (loop = loop->prev; loop && loop->is_regular_stmt; loop = loop->prev)\n"
        "        if (loop->label_name == name)\n            return true;\n    return false;\n}\n\n"
        "static __exception int emit_break(JSParseState *s, JSAtom name, int is_cont)\n{\n",
        1,
        _LABELS,
    ),
]
