"""V8's words for errors of the language's own functions and of private members; ``c/builtin_messages.h`` makes most."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["BUILTIN_MESSAGES"]

_FILE = "quickjs.c"
_REASON = "those who write and read scripts know V8's messages"

_DECLARATIONS = """static JSValue amla_not_an_object(JSContext *ctx);
static JSValue amla_called_on_nothing(JSContext *ctx);
static JSValue amla_requires(JSContext *ctx, const char *type);
static JSValue amla_incompatible(JSContext *ctx, JSValueConst value, JSClassID class_id);
static void amla_no_index(JSContext *ctx, JSValueConst value);
static void amla_no_buffer(JSContext *ctx, JSValueConst value);
static JSValue amla_bad_view(JSContext *ctx, JSClassID class_id, int size, uint64_t offset, uint64_t length,
                             uint64_t bytes);
static int amla_refuse_primitive(JSContext *ctx, int flags, JSAtom property, JSValueConst value);
static void amla_wrong_receiver(JSContext *ctx, JSValueConst function);
static JSValue amla_throw_named(JSContext *ctx, const char *before, JSValueConst function, const char *behind);
static void amla_spell_key(JSContext *ctx, char *text, JSAtom key);

/* Further kinds of OP_throw_error, with the name of a private member. */
enum { AMLA_NO_GETTER = 16, AMLA_NO_SETTER, AMLA_NOT_WRITABLE };

static const char *const amla_private_words[] = {
    "'%s' was defined without a getter", "'%s' was defined without a setter", "Private method '%s' is not writable",
};
"""

# How often, QuickJS's message, V8's.
_WORDS = [
    (2, "not a Date object", "this is not a Date object."),
    (1, "not a object", "CreateListFromArrayLike called on non-object"),
    (1, "invalid number of digits", "toExponential() argument must be between 0 and 100"),
    (1, "BigInt negative exponent", "Exponent must be non-negative"),
    (1, "BigInt operands are forbidden for >>>", "BigInts have no unsigned right shift, use >> instead"),
    (4, "BigInt is too large to allocate", "Maximum BigInt size exceeded"),
    (1, "BigInt is too large", "Maximum BigInt size exceeded"),
    (1, "cannot invoke a running generator", "Generator is already running"),
    (1, "promise self resolution", "Chaining cycle detected for promise #<Promise>"),
    (1, "'this' can be initialized only once", "Super constructor may only be called once"),
    (4, "out of bound", "Offset is outside the bounds of the DataView"),
    (1, "proxy: ownKeys must return an object", "CreateListFromArrayLike called on non-object"),
    (1, "proxy: duplicate property", "'ownKeys' on proxy: trap returned duplicate entries"),
    (1, "proxy: bad prototype", "'setPrototypeOf' on proxy: trap returned falsish for property 'undefined'"),
    (1, "proxy preventExtensions handler returned false", "'preventExtensions' on proxy: trap returned falsish"),
    (1, "Cannot prevent extensions", "'preventExtensions' on proxy: trap returned falsish"),
    (1, "private class field '%s' already exists", "Cannot initialize %s twice on the same object"),
    (4, "Array loo long", "Pushing elements past 2^53 - 1"),
]

_OF_NOTHING = 'return JS_ThrowTypeError(ctx, "cannot convert to object");'
_VIEW = "amla_bad_view(ctx, classid, 1 << size_log2, offset, JS_IsUndefined(argv[2]) ? 0 : len, abuf->byte_length)"
_PRIVATE_ERROR = (
    "            /* XXX: add clearer error message */\n"
    "            dbuf_putc(bc, OP_throw_error);\n"
    "            dbuf_put_u32(bc, JS_DupAtom(ctx, var_name));\n"
    "            dbuf_putc(bc, {});\n"
    "            break;\n"
)

# How often, QuickJS's C, ours.
_CODE = [
    (
        1,
        ('        JS_FreeValue(ctx, val);\n        return JS_ThrowTypeError(ctx, "cannot convert to bigint");'),
        (
            '        amla_throw_value(ctx, JS_TYPE_ERROR, "Cannot convert ", val, " to a BigInt");\n'
            "        JS_FreeValue(ctx, val);\n        return JS_EXCEPTION;"
        ),
    ),
    (
        1,
        "    if (!JS_IsUndefined(tsc.cmp) && check_function(ctx, tsc.cmp))\n        return JS_EXCEPTION;",
        (
            "    if (!JS_IsUndefined(tsc.cmp) && !JS_IsFunction(ctx, tsc.cmp))\n"
            '        return JS_ThrowTypeError(ctx, "The comparison function must be either a function or undefined");'
        ),
    ),
    (
        1,
        '        range_error:\n            JS_ThrowRangeError(ctx, "Invalid array length");',
        '        range_error:\n            JS_ThrowRangeError(ctx, "offset is out of bounds");',
    ),
    (
        1,
        (
            "    iter = JS_GetProperty(ctx, items, JS_ATOM_Symbol_iterator);\n    if (JS_IsException(iter))\n"
            "        goto exception;\n    if (!JS_IsUndefined(iter)) {\n        JS_FreeValue(ctx, iter);"
        ),
        (
            "    if (JS_IsUndefined(items) || JS_IsNull(items)) {\n        amla_not_iterable(ctx, items, false);\n"
            "        goto exception;\n    }\n"
            "    iter = JS_GetProperty(ctx, items, JS_ATOM_Symbol_iterator);\n    if (JS_IsException(iter))\n"
            "        goto exception;\n    if (!JS_IsUndefined(iter)) {\n        JS_FreeValue(ctx, iter);"
        ),
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "held value cannot be the target")',
        'JS_ThrowTypeError(ctx, "FinalizationRegistry.prototype.register: target and holdings must not be same")',
    ),
    (
        1,
        'return JS_ThrowTypeError(ctx, "invalid target");\n    if (js_same_value',
        (
            'return JS_ThrowTypeError(ctx, "FinalizationRegistry.prototype.register: invalid target");\n'
            "    if (js_same_value"
        ),
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "proxy: inconsistent has")',
        (
            "JS_ThrowTypeErrorAtom(ctx, \"'has' on proxy: trap returned falsish for property '%s' which exists in \"\n"
            '                           "the proxy target as non-configurable", atom)'
        ),
    ),
    (
        1,
        (
            "    if (!s->is_func) {\n        JS_FreeValue(ctx, method);\n"
            "        return JS_ThrowTypeErrorNotAFunction(ctx);"
        ),
        (
            "    if (!s->is_func) {\n        JS_FreeValue(ctx, method);\n"
            "        return amla_not_a_function(ctx, func_obj);"
        ),
    ),
    (
        1,
        "        JS_FreeValue(ctx, ret);\n        ret = JS_ThrowTypeErrorNotAnObject(ctx);\n    }\n fail:",
        (
            "        amla_throw_value(ctx, JS_TYPE_ERROR, \"'construct' on proxy: trap returned non-object ('\",\n"
            '                         ret, "\')");\n'
            "        JS_FreeValue(ctx, ret);\n        ret = JS_EXCEPTION;\n    }\n fail:"
        ),
    ),
    (
        1,
        (
            "    if (re_flags & LRE_FLAG_UNICODE)\n        if (re_flags & LRE_FLAG_UNICODE_SETS)\n"
            '            return JS_ThrowSyntaxError(ctx, "invalid regular expression flags");'
        ),
        (
            "    if (re_flags & LRE_FLAG_UNICODE)\n        if (re_flags & LRE_FLAG_UNICODE_SETS)\n"
            "            return amla_throw_value(ctx, JS_SYNTAX_ERROR,\n"
            '                                    "Invalid flags supplied to RegExp constructor \'", flags, "\'");'
        ),
    ),
    (
        2,
        'JS_ThrowTypeError(ctx, "toPrimitive")',
        'JS_ThrowTypeError(ctx, "Cannot convert object to primitive value")',
    ),
    (
        1,
        'return JS_ThrowTypeError(ctx, "not an object");\n}\n\nstatic JSValue JS_ThrowTypeErrorNotASymbol',
        "return amla_not_an_object(ctx);\n}\n\nstatic JSValue JS_ThrowTypeErrorNotASymbol",
    ),
    (
        1,
        (
            "    char buf[ATOM_GET_STR_BUF_SIZE];\n    JS_AtomGetStr(ctx, buf, sizeof(buf), atom);\n"
            "    return JS_ThrowTypeError(ctx, fmt, buf);"
        ),
        (
            '    char buf[ATOM_GET_STR_BUF_SIZE + sizeof "Symbol()"];\n'
            "    amla_spell_key(ctx, buf, atom);\n    return JS_ThrowTypeError(ctx, fmt, buf);"
        ),
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "null or undefined are forbidden")',
        "amla_called_on_nothing(ctx)",
    ),
    (3, _OF_NOTHING, "return amla_called_on_nothing(ctx);"),
    (1, 'return JS_ThrowTypeError(ctx, "not a number");\n}', 'return amla_requires(ctx, "Number");\n}'),
    (1, 'return JS_ThrowTypeError(ctx, "not a boolean")', 'return amla_requires(ctx, "Boolean")'),
    (
        1,
        'return JS_ThrowTypeError(ctx, "not a string");\n}\n\nstatic JSValue js_string_',
        'return amla_requires(ctx, "String");\n}\n\nstatic JSValue js_string_',
    ),
    (
        1,
        'return JS_ThrowTypeError(ctx, "not a symbol");\n}\n\nstatic JSValue js_symbol_',
        'return amla_requires(ctx, "Symbol");\n}\n\nstatic JSValue js_symbol_',
    ),
    (1, 'return JS_ThrowTypeError(ctx, "not a BigInt")', 'return amla_requires(ctx, "BigInt")'),
    (
        1,
        "    if (unlikely(!p)) {\n        JS_ThrowTypeErrorInvalidClass(ctx, class_id);",
        "    if (unlikely(!p)) {\n        amla_incompatible(ctx, obj, class_id);",
    ),
    (
        1,
        "    if (throw_error) {\n        JS_ThrowTypeErrorInvalidClass(ctx, JS_CLASS_REGEXP);",
        "    if (throw_error) {\n        amla_incompatible(ctx, obj, JS_CLASS_REGEXP);",
    ),
    (1, 'JS_ThrowRangeError(ctx, "invalid array index");', "amla_no_index(ctx, val);"),
    (
        1,
        "        JS_ThrowTypeErrorInvalidClass(ctx, JS_CLASS_ARRAY_BUFFER);",
        "        amla_no_buffer(ctx, obj);",
    ),
    (
        1,
        'return JS_ThrowRangeError(ctx, "invalid offset");\n            if (JS_IsUndefined(argv[2]))',
        f"return {_VIEW};\n            if (JS_IsUndefined(argv[2]))",
    ),
    (
        1,
        'invalid_length:\n                    return JS_ThrowRangeError(ctx, "invalid length");',
        f"invalid_length:\n                    return {_VIEW};",
    ),
    (
        1,
        "if (throw_flag) {\n            JS_ThrowTypeError(ctx, \"'Immutable prototype object",
        'if (throw_flag) {\n            JS_ThrowTypeError(ctx, "Immutable prototype object',
    ),
    (
        1,
        (
            "        not_obj:\n            JS_ThrowTypeErrorNotAnObject(ctx);\n            return -1;\n        }\n"
            "        proto = NULL;"
        ),
        (
            "        not_obj:\n            if (JS_IsObject(obj))\n"
            '                amla_throw_value(ctx, JS_TYPE_ERROR, "Object prototype may only be an Object or null: ",\n'
            '                                 proto_val, "");\n'
            "            else\n"
            '                JS_ThrowTypeError(ctx, "Object.setPrototypeOf called on null or undefined");\n'
            "            return -1;\n        }\n"
            "        proto = NULL;"
        ),
    ),
    (
        1,
        (
            "            JS_VALUE_GET_TAG(val) == JS_TAG_UNDEFINED)\n"
            "            return JS_ThrowTypeErrorNotAnObject(ctx);\n"
            "    }\n    return JS_GetPrototype(ctx, val);"
        ),
        (
            "            JS_VALUE_GET_TAG(val) == JS_TAG_UNDEFINED)\n"
            "            return magic ? amla_not_an_object(ctx)\n"
            '                         : JS_ThrowTypeError(ctx, "Cannot convert undefined or null to object");\n'
            "    }\n    return JS_GetPrototype(ctx, val);"
        ),
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "Property description must be an object")',
        'amla_throw_value(ctx, JS_TYPE_ERROR, "Property description must be an object: ", desc, "")',
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "Getter must be a function")',
        'amla_throw_value(ctx, JS_TYPE_ERROR, "Getter must be a function: ", getter, "")',
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "Setter must be a function")',
        'amla_throw_value(ctx, JS_TYPE_ERROR, "Setter must be a function: ", setter, "")',
    ),
    (
        1,
        (
            'JS_ThrowTypeError(ctx, "Invalid property descriptor. Cannot both specify accessors and a value or writable'
            ' attribute")'
        ),
        (
            'amla_throw_value(ctx, JS_TYPE_ERROR, "Invalid property descriptor. Cannot both specify accessors and a "\n'
            '                         "value or writable attribute, ", desc, "")'
        ),
    ),
    (
        1,
        (
            "        if (!JS_IsException(obj_proto))\n"
            "            JS_ThrowTypeError(ctx, \"operand 'prototype' property is not an object\");"
        ),
        (
            "        if (!JS_IsException(obj_proto))\n"
            '            amla_throw_value(ctx, JS_TYPE_ERROR, "Function has non-object prototype \'", obj_proto,\n'
            '                             "\' in instanceof check");'
        ),
    ),
    (
        1,
        'return JS_ThrowTypeError(ctx, "invalid hint");',
        'return amla_throw_value(ctx, JS_TYPE_ERROR, "Invalid hint: ", argv[0], "");',
    ),
    (
        1,
        "        JS_FreeValue(ctx, enum_obj);\n        return JS_ThrowTypeErrorNotAnObject(ctx);",
        (
            "        JS_FreeValue(ctx, enum_obj);\n"
            '        return JS_ThrowTypeError(ctx, "Result of the Symbol.iterator method is not an object");'
        ),
    ),
    (
        1,
        'ret = JS_ThrowTypeErrorOrFalse(ctx, flags, "not an object");',
        "ret = amla_refuse_primitive(ctx, flags, prop, this_obj);",
    ),
    (
        1,
        '        return JS_ThrowTypeError(ctx, "invalid target");\n    // TODO',
        '        return JS_ThrowTypeError(ctx, "WeakRef: invalid target");\n    // TODO',
    ),
    (
        1,
        (
            "    JSValueConst cb = argv[0];\n    if (check_function(ctx, cb))\n        return JS_EXCEPTION;\n"
            "    JSValue obj = js_create_from_ctor(ctx, new_target, JS_CLASS_FINALIZATION_REGISTRY);"
        ),
        (
            "    JSValueConst cb = argv[0];\n    if (!JS_IsFunction(ctx, cb))\n"
            '        return JS_ThrowTypeError(ctx, "FinalizationRegistry: cleanup must be callable");\n'
            "    JSValue obj = js_create_from_ctor(ctx, new_target, JS_CLASS_FINALIZATION_REGISTRY);"
        ),
    ),
    (
        1,
        'JS_ThrowTypeError(ctx, "invalid brand on object");',
        "amla_wrong_receiver(ctx, sp[-1]);",
    ),
    (
        1,
        "    if (!prs) {\n        JS_ThrowTypeErrorPrivateNotFound(ctx, prop);\n    fail:",
        (
            "    if (!prs) {\n"
            '        JS_ThrowTypeErrorAtom(ctx, "Cannot write private member %s to an object whose class "\n'
            '                              "did not declare it",\n'
            "                              prop);\n    fail:"
        ),
    ),
    (
        1,
        "                if (JS_IsException(super))\n                    goto exception;\n                ret =",
        (
            "                if (JS_IsException(super))\n                    goto exception;\n"
            "                if (!JS_IsConstructor(ctx, super)) {\n                    JS_FreeValue(ctx, super);\n"
            '                    amla_throw_named(ctx, "Super constructor null of ", func_obj,\n'
            '                                     " is not a constructor");\n'
            "                    goto exception;\n                }\n                ret ="
        ),
    ),
    (
        1,
        _PRIVATE_ERROR.format("JS_THROW_VAR_RO") + "        default:",
        _PRIVATE_ERROR.format("AMLA_NO_GETTER") + "        default:",
    ),
    (
        1,
        "        case JS_VAR_PRIVATE_GETTER:\n"
        + _PRIVATE_ERROR.format("JS_THROW_VAR_RO")
        + "        case JS_VAR_PRIVATE_SETTER:",
        _PRIVATE_ERROR.format("AMLA_NOT_WRITABLE")
        + "        case JS_VAR_PRIVATE_GETTER:\n"
        + _PRIVATE_ERROR.format("AMLA_NO_SETTER")
        + "        case JS_VAR_PRIVATE_SETTER:",
    ),
    (
        1,
        "                if (type == JS_THROW_VAR_RO)\n",
        (
            "                if (type >= AMLA_NO_GETTER)\n"
            "                    JS_ThrowTypeErrorAtom(ctx, amla_private_words[type - AMLA_NO_GETTER], atom);\n"
            "                else\n                if (type == JS_THROW_VAR_RO)\n"
        ),
    ),
]

BUILTIN_MESSAGES: list[Fix | Swap] = [
    Fix(_FILE, "static JSValue JS_ThrowStackOverflow(JSContext *ctx);\n", _DECLARATIONS, _REASON),
    *(Swap(_FILE, f'"{before}"', f'"{after}"', times, _REASON) for times, before, after in _WORDS),
    *(Swap(_FILE, before, after, times, _REASON) for times, before, after in _CODE),
]
