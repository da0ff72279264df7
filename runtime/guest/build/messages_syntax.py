"""V8's words for faults of a script's syntax, where they tell as much as QuickJS's or more."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["SYNTAX_MESSAGES"]

_FILE = "quickjs.c"
_REASON = "those who write and read scripts know V8's messages"

_REDEFINITIONS = [(2, "lexical identifier"), (1, "parameter name"), (1, "a variable"), (1, "global identifier")]
_CONTEXT = "Lexical declaration cannot appear in a single-statement context"
_POWER = (
    "Unary operator used immediately before exponentiation expression. "
    "Parenthesis must be used to disambiguate operator precedence"
)

# How often, QuickJS's message, V8's.
_WORDS = [
    (1, "missing initializer for variable", "Missing initializer in const declaration"),
    (1, "continue must be inside loop", "Illegal continue statement: no surrounding iteration statement"),
    (1, "break must be inside loop or switch", "Illegal break statement"),
    (1, "invalid assignment left-hand side", "Invalid left-hand side in assignment"),
    (1, "invalid for in/of left hand-side", "Invalid left-hand side in for-loop"),
    (1, "unparenthesized unary expression can't appear on the left-hand side of '**'", _POWER),
    (1, "expecting catch or finally", "Missing catch or finally after try"),
    (1, "duplicate default", "More than one default clause in switch statement"),
    (1, "line terminator not allowed after throw", "Illegal newline after throw"),
    (3, "lexical declarations can't appear in single-statement context", _CONTEXT),
    (2, "'let' is not a valid lexical identifier", "let is disallowed as a lexically bound name"),
    (1, "property constructor appears more than once", "A class may only have one constructor"),
    (1, "undefined private field '%s'", "Private field '%s' must be declared in an enclosing class"),
    (1, "cannot delete a direct reference in strict mode", "Delete of an unqualified identifier in strict mode."),
    (1, "invalid keyword: with", "Strict mode code may not include a with statement"),
    (1, "invalid lvalue in strict mode", "Unexpected eval or arguments in strict mode"),
    (1, "invalid variable name in strict mode", "Unexpected eval or arguments in strict mode"),
    (1, "return not in a function", "Illegal return statement"),
    (1, "unexpected line terminator in regexp", "Invalid regular expression: missing /"),
    (1, "unexpected end of regexp", "Invalid regular expression: missing /"),
    (
        1,
        "a declaration in the head of a for-%s loop can't have an initializer",
        "for-%s loop variable declaration may not have an initializer.",
    ),
    (1, "Octal literals are not allowed in strict mode", "Octal literals are not allowed in strict mode."),
    (1, "unsupported keyword: %s", "Unexpected token '%s'"),
    (1, "unexpected character", "Invalid or unexpected token"),
]

_EXPECT = "static int js_parse_expect(JSParseState *s, int tok)\n{\n    char buf[ATOM_GET_STR_BUF_SIZE];\n\n"

_LABEL = "JS_AtomGetStr(s->ctx, (char[ATOM_GET_STR_BUF_SIZE]){ 0 }, ATOM_GET_STR_BUF_SIZE, "
_PARAMETERS = (
    'js_parse_error(s, func_type == JS_PARSE_FUNC_GETTER ? "Getter must not have any formal parameters."\n'
    '                                  : "Setter must have exactly one formal parameter.");'
)

# How often, QuickJS's C, ours.
_CODE = [
    (
        1,
        'js_parse_error(s, "duplicate label name");',
        f"js_parse_error(s, \"Label '%s' has already been declared\", {_LABEL}label_name));",
    ),
    (
        1,
        'js_parse_error(s, "break/continue label not found");',
        f"js_parse_error(s, \"Undefined label '%s'\", {_LABEL}name));",
    ),
    (1, 'js_parse_error(s, "private class field is already defined");', "amla_redeclared(s, name);"),
    (1, 'js_parse_error(s, "invalid number of arguments for getter or setter");', _PARAMETERS),
    (
        1,
        f"{_EXPECT}    if (s->token.val == tok)\n        return next_token(s);\n\n",
        "static int amla_unexpected(JSParseState *s)\n{\n    char buf[ATOM_GET_STR_BUF_SIZE];\n\n",
    ),
    (
        1,
        "static int js_parse_expect_semi(JSParseState *s)\n{\n",
        (
            "static int js_parse_expect(JSParseState *s, int tok)\n{\n"
            "    return s->token.val == tok ? next_token(s) : amla_unexpected(s);\n}\n\n"
            "static int js_parse_expect_semi(JSParseState *s)\n{\n"
        ),
    ),
    (
        1,
        "return js_parse_error(s, \"expecting '%c'\", ';');",
        "return amla_misplaced_await(s) ? -1 : amla_unexpected(s);",
    ),
    (
        1,
        (
            "return js_parse_error(s, \"unexpected token in expression: '%.*s'\",\n"
            "                              (int)(s->buf_ptr - s->token.ptr), s->token.ptr);"
        ),
        "return amla_unexpected(s);",
    ),
    (
        1,
        (
            "                /* accept a trailing comma before the ')' */\n"
            "                if (js_parse_expect(s, ','))\n"
            "                    return -1;\n            }\n            if (s->token.val == TOK_ELLIPSIS) {"
        ),
        (
            "                /* accept a trailing comma before the ')' */\n                if (s->token.val != ',')\n"
            '                    return js_parse_error(s, "missing ) after argument list");\n'
            "                if (next_token(s))\n"
            "                    return -1;\n            }\n            if (s->token.val == TOK_ELLIPSIS) {"
        ),
    ),
    *(
        (times, f'return js_parse_error(s, "invalid redefinition of {what}");', "return amla_redeclared(s, name);")
        for times, what in _REDEFINITIONS
    ),
    (
        1,
        (
            '                return js_parse_error(s, "variable name expected");\n            }\n        }\n'
            "        if (s->token.val != ',')"
        ),
        (
            "                return s->token.val == '[' || s->token.val == '{'\n"
            '                           ? js_parse_error(s, "Missing initializer in destructuring declaration")\n'
            "                           : amla_unexpected(s);\n            }\n        }\n"
            "        if (s->token.val != ',')"
        ),
    ),
]

_FUNCTIONS = """
/* Whether `await` stands before the token, in a function that may not wait; says so. */
static bool amla_misplaced_await(JSParseState *s)
{
    static const char word[] = "await";
    const uint8_t *end = s->token.ptr;
    while (end > s->buf_start && (end[-1] == ' ' || end[-1] == '\\t'))
        end--;
    if (end - s->buf_start < 5 || memcmp(end - 5, word, 5) || (s->cur_func->func_kind & JS_FUNC_ASYNC))
        return false;
    js_parse_error(s, "await is only valid in async functions and the top level bodies of modules");
    return true;
}

static int amla_redeclared(JSParseState *s, JSAtom name)
{
    char text[ATOM_GET_STR_BUF_SIZE];
    return js_parse_error(s, "Identifier '%s' has already been declared",
                          JS_AtomGetStr(s->ctx, text, sizeof text, name));
}
"""

SYNTAX_MESSAGES: list[Fix | Swap] = [
    *(Swap(_FILE, f'"{before}"', f'"{after}"', times, _REASON) for times, before, after in _WORDS),
    Fix(_FILE, "static __exception int next_token(JSParseState *s);\n", _FUNCTIONS, _REASON),
    *(Swap(_FILE, before, after, times, _REASON) for times, before, after in _CODE),
]
