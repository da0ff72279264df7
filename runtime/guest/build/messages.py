"""QuickJS's error messages in V8's words, which those who write scripts know and what scripts compare.

Where a message tells of values or of the script's text, ``c/messages.h`` makes it.
"""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["MESSAGES"]

_FILE = "quickjs.c"
_REASON = "those who write and read scripts know V8's messages"

_DECLARATIONS = """
static JSValue amla_throw_value(JSContext *ctx, JSErrorEnum kind, const char *before, JSValueConst value,
                                const char *behind);
static JSValue amla_not_a_function(JSContext *ctx, JSValueConst value);
static JSValue amla_not_a_constructor(JSContext *ctx, JSValueConst value);
static JSValue amla_not_iterable(JSContext *ctx, JSValueConst value, bool is_async);
static JSValue amla_no_object(JSContext *ctx, JSValueConst value);
static JSValue amla_class_called(JSContext *ctx, JSValueConst class);
static JSValue amla_constructor_called(JSContext *ctx, JSValueConst function);
static int amla_refuse(JSContext *ctx, int flags, const char *format, JSAtom property, JSObject *object);
static void amla_cannot_search(JSContext *ctx, JSValueConst key, JSValueConst value);
static JSValue amla_no_bigint(JSContext *ctx, JSValueConst value);
static void amla_no_properties(JSContext *ctx, JSValueConst value, JSValueConst key);
static JSValue amla_bigint_as_number(JSContext *ctx);
static JSValue amla_invalid_regexp(JSContext *ctx, JSValueConst pattern, JSValueConst flags,
                                  const char *reason);
static void amla_circular(JSContext *ctx, JSValueConst stack, JSValueConst value);
static void amla_explain_json(JSContext *ctx, const char *source, size_t length);
"""

# How often, QuickJS's message, V8's.
_WORDS = [
    (2, "cannot read property '%s' of null", "Cannot read properties of null (reading '%s')"),
    (2, "cannot read property '%s' of undefined", "Cannot read properties of undefined (reading '%s')"),
    (1, "cannot set property '%s' of null", "Cannot set properties of null (setting '%s')"),
    (1, "cannot set property '%s' of undefined", "Cannot set properties of undefined (setting '%s')"),
    (1, "empty array", "Reduce of empty array with no initial value"),
    (6, "invalid string length", "Invalid string length"),
    (1, "Date value is NaN", "Invalid time value"),
    (1, "BigInt are forbidden in JSON.stringify", "Do not know how to serialize a BigInt"),
    (2, "bigint argument with unary +", "Cannot convert a BigInt value to a number"),
    (1, "cannot convert symbol to number", "Cannot convert a Symbol value to a number"),
    (1, "cannot convert symbol to string", "Cannot convert a Symbol value to a string"),
    (1, "circular prototype chain", "Cyclic __proto__ value"),
    (1, "BigInt division by zero", "Division by zero"),
    (1, "bad normalization form", "The normalization form should be one of NFC, NFD, NFKC, NFKD."),
    (
        1,
        "private class field '%s' does not exist",
        "Cannot read private member %s from an object whose class did not declare it",
    ),
]

_SUPER = "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"
_READ_ONLY = "Cannot assign to read only property '%s' of object '%s'"
_ONLY_GETTER = "Cannot set property %s of %s which has only a getter"
_NO_ENTRY = 'amla_throw_value(ctx, JS_TYPE_ERROR, "Iterator value ", item, " is not an entry object");'
_FALSISH = "on proxy: trap returned falsish for property"
_NOT_PROTO = "Object prototype may only be an Object or null: "

# How often, QuickJS's C, ours.
_CODE = [
    (1, "return JS_ThrowTypeErrorNotAFunction(caller_ctx);", "return amla_not_a_function(caller_ctx, func_obj);"),
    (
        1,
        "not_a_function:\n            return JS_ThrowTypeErrorNotAFunction(ctx);",
        "not_a_function:\n            return amla_not_a_constructor(ctx, func_obj);",
    ),
    (
        1,
        "    JS_ThrowTypeErrorNotAFunction(ctx);\n    return -1;",
        "    amla_not_a_function(ctx, obj);\n    return -1;",
    ),
    (1, 'JS_ThrowTypeError(ctx, "not a constructor")', "amla_not_a_constructor(ctx, func_obj)"),
    (
        1,
        'JS_ThrowTypeErrorAtom(ctx, "%s is not a constructor", name)',
        "amla_not_a_constructor(ctx, func_obj)",
    ),
    (1, 'return JS_ThrowTypeError(ctx, "value is not iterable")', "return amla_not_iterable(ctx, obj, is_async)"),
    (1, 'JS_ThrowTypeError(ctx, "value is not iterable")', "amla_not_iterable(ctx, items, false)"),
    (
        1,
        (
            "static JSValue JS_GetIterator(JSContext *ctx, JSValueConst obj, bool is_async)\n{\n"
            "    JSValue method, ret, sync_iter;\n"
        ),
        (
            "static JSValue JS_GetIterator(JSContext *ctx, JSValueConst obj, bool is_async)\n{\n"
            "    JSValue method, ret, sync_iter;\n"
            "    if (JS_IsUndefined(obj) || JS_IsNull(obj))\n"
            "        return amla_not_iterable(ctx, obj, is_async);\n"
        ),
    ),
    (
        1,
        "            sync_iter = JS_GetIterator2(ctx, obj, method);\n",
        (
            "            if (!JS_IsFunction(ctx, method)) {\n"
            "                JS_FreeValue(ctx, method);\n"
            "                return amla_not_iterable(ctx, obj, is_async);\n"
            "            }\n"
            "            sync_iter = JS_GetIterator2(ctx, obj, method);\n"
        ),
    ),
    (
        1,
        "    iterator = JS_GetProperty(ctx, sp[-1], JS_ATOM_Symbol_iterator);\n",
        (
            "    if (JS_IsUndefined(sp[-1]) || JS_IsNull(sp[-1]))\n"
            "        return amla_not_iterable(ctx, sp[-1], false), -1;\n"
            "    iterator = JS_GetProperty(ctx, sp[-1], JS_ATOM_Symbol_iterator);\n"
        ),
    ),
    (
        1,
        '        JS_FreeValue(ctx, obj);\n        JS_ThrowTypeError(ctx, "iterator must return an object");\n',
        (
            '        amla_throw_value(ctx, JS_TYPE_ERROR, "Iterator result ", obj, " is not an object");\n'
            "        JS_FreeValue(ctx, obj);\n"
        ),
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "iterator must return an object");',
        'amla_throw_value(ctx, JS_TYPE_ERROR, "Iterator result ", obj, " is not an object");',
    ),
    (
        1,
        "if (!JS_IsObject(item)) {\n                    JS_ThrowTypeErrorNotAnObject(ctx);\n",
        f"if (!JS_IsObject(item)) {{\n                    {_NO_ENTRY}\n",
    ),
    (
        1,
        "if (!JS_IsObject(item)) {\n            JS_ThrowTypeErrorNotAnObject(ctx);\n",
        f"if (!JS_IsObject(item)) {{\n            {_NO_ENTRY}\n",
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "Cannot convert undefined or null to object")',
        "amla_no_object(ctx, val)",
    ),
    (
        1,
        "JS_ThrowTypeError(ctx, \"class constructors must be invoked with 'new'\")",
        "amla_class_called(ctx, func_obj)",
    ),
    (1, 'JS_ThrowTypeError(ctx, "must be called with new")', "amla_constructor_called(ctx, func_obj)"),
    (
        1,
        'JS_ThrowTypeError(ctx, "parent class must be constructor")',
        'amla_throw_value(ctx, JS_TYPE_ERROR, "Class extends value ", parent_class, " is not a constructor or null")',
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "object prototype may only be an Object or null")',
        f'amla_throw_value(ctx, JS_TYPE_ERROR, "{_NOT_PROTO}", proto, "")',
    ),
    (
        1,
        "JS_ThrowTypeErrorReadOnly(ctx, JS_PROP_THROW, atom)",
        'JS_ThrowTypeError(ctx, "Assignment to constant variable.")',
    ),
    (
        2,
        "return JS_ThrowTypeErrorReadOnly(ctx, JS_PROP_THROW, prop);",
        'return JS_ThrowTypeError(ctx, "Assignment to constant variable."), -1;',
    ),
    (
        1,
        "JS_ThrowTypeErrorReadOnly(ctx, flags, prop)",
        f'amla_refuse(ctx, flags, "{_READ_ONLY}", prop, p)',
    ),
    (
        3,
        "JS_ThrowTypeErrorReadOnly(ctx, flags, JS_ATOM_length)",
        f'amla_refuse(ctx, flags, "{_READ_ONLY}", JS_ATOM_length, p)',
    ),
    (
        2,
        'ret = JS_ThrowTypeErrorOrFalse(ctx, flags, "object is not extensible")',
        'ret = amla_refuse(ctx, flags, "Cannot add property %s, object is not extensible", prop, p)',
    ),
    (
        1,
        'return JS_ThrowTypeErrorOrFalse(ctx, flags, "object is not extensible")',
        'return amla_refuse(ctx, flags, "Cannot define property %s, object is not extensible", prop, p)',
    ),
    (
        1,
        '        JS_ThrowTypeError(ctx, "could not delete property");\n        return -1;\n',
        (
            "        return amla_refuse(ctx, JS_PROP_THROW,\n"
            f"                           p->class_id == JS_CLASS_PROXY ? \"'deleteProperty' {_FALSISH} '%s'\"\n"
            "                                                         : \"Cannot delete property '%s' of %s\",\n"
            "                           prop, p);\n"
        ),
    ),
    (
        1,
        (
            "static int call_setter(JSContext *ctx, JSObject *setter,\n"
            "                       JSValueConst this_obj, JSValue val, int flags)"
        ),
        (
            "static int call_setter(JSContext *ctx, JSObject *setter,\n"
            "                       JSValueConst this_obj, JSValue val, int flags, JSAtom prop)"
        ),
    ),
    (2, "pr->u.getset.setter, this_obj, val, flags)", "pr->u.getset.setter, this_obj, val, flags, prop)"),
    (
        1,
        "ret = call_setter(ctx, setter, this_obj, val, flags)",
        "ret = call_setter(ctx, setter, this_obj, val, flags, prop)",
    ),
    (
        1,
        '            JS_ThrowTypeError(ctx, "no setter for property");\n            return -1;\n',
        (
            "            if (JS_IsObject(this_obj))\n"
            f'                return amla_refuse(ctx, JS_PROP_THROW, "{_ONLY_GETTER}", prop,\n'
            "                                   JS_VALUE_GET_OBJ(this_obj));\n"
            '            JS_ThrowTypeError(ctx, "Cannot set a property which has only a getter");\n'
            "            return -1;\n"
        ),
    ),
    (
        1,
        (
            "        not_configurable:\n"
            '            return JS_ThrowTypeErrorOrFalse(ctx, flags, "property is not configurable");'
        ),
        (
            "        not_configurable:\n"
            '            return amla_refuse(ctx, flags, "Cannot redefine property: %s", prop, p);'
        ),
    ),
    (
        1,
        '    return JS_ThrowReferenceError(ctx, "%s is not initialized",',
        (
            "    if (name == JS_ATOM_this)\n"
            f'        return JS_ThrowReferenceError(ctx, "{_SUPER}");\n'
            "    return JS_ThrowReferenceError(ctx, \"Cannot access '%s' before initialization\","
        ),
    ),
    (3, 'JS_ThrowRangeError(ctx, "invalid array length")', 'JS_ThrowRangeError(ctx, "Invalid array length")'),
    (
        1,
        'JS_ThrowTypeError(ctx, "cannot convert BigInt to number")',
        "amla_bigint_as_number(ctx)",
    ),
    (
        1,
        '                    val = JS_ThrowRangeError(ctx, "cannot convert to BigInt: not an integer");\n',
        "                    val = amla_no_bigint(ctx, val);\n",
    ),
    (
        1,
        'val = JS_ThrowRangeError(ctx, "cannot convert NaN or Infinity to BigInt");',
        "val = amla_no_bigint(ctx, val);",
    ),
    (
        1,
        '        JS_FreeValue(ctx, val);\n        return JS_ThrowTypeError(ctx, "cannot convert to BigInt");\n',
        "        amla_no_bigint(ctx, val);\n        JS_FreeValue(ctx, val);\n        return JS_EXCEPTION;\n",
    ),
    (
        1,
        (
            "    val = JS_StringToBigInt(ctx, val);\n    if (JS_VALUE_IS_NAN(val))\n"
            '        return JS_ThrowSyntaxError(ctx, "invalid BigInt literal");\n'
        ),
        (
            "    JSValue text = js_dup(val);\n"
            "    val = JS_StringToBigInt(ctx, val);\n"
            "    if (JS_VALUE_IS_NAN(val))\n"
            "        val = amla_no_bigint(ctx, text);\n"
            "    JS_FreeValue(ctx, text);\n"
        ),
    ),
    (
        1,
        'return JS_ThrowSyntaxError(ctx, "invalid regular expression flags");\n            }',
        (
            'return amla_throw_value(ctx, JS_SYNTAX_ERROR, "Invalid flags supplied to RegExp constructor \'", flags,'
            ' "\'");\n            }'
        ),
    ),
    (
        1,
        "JS_ThrowTypeError(ctx, \"regexp must have the 'g' flag\")",
        'JS_ThrowTypeError(ctx, "String.prototype.%s called with a non-global RegExp argument", method)',
    ),
    (
        1,
        "if (check_function(ctx, asc.method))",
        (
            'if (!JS_IsFunction(ctx, asc.method) && (JS_ThrowTypeError(ctx, "The comparison function must be "\n'
            '                                                          "either a function or undefined"), 1))'
        ),
    ),
    (
        1,
        "static int check_regexp_g_flag(JSContext *ctx, JSValueConst regexp)",
        "static int check_regexp_g_flag(JSContext *ctx, JSValueConst regexp, const char *method)",
    ),
    (1, "check_regexp_g_flag(ctx, regexp) < 0", 'check_regexp_g_flag(ctx, regexp, "matchAll") < 0'),
    (1, "check_regexp_g_flag(ctx, searchValue) < 0", 'check_regexp_g_flag(ctx, searchValue, "replaceAll") < 0'),
    (1, 'JS_ThrowTypeError(ctx, "circular reference")', "amla_circular(ctx, jsc->stack, val)"),
    (
        1,
        "    free_token(s, &s->token);\n    return JS_EXCEPTION;\n}\n\n/* 'buf' must be zero terminated",
        (
            "    free_token(s, &s->token);\n    amla_explain_json(ctx, buf, buf_len);\n    return JS_EXCEPTION;\n}\n\n"
            "/* 'buf' must be zero terminated"
        ),
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "value has no property")',
        "amla_no_properties(ctx, sp[-2], sp[-1])",
    ),
    (
        1,
        "    if (JS_VALUE_GET_TAG(op2) != JS_TAG_OBJECT) {\n        JS_ThrowTypeError(ctx, \"invalid 'in' operand\");",
        "    if (JS_VALUE_GET_TAG(op2) != JS_TAG_OBJECT) {\n        amla_cannot_search(ctx, op1, op2);",
    ),
    (
        1,
        "JS_ThrowTypeError(ctx, \"invalid 'instanceof' right operand\")",
        (
            "JS_ThrowTypeError(ctx, JS_IsObject(obj) ? \"Right-hand side of 'instanceof' is not callable\"\n"
            "                                           : \"Right-hand side of 'instanceof' is not an object\")"
        ),
    ),
    (
        1,
        'if (val < 0 || val > 2147483647) {\n        JS_ThrowRangeError(ctx, "invalid repeat count");',
        (
            "if (val < 0 || val > 2147483647) {\n"
            "        if (val < 0 || val == INT64_MAX)\n"
            '            amla_throw_value(ctx, JS_RANGE_ERROR, "Invalid count value: ", argv[0], "");\n'
            "        else\n"
            '            JS_ThrowRangeError(ctx, "Invalid string length");'
        ),
    ),
    (
        1,
        'if (f < 0 || f > 100)\n        return JS_ThrowRangeError(ctx, "invalid number of digits");',
        (
            "if (f < 0 || f > 100)\n"
            '        return JS_ThrowRangeError(ctx, "toFixed() digits argument must be between 0 and 100");'
        ),
    ),
    (
        1,
        'if (p < 1 || p > 100)\n        return JS_ThrowRangeError(ctx, "invalid number of digits");',
        (
            "if (p < 1 || p > 100)\n"
            '        return JS_ThrowRangeError(ctx, "toPrecision() argument must be between 1 and 100");'
        ),
    ),
    (
        1,
        '        JS_ThrowSyntaxError(ctx, "%s", error_msg);\n',
        "        amla_invalid_regexp(ctx, pattern, flags, error_msg);\n",
    ),
    (
        1,
        "    JS_ThrowError(ctx, JS_URI_ERROR, fmt, ap);\n",
        '    JS_ThrowError(ctx, JS_URI_ERROR, "URI malformed", ap);\n',
    ),
    (
        1,
        "    if (check_function(ctx, executor))\n        return JS_EXCEPTION;\n",
        (
            "    if (!JS_IsFunction(ctx, executor))\n"
            '        return amla_throw_value(ctx, JS_TYPE_ERROR, "Promise resolver ", executor,\n'
            '                                " is not a function");\n'
        ),
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "proxy: cannot set property")',
        f"JS_ThrowTypeErrorAtom(ctx, \"'set' {_FALSISH} '%s'\", atom)",
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "proxy: defineProperty exception")',
        f"JS_ThrowTypeErrorAtom(ctx, \"'defineProperty' {_FALSISH} '%s'\", prop)",
    ),
    (
        1,
        "        JS_ThrowTypeErrorRevokedProxy(ctx);\n        return NULL;\n    }\n    method = JS_GetProperty",
        (
            "        JS_ThrowTypeErrorAtom(ctx, \"Cannot perform '%s' on a proxy that has been revoked\", name);\n"
            "        return NULL;\n    }\n    method = JS_GetProperty"
        ),
    ),
    (
        1,
        'JS_ThrowRangeError(ctx, "invalid array index: %" PRId64, idx)',
        'amla_throw_value(ctx, JS_RANGE_ERROR, "Invalid index : ", argv[0], "")',
    ),
    (
        1,
        'JS_ThrowRangeError(ctx, "invalid code point")',
        'amla_throw_value(ctx, JS_RANGE_ERROR, "Invalid code point ", argv[i], "")',
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "invalid value used as %s key", is_set ? "WeakSet" : "WeakMap")',
        'JS_ThrowTypeError(ctx, is_set ? "Invalid value used in weak set" : "Invalid value used as weak map key")',
    ),
    (
        1,
        'if (!JS_IsSymbol(argv[0]))\n        return JS_ThrowTypeError(ctx, "not a symbol");',
        (
            "if (!JS_IsSymbol(argv[0]))\n"
            '        return amla_throw_value(ctx, JS_TYPE_ERROR, "", argv[0], " is not a symbol");'
        ),
    ),
    (
        1,
        '        if (throw_flag) {\n            JS_ThrowTypeError(ctx, "object is not extensible");',
        ('        if (throw_flag) {\n            amla_throw_value(ctx, JS_TYPE_ERROR, "", obj, " is not extensible");'),
    ),
    (
        1,
        "    JS_DefinePropertyValueConst(ctx, obj, JS_ATOM_errors, errors,\n",
        (
            '    JS_DefinePropertyValue(ctx, obj, JS_ATOM_message, JS_NewString(ctx, "All promises were rejected"),\n'
            "                           JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);\n"
            "    JS_DefinePropertyValueConst(ctx, obj, JS_ATOM_errors, errors,\n"
        ),
    ),
    (
        1,
        "        JS_VALUE_GET_TAG(handler) != JS_TAG_OBJECT) {\n        return JS_ThrowTypeErrorNotAnObject(ctx);",
        (
            "        JS_VALUE_GET_TAG(handler) != JS_TAG_OBJECT) {\n"
            '        return JS_ThrowTypeError(ctx, "Cannot create proxy with a non-object as target or handler");'
        ),
    ),
    (1, 'suff = "() {\\n    [native code]\\n}";', 'suff = "() { [native code] }";'),
]

MESSAGES: list[Fix | Swap] = [
    Fix(_FILE, "static JSValue JS_ThrowStackOverflow(JSContext *ctx);\n", _DECLARATIONS, _REASON),
    *(Swap(_FILE, f'"{before}"', f'"{after}"', times, _REASON) for times, before, after in _WORDS),
    *(Swap(_FILE, before, after, times, _REASON) for times, before, after in _CODE),
]
