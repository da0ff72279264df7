"""Our corrections to QuickJS: what they are for is in ``fixes``."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["QUICKJS"]

_REALM = "what a proxy or an async function makes when it is called must belong to its realm, not to the caller's"

_UNCOUNTED = "what the build bakes is never freed, and counting its uses would cost each sandbox a copy of its page"
_DIGITS = "a number that a script does not round shows its last digit, which V8's methods decide"
_KEPT = "layouts of objects on the way to a common one are found, not made anew for each object"
_JOINED = "a long text that was put together is the same value, and key, as one that was not"
_USES = {"p": 8, "sh": 1, "ctx": 1, "b": 1, "var_ref": 6, "sf->cur_gc_obj": 1, "s": 1}
"""Names under which things are counted, and how often."""

_HEARD = "        if (i % 4096 == 4095)\n            amla_put_away(rt);\n"
_FREED = "a great array takes long to put away, and the host must not take that for not having heard it"
_QUOTED = "a text was held twice more while it was written as JSON, and looked at character by character"
_NEXT = "each property of a new object took a search for its next layout, or a copy of the last"
_LAYOUT = "closures and literals, of which an interpreter makes many, get their properties without a search for each"

QUICKJS: list[Fix | Swap] = [
    Fix(
        "libregexp.c",
        "        case REOP_split_goto_first:\n        case REOP_split_next_first:\n            {\n"
        "                const uint8_t *pc1;\n\n",
        "                if (lre_poll_timeout(s))\n                    return LRE_RET_TIMEOUT;\n",
        "a greedy repetition of millions of characters that never fails must be interruptible as well",
    ),
    Swap(
        "quickjs.c",
        "#else\n#define DIRECT_DISPATCH  1",
        "#else\n#define DIRECT_DISPATCH  0",
        1,
        "WebAssembly has no computed goto: each becomes a way through one switch, with all locals carried along",
    ),
    Swap(
        "quickjs.c",
        "if (s->token.val != ';' && s->token.val != '}' && !s->got_lf) {\n            if (js_parse_expr(s))",
        "if (s->token.val != ';' && s->token.val != '}' && s->token.val != TOK_EOF && !s->got_lf) {\n"
        "            if (js_parse_expr(s))",
        1,
        "a script is a function's body without its braces, so a bare return may be its very end",
    ),
    Swap(
        "quickjs.c",
        "    /* XXX: optimize */\n    if (s->len + count > s->size) {\n"
        "        if (string_buffer_realloc(s, s->len + count, c))\n            return -1;\n    }\n",
        """    if (s->len + count > s->size) {
        if (string_buffer_realloc(s, s->len + count, c))
            return -1;
    }
    if (!s->is_wide_char && c < 0x100 && s->len + count <= s->size) {
        memset(str8(s->str) + s->len, c, count);
        s->len += count;
        return 0;
    }
""",
        1,
        "padding to a width, which shells and tables do, is one memset",
    ),
    Fix(
        "quickjs.c",
        "    if (string_buffer_init(ctx, b, p->len))\n        goto fail;\n",
        """    if (!p->is_wide_char && amla_change_case(str8(b->str), str8(p), p->len, to_lower)) {
        b->len = p->len;
        JS_FreeValue(ctx, val);
        return string_buffer_end(b);
    }
""",
        "the case of ASCII, which nearly all text is, changes without a look at Unicode's tables",
    ),
    Fix(
        "quickjs.c",
        "static void js_array_finalizer(JSRuntime *rt, JSValueConst val)\n{\n    JSObject *p = JS_VALUE_GET_OBJ(val);\n"
        "    uint32_t i;\n\n    for(i = 0; i < p->u.array.count; i++) {\n",
        _HEARD,
        _FREED,
    ),
    Swap(
        "quickjs.c",
        "        p = JS_VALUE_GET_OBJ(sf->cur_func);\n        b = NULL;\n        backtrace_barrier = false;\n",
        "        p = JS_VALUE_GET_OBJ(sf->cur_func);\n        if (amla_hides(ctx, p))\n            continue;\n"
        "        b = NULL;\n        backtrace_barrier = false;\n",
        1,
        "functions of the guest's own are nothing to a script's prepareStackTrace, which could call them",
    ),
    Fix(
        "quickjs.c",
        "static JSValue JS_ThrowStackOverflow(JSContext *ctx);\n",
        "static bool amla_hides(JSContext *ctx, JSObject *function);\n"
        "static JSValue amla_math_hypot(JSContext *ctx, double first, int argc, JSValueConst *argv);\n",
        "they are defined in c/trace.h and c/hypot.h",
    ),
    *[
        Swap(
            "quickjs.c",
            f"static double js_math_{name}(double d) {{ return {name}(d); }}",
            f"static double js_math_{name}(double d) {{ return amla_{name}(d); }}",
            1,
            _DIGITS,
        )
        for name in ("acosh", "asinh", "cos", "cosh", "exp", "log", "log10", "sin", "tanh")
    ],
    Swap(
        "quickjs.c",
        "        return hash_string(JS_VALUE_GET_STRING(val), h);\n    } else {\n        JSStringRope",
        "        return hash_string(JS_VALUE_GET_STRING(val), h) ^ hash32(JS_VALUE_GET_STRING(val)->len);\n"
        "    } else {\n        JSStringRope",
        1,
        _JOINED,
    ),
    Swap(
        "quickjs.c",
        "        h = hash_string_rope(key, 0);\n",
        "        h = hash_string_rope(key, 0) ^ hash32(JS_VALUE_GET_STRING_ROPE(key)->len);\n"
        "        tag = JS_TAG_STRING;\n",
        1,
        _JOINED,
    ),
    Swap(
        "quickjs.c",
        "    } else if (tag1 == tag2) {\n        res = js_strict_eq2(",
        "    } else if (tag1 == tag2 || (tag_is_string(tag1) && tag_is_string(tag2))) {\n        res = js_strict_eq2(",
        1,
        _JOINED,
    ),
    *[
        Swap("quickjs.c", text, text.replace(f"tag{tag} == JS_TAG_STRING", f"tag_is_string(tag{tag})"), 1, _JOINED)
        for tag, text in (
            (2, "              tag2 == JS_TAG_STRING) ||\n"),
            (1, "              tag1 == JS_TAG_STRING))) {\n"),
            (1, "            if (tag1 == JS_TAG_STRING) {\n"),
            (2, "            if (tag2 == JS_TAG_STRING) {\n"),
        )
    ],
    Swap("quickjs.c", "        d = pow(a, b);\n", "        d = amla_pow(a, b);\n", 1, _DIGITS),
    Swap("quickjs.c", "    double r, a;\n    int i;\n\n    r = 0;\n", "    double r = 0;\n", 1, _DIGITS),
    Swap(
        "quickjs.c",
        """            /* use the built-in function to minimize precision loss */
            for (i = 1; i < argc; i++) {
                if (JS_ToFloat64(ctx, &a, argv[i]))
                    return JS_EXCEPTION;
                r = hypot(r, a);
            }
""",
        """            return amla_math_hypot(ctx, r, argc, argv);
""",
        1,
        _DIGITS,
    ),
    *[Swap("quickjs.c", f"JS_REF_COUNT({name})++", f"amla_use({name})", n, _UNCOUNTED) for name, n in _USES.items()],
    Swap("quickjs.c", "--JS_REF_COUNT(", "amla_unuse(", 7, _UNCOUNTED),
    Swap("quickjs.c", "JS_REF_COUNT(str)--", "amla_unuse(str)", 1, _UNCOUNTED),
    Fix(
        "quickjs.c",
        "#define JS_REF_COUNT(p) (js_rc(p)->ref_count)\n",
        """
#define AMLA_IMMORTAL (1 << 30)
static inline void amla_use(const void *p) {
    if (js_rc(p)->ref_count < AMLA_IMMORTAL)
        js_rc(p)->ref_count++;
}
static inline int amla_unuse(const void *p) {
    return js_rc(p)->ref_count < AMLA_IMMORTAL ? --js_rc(p)->ref_count : AMLA_IMMORTAL;
}

/* Whether shapes are made to stay, up to so many properties: each is copied to make the next. */
#define AMLA_KEPT_PROPERTIES 64
static bool amla_keeping_shapes;
""",
        _UNCOUNTED,
    ),
    Fix(
        "quickjs.c",
        "    sh->shape_hash_next = rt->shape_hash[h];\n    rt->shape_hash[h] = sh;\n    rt->shape_hash_count++;\n",
        "    if (amla_keeping_shapes && sh->prop_count <= AMLA_KEPT_PROPERTIES)\n"
        "        JS_REF_COUNT(sh) = AMLA_IMMORTAL;\n",
        _KEPT,
    ),
    Swap(
        "quickjs.c",
        "            for(i = 0; i < n; i++) {\n"
        "                if (unlikely(get_shape_prop(sh1)[i].atom != get_shape_prop(sh)[i].atom) ||\n",
        """
            /* shapes of one history are equal word by word, which is quicker to see */
            const uint64_t *one = (const uint64_t *)get_shape_prop(sh1);
            const uint64_t *other = (const uint64_t *)get_shape_prop(sh);
            for(i = 0; i < n && one[i] == other[i];)
                i++;
            for(; i < n; i++) {
                if (unlikely(get_shape_prop(sh1)[i].atom != get_shape_prop(sh)[i].atom) ||
""",
        1,
        "finding the layout of an object with many fields took longer than giving it them",
    ),
    Swap(
        "quickjs.c",
        "static __maybe_unused void JS_DumpShape(JSRuntime *rt, int i, JSShape *sh)\n",
        '#include "transitions.h"\n#include "weak.h"\n\n'
        "static __maybe_unused void JS_DumpShape(JSRuntime *rt, int i, JSShape *sh)\n",
        1,
        _NEXT,
    ),
    Swap(
        "quickjs.c",
        "        new_sh = find_hashed_shape_prop(ctx->rt, sh, prop, prop_flags);\n        if (new_sh) {\n"
        "            /* matching shape found: use it */\n",
        """
        new_sh = amla_transition(sh, prop, prop_flags);
        if (!new_sh) {
            new_sh = find_hashed_shape_prop(ctx->rt, sh, prop, prop_flags);
            if (new_sh)
                amla_note_transition(ctx->rt, sh, new_sh);
        }
        if (new_sh) {
            /* matching shape found: use it */
""",
        1,
        _NEXT,
    ),
    Swap(
        "quickjs.c",
        "            new_sh->is_hashed = true;\n            js_shape_hash_link(ctx->rt, new_sh);\n"
        "            js_free_shape(ctx->rt, p->shape);\n            p->shape = new_sh;\n        }\n    }\n",
        """
            new_sh->is_hashed = true;
            js_shape_hash_link(ctx->rt, new_sh);
            p->shape = new_sh;
            bool has_failed = add_shape_property(ctx, &p->shape, p, prop, prop_flags);
            if (!has_failed)
                amla_note_transition(ctx->rt, sh, p->shape);
            js_free_shape(ctx->rt, sh);
            return has_failed ? NULL : &p->prop[p->shape->prop_count - 1];
        }
    }
""",
        1,
        _NEXT,
    ),
    Swap(
        "quickjs.c",
        "static JSValue JS_ToQuotedStringFree(JSContext *ctx, JSValue val) {\n"
        "    JSValue r = JS_ToQuotedString(ctx, val);\n    JS_FreeValue(ctx, val);\n    return r;\n}\n",
        '#include "json_quote.h"\n',
        1,
        _QUOTED,
    ),
    Swap(
        "quickjs.c",
        """                    prop = JS_ToQuotedStringFree(ctx, prop);
                    if (JS_IsException(prop)) {
                        JS_FreeValue(ctx, v);
                        goto exception;
                    }
                    string_buffer_concat_value(jsc->b, sep);
                    string_buffer_concat_value(jsc->b, prop);
""",
        """                    string_buffer_concat_value(jsc->b, sep);
                    ret = amla_quote_value(ctx, jsc->b, prop);
                    prop = JS_UNDEFINED;
                    if (ret) {
                        JS_FreeValue(ctx, v);
                        goto exception;
                    }
""",
        1,
        _QUOTED,
    ),
    Swap(
        "quickjs.c",
        """        val = JS_ToQuotedStringFree(ctx, val);
        if (JS_IsException(val))
            goto exception;
        goto concat_value;
""",
        """        return amla_quote_value(ctx, jsc->b, val);
""",
        1,
        _QUOTED,
    ),
    Fix("quickjs.c", "void JS_RunGC(JSRuntime *rt)\n{\n", "    amla_forget_transitions(rt);\n", _NEXT),
    Swap(
        "quickjs.c",
        "        h = (u.u32[0] ^ u.u32[1]) * 3163;\n",
        "        h = hash32(u.u32[0] ^ u.u32[1]);\n        h ^= h >> 15;\n",
        1,
        "small integers differ in high bits only, by which a Map of them was a list",
    ),
    Fix("quickjs.c", "        b->u.block_idx = block_idx;\n", "        b->ref_count = 0;\n", _UNCOUNTED),
    Swap(
        "quickjs.c",
        "    b->block_size_idx = 0xff; /* fail safe */\n",
        "    b->block_size_idx = 0xff; /* fail safe */\n    b->ref_count = 0;\n",
        2,
        _UNCOUNTED,
    ),
    Fix(
        "quickjs.c",
        "    int ret, gpn_flags;\n    int desc_flags;\n    bool is_enumerable;\n",
        """
    if (JS_IsString(source)) {
        JSValue boxed = JS_ToObject(ctx, source);
        if (JS_IsException(boxed))
            return -1;
        ret = JS_CopyDataProperties(ctx, target, boxed, excluded, setprop);
        JS_FreeValue(ctx, boxed);
        return ret;
    }
""",
        "spreading a string into an object must copy its characters (ECMA-262, CopyDataProperties)",
    ),
    Fix(
        "quickjs.c",
        "    [JS_FUNC_ASYNC_GENERATOR] = JS_CLASS_ASYNC_GENERATOR_FUNCTION,\n};\n",
        """
/* A function as js_function_set_properties makes it, if there was one of that kind before: undefined otherwise. */
static JSValue amla_laid_out_function(JSContext *ctx, JSFunctionBytecode *b)
{
    JSClassID class_id = func_kind_to_class_id[b->func_kind];
    JSShape *sh = find_hashed_shape_proto(ctx->rt, JS_VALUE_GET_OBJ(ctx->class_proto[class_id]));
    if (sh)
        sh = find_hashed_shape_prop(ctx->rt, sh, JS_ATOM_length, JS_PROP_CONFIGURABLE);
    if (sh)
        sh = find_hashed_shape_prop(ctx->rt, sh, JS_ATOM_name, JS_PROP_CONFIGURABLE);
    if (!sh)
        return JS_UNDEFINED;
    JSProperty props[2];
    props[0].u.value = js_int32(b->defined_arg_count);
    props[1].u.value = JS_AtomToString(ctx, b->func_name == JS_ATOM_NULL ? JS_ATOM_empty_string : b->func_name);
    return JS_NewObjectFromShape(ctx, js_dup_shape(sh), class_id, props);
}

/* Gives a plain object a property that it has not: 1, or -1 for an exception; 0 where it takes more than that. */
static inline int amla_add_field(JSContext *ctx, JSValueConst obj, JSAtom atom, JSValue val)
{
    JSProperty *pr;
    JSObject *p = JS_VALUE_GET_OBJ(obj);
    if (p->class_id != JS_CLASS_OBJECT || !p->extensible || find_own_property(&pr, p, atom))
        return 0;
    pr = add_property(ctx, p, atom, JS_PROP_C_W_E);
    if (!pr) {
        JS_FreeValue(ctx, val);
        return -1;
    }
    pr->u.value = val;
    return 1;
}
""",
        _LAYOUT,
    ),
    Swap(
        "quickjs.c",
        "    func_obj = JS_NewObjectClass(ctx, func_kind_to_class_id[b->func_kind]);\n",
        """
    func_obj = amla_laid_out_function(ctx, b);
    bool laid_out = !JS_IsUndefined(func_obj);
    if (!laid_out)
        func_obj = JS_NewObjectClass(ctx, func_kind_to_class_id[b->func_kind]);
""",
        1,
        _LAYOUT,
    ),
    Swap(
        "quickjs.c",
        "    js_function_set_properties(ctx, func_obj, name_atom,\n"
        "                               b->defined_arg_count);\n",
        """
    if (!laid_out)
        js_function_set_properties(ctx, func_obj, name_atom, b->defined_arg_count);
""",
        1,
        _LAYOUT,
    ),
    Swap(
        "quickjs.c",
        "                ret = JS_DefinePropertyValue(ctx, sp[-2], atom, sp[-1],\n"
        "                                             JS_PROP_C_W_E | JS_PROP_THROW);\n"
        "                sp--;\n"
        "                if (unlikely(ret < 0))\n",
        """
                ret = amla_add_field(ctx, sp[-2], atom, sp[-1]);
                if (ret == 0)
                    ret = JS_DefinePropertyValue(ctx, sp[-2], atom, sp[-1], JS_PROP_C_W_E | JS_PROP_THROW);
                sp--;
                if (unlikely(ret < 0))
""",
        1,
        _LAYOUT,
    ),
    Swap(
        "quickjs.c",
        "    if (needs_backtrace(rt->current_exception)\n    || JS_IsUndefined(ctx->error_back_trace)) {\n",
        "    if (needs_backtrace(rt->current_exception)) {\n",
        1,
        "what is thrown and is no Error needs no backtrace: only the qjs program asks for it",
    ),
    Fix(
        "quickjs.c",
        "        call_func = rt->class_array[p->class_id].call;\n",
        """
        extern JSContext *amla_calling_context(JSContext *ctx, JSObject *function);
        caller_ctx = amla_calling_context(caller_ctx, p);
""",
        _REALM,
    ),
    Fix(
        "quickjs.c",
        "        call_func = ctx->rt->class_array[p->class_id].call;\n",
        """
        extern JSContext *amla_calling_context(JSContext *ctx, JSObject *function);
        ctx = amla_calling_context(ctx, p);
""",
        _REALM,
    ),
]
