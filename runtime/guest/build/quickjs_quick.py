"""Corrections to QuickJS where it took long for what scripts do often."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["QUICKJS_QUICK"]

_QUOTED = "a text was held twice more while it was written as JSON, and looked at character by character"

QUICKJS_QUICK: list[Fix | Swap] = [
    Swap(
        "quickjs.c",
        "#else\n#define DIRECT_DISPATCH  1",
        "#else\n#define DIRECT_DISPATCH  0",
        1,
        "WebAssembly has no computed goto: each becomes a way through one switch, with all locals carried along",
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
    Swap(
        "quickjs.c",
        "        h = (u.u32[0] ^ u.u32[1]) * 3163;\n",
        "        h = hash32(u.u32[0] ^ u.u32[1]);\n        h ^= h >> 15;\n",
        1,
        "small integers differ in high bits only, by which a Map of them was a list",
    ),
    Swap(
        "quickjs.c",
        "    if (needs_backtrace(rt->current_exception)\n    || JS_IsUndefined(ctx->error_back_trace)) {\n",
        "    if (needs_backtrace(rt->current_exception)) {\n",
        1,
        "what is thrown and is no Error needs no backtrace: only the qjs program asks for it",
    ),
]
