"""Our corrections to QuickJS where it was wrong, or wrong for us: what they are for is in ``fixes``."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["QUICKJS"]

_REALM = "what a proxy or an async function makes when it is called must belong to its realm, not to the caller's"
_JOINED = "a long text that was put together is the same value, and key, as one that was not"
_HEARD = "        if (i % 4096 == 4095)\n            amla_put_away(rt);\n"
_FREED = "a great array takes long to put away, and the host must not take that for not having heard it"

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
        "if (s->token.val != ';' && s->token.val != '}' && !s->got_lf) {\n            if (js_parse_expr(s))",
        "if (s->token.val != ';' && s->token.val != '}' && s->token.val != TOK_EOF && !s->got_lf) {\n"
        "            if (js_parse_expr(s))",
        1,
        "a script is a function's body without its braces, so a bare return may be its very end",
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
        "static bool amla_hides(JSContext *ctx, JSObject *function);\n",
        "it is defined in c/trace.h",
    ),
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
