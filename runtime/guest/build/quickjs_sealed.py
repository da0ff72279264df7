"""Corrections to QuickJS so that what the build bakes into the image is neither counted nor freed."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["QUICKJS_SEALED"]

_UNCOUNTED = "what the build bakes is never freed, and counting its uses would cost each sandbox a copy of its page"
_USES = {"p": 8, "sh": 1, "ctx": 1, "b": 1, "var_ref": 6, "sf->cur_gc_obj": 1, "s": 1}
"""Names under which things are counted, and how often."""

QUICKJS_SEALED: list[Fix | Swap] = [
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
""",
        _UNCOUNTED,
    ),
    Fix("quickjs.c", "        b->u.block_idx = block_idx;\n", "        b->ref_count = 0;\n", _UNCOUNTED),
    Swap(
        "quickjs.c",
        "    b->block_size_idx = 0xff; /* fail safe */\n",
        "    b->block_size_idx = 0xff; /* fail safe */\n    b->ref_count = 0;\n",
        2,
        _UNCOUNTED,
    ),
]
