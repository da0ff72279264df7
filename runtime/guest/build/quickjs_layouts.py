"""Corrections to QuickJS so that the layouts of objects, which it calls shapes, are found without a search."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["QUICKJS_LAYOUTS"]

_KEPT = "layouts of objects on the way to a common one are found, not made anew for each object"
_NEXT = "each property of a new object took a search for its next layout, or a copy of the last"
_LAYOUT = "closures and literals, of which an interpreter makes many, get their properties without a search for each"

QUICKJS_LAYOUTS: list[Fix | Swap] = [
    Fix(
        "quickjs.c",
        "#define JS_REF_COUNT(p) (js_rc(p)->ref_count)\n",
        """
/* Whether shapes are made to stay, up to so many properties: each is copied to make the next. */
#define AMLA_KEPT_PROPERTIES 64
static bool amla_keeping_shapes;
""",
        _KEPT,
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
    Fix("quickjs.c", "void JS_RunGC(JSRuntime *rt)\n{\n", "    amla_forget_transitions(rt);\n", _NEXT),
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
]
