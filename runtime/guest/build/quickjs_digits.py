"""Corrections to QuickJS's arithmetic: the last digits of numbers are those of V8."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["QUICKJS_DIGITS"]

_DIGITS = "a number that a script does not round shows its last digit, which V8's methods decide"

QUICKJS_DIGITS: list[Fix | Swap] = [
    Fix(
        "quickjs.c",
        "static JSValue JS_ThrowStackOverflow(JSContext *ctx);\n",
        "static JSValue amla_math_hypot(JSContext *ctx, double first, int argc, JSValueConst *argv);\n",
        "it is defined in c/hypot.h",
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
]
