/* Messages of errors as V8 words them, where they tell of values or of the script's text.
 *
 * Part of engine.c, behind quickjs.c, which calls these functions where
 * build/messages.py put them.  Each throws, and runs no code of the script.
 */

#pragma clang attribute push(__attribute__((minsize, cold)), apply_to = function)

static JSValue throw_text(JSContext *ctx, JSErrorEnum kind, DynBuf *text)
{
    const JSStackFrame *frame = ctx->rt->current_stack_frame;
    bool traced = !frame || !JS_GetFunctionBytecode(frame->cur_func);
    dbuf_putc(text, 0);
    JSValue error = dbuf_error(text) ? JS_NULL : JS_MakeError2(ctx, kind, traced, (const char *)text->buf);
    dbuf_free(text);
    return JS_Throw(ctx, JS_IsException(error) ? JS_NULL : error);
}

/* --- values -------------------------------------------------------------------------- */

static JSValueConst plain_property(JSObject *object, JSAtom name)
{
    JSProperty *property;
    for (; object; object = object->shape->proto) {
        JSShapeProperty *found = find_own_property(&property, object, name);
        if (found)
            return found->flags & JS_PROP_TMASK ? JS_UNDEFINED : property->u.value;
    }
    return JS_UNDEFINED;
}

static void put_text(JSContext *ctx, DynBuf *text, JSValueConst value)
{
    const char *spelt = JS_ToCString(ctx, value);
    if (!spelt)
        JS_FreeValue(ctx, JS_GetException(ctx));
    dbuf_printf(text, "%.200s", spelt ? spelt : "");
    JS_FreeCString(ctx, spelt);
}

/* The name of an object's class, as its prototypes tell it: an own string `name` of the inherited `constructor`. */
static void put_class(JSContext *ctx, DynBuf *text, JSObject *object)
{
    while (object->class_id == JS_CLASS_PROXY && JS_IsObject(((JSProxyData *)object->u.opaque)->target))
        object = JS_VALUE_GET_OBJ(((JSProxyData *)object->u.opaque)->target);
    JSValueConst constructor = plain_property(object, JS_ATOM_constructor);
    JSValueConst name = JS_IsObject(constructor) ? plain_property(JS_VALUE_GET_OBJ(constructor), JS_ATOM_name) : JS_UNDEFINED;
    if (JS_IsString(name))
        put_text(ctx, text, name);
    else
        dbuf_putstr(text, "Object");
}

static void put_function(JSContext *ctx, DynBuf *text, JSObject *function)
{
    const JSFunctionBytecode *code = js_class_has_bytecode(function->class_id) ? function->u.func.function_bytecode : NULL;
    if (code && code->source) {
        dbuf_put(text, code->source, min_int(code->source_len, 200));
        return;
    }
    JSValueConst name = plain_property(function, JS_ATOM_name);
    dbuf_putstr(text, "function ");
    if (JS_IsString(name))
        put_text(ctx, text, name);
    dbuf_putstr(text, "() { [native code] }");
}

/* A value as messages show it: `5`, `text`, `#<Object>`, `[object Array]`. */
static void put_value(JSContext *ctx, DynBuf *text, JSValueConst value)
{
    if (JS_IsSymbol(value)) {
        dbuf_putstr(text, "Symbol(");
        put_atom(ctx, text, js_symbol_to_atom(ctx, value));
        dbuf_putc(text, ')');
        return;
    }
    if (!JS_IsObject(value)) {
        put_text(ctx, text, value);
        return;
    }
    JSObject *object = JS_VALUE_GET_OBJ(value);
    if (JS_IsFunction(ctx, value)) {
        put_function(ctx, text, object);
        return;
    }
    bool tagged = object->class_id == JS_CLASS_ARRAY || object->class_id == JS_CLASS_DATE || object->class_id == JS_CLASS_REGEXP;
    dbuf_putstr(text, tagged ? "[object " : "#<");
    put_class(ctx, text, object);
    dbuf_putstr(text, tagged ? "]" : ">");
}

/* A value with its type: `number 5`, `object null`, `string "text"`. */
static void put_typed(JSContext *ctx, DynBuf *text, JSValueConst value)
{
    put_atom(ctx, text, js_operator_typeof(ctx, value));
    if (JS_IsString(value)) {
        dbuf_putstr(text, " \"");
        put_text(ctx, text, value);
        dbuf_putc(text, '"');
    } else if (JS_IsNull(value) || JS_IsNumber(value) || JS_IsBool(value)) {
        dbuf_putc(text, ' ');
        put_text(ctx, text, value);
    }
}

static JSValue amla_throw_value(JSContext *ctx, JSErrorEnum kind, const char *before, JSValueConst value, const char *behind)
{
    DynBuf text;
    js_dbuf_init(ctx, &text);
    dbuf_putstr(&text, before);
    put_value(ctx, &text, value);
    dbuf_putstr(&text, behind);
    return throw_text(ctx, kind, &text);
}

/* --- calls and iteration ----------------------------------------------------------------- */

/* Whether the function itself runs, as `new Symbol()` has it do. */
static bool running(JSContext *ctx, JSValueConst function)
{
    const JSStackFrame *frame = ctx->rt->current_stack_frame;
    return frame && JS_IsObject(function) && JS_VALUE_GET_OBJ(function) == JS_VALUE_GET_OBJ(frame->cur_func);
}

static JSValue not_callable(JSContext *ctx, JSValueConst value, const char *lacks)
{
    DynBuf text;
    js_dbuf_init(ctx, &text);
    if (put_operand(ctx, &text).op == OP_invalid) {
        JSValueConst name = running(ctx, value) ? plain_property(JS_VALUE_GET_OBJ(value), JS_ATOM_name) : JS_UNDEFINED;
        put_value(ctx, &text, JS_IsString(name) ? name : value);
    }
    dbuf_putstr(&text, lacks);
    return throw_text(ctx, JS_TYPE_ERROR, &text);
}

static JSValue amla_not_a_function(JSContext *ctx, JSValueConst value)
{
    return not_callable(ctx, value, " is not a function");
}

static JSValue amla_not_a_constructor(JSContext *ctx, JSValueConst value)
{
    return not_callable(ctx, value, " is not a constructor");
}

static JSValue amla_not_iterable(JSContext *ctx, JSValueConst value, bool is_async)
{
    DynBuf text;
    js_dbuf_init(ctx, &text);
    Operand operand = put_operand(ctx, &text);
    if (operand.spread && has_name(&text) && (JS_IsUndefined(value) || JS_IsNull(value))) {
        dbuf_putstr(&text, " is not iterable (cannot read property undefined)");
    } else if (operand.spread) {
        text.size = 0;
        dbuf_putstr(&text, "Spread syntax requires ...iterable[Symbol.iterator] to be a function");
    } else if (is_call(operand.made_by) && operand.made_by != OP_call_constructor) {
        text.size -= strlen("(...)");
        dbuf_putstr(&text, " is not a function or its return value is not ");
        dbuf_putstr(&text, is_async ? "async iterable" : "iterable");
    } else if (has_name(&text)) {
        dbuf_putstr(&text, is_async ? " is not async iterable" : " is not iterable");
    } else {
        text.size = 0;
        put_typed(ctx, &text, value);
        dbuf_putstr(&text, " is not iterable (cannot read property Symbol(Symbol.iterator))");
    }
    return throw_text(ctx, JS_TYPE_ERROR, &text);
}

/* What a pattern takes from undefined or null; a value inside another has no name, and its property alone is told. */
static void put_pattern_fault(JSContext *ctx, DynBuf *text, const DynBuf *name, JSAtom property, JSValueConst value)
{
    static const char inside[] = "(intermediate value).";
    bool nested = name->size >= sizeof inside && !memcmp(name->buf, inside, sizeof inside - 1);
    char key[ATOM_GET_STR_BUF_SIZE] = "";
    if (property != JS_ATOM_NULL)
        JS_AtomGetStr(ctx, key, sizeof key, property);
    if (nested && *key) {
        dbuf_printf(text, "Cannot read properties of %s (reading '%s')", JS_IsNull(value) ? "null" : "undefined", key);
        return;
    }
    dbuf_printf(text, *key ? "Cannot destructure property '%s' of '" : "Cannot destructure '", key);
    if (has_name(name))
        dbuf_put(text, name->buf, name->size);
    else
        put_typed(ctx, text, value);
    dbuf_putstr(text, "' as it is ");
    put_value(ctx, text, value);
    dbuf_putc(text, '.');
}

/* `value`, undefined or null, is made an object: by a pattern, or by a built-in function. */
static JSValue amla_no_object(JSContext *ctx, JSValueConst value)
{
    DynBuf text, name;
    js_dbuf_init(ctx, &text);
    js_dbuf_init(ctx, &name);
    Operand operand = put_operand(ctx, &name);
    if (operand.op == OP_to_object)
        put_pattern_fault(ctx, &text, &name, operand.property, value);
    dbuf_free(&name);
    return operand.op == OP_to_object ? throw_text(ctx, JS_TYPE_ERROR, &text) : amla_called_on_nothing(ctx);
}

static JSValue amla_throw_named(JSContext *ctx, const char *before, JSValueConst function, const char *behind)
{
    DynBuf text;
    js_dbuf_init(ctx, &text);
    dbuf_putstr(&text, before);
    JSValueConst name = plain_property(JS_VALUE_GET_OBJ(function), JS_ATOM_name);
    if (JS_IsString(name))
        put_text(ctx, &text, name);
    dbuf_putstr(&text, behind);
    return throw_text(ctx, JS_TYPE_ERROR, &text);
}

static JSValue amla_class_called(JSContext *ctx, JSValueConst class)
{
    return amla_throw_named(ctx, "Class constructor ", class, " cannot be invoked without 'new'");
}

static JSValue amla_constructor_called(JSContext *ctx, JSValueConst function)
{
    if (JS_VALUE_GET_OBJ(function) == JS_VALUE_GET_OBJ(ctx->promise_ctor))
        return JS_ThrowTypeError(ctx, "Promise constructor cannot be invoked without 'new'");
    return amla_throw_named(ctx, "Constructor ", function, " requires 'new'");
}

/* --- properties ---------------------------------------------------------------------------- */

/* Throws if `flags` ask for it: `format` takes the property's name, then the object. */
static int amla_refuse(JSContext *ctx, int flags, const char *format, JSAtom property, JSObject *object)
{
    DynBuf text;
    char name[ATOM_GET_STR_BUF_SIZE];
    if (!(flags & JS_PROP_THROW) && !((flags & JS_PROP_THROW_STRICT) && is_strict_mode(ctx)))
        return false;
    js_dbuf_init(ctx, &text);
    put_value(ctx, &text, JS_MKPTR(JS_TAG_OBJECT, object));
    dbuf_putc(&text, 0);
    JS_ThrowTypeError(ctx, format, JS_AtomGetStr(ctx, name, sizeof name, property), dbuf_error(&text) ? "" : (char *)text.buf);
    dbuf_free(&text);
    return -1;
}

/* `key in value` where value is no object. */
static void amla_cannot_search(JSContext *ctx, JSValueConst key, JSValueConst value)
{
    DynBuf text;
    js_dbuf_init(ctx, &text);
    dbuf_putstr(&text, "Cannot use 'in' operator to search for '");
    put_value(ctx, &text, key);
    dbuf_putstr(&text, "' in ");
    put_value(ctx, &text, value);
    throw_text(ctx, JS_TYPE_ERROR, &text);
}

/* A value that is no whole number, no numeral, or of another type. */
static JSValue amla_no_bigint(JSContext *ctx, JSValueConst value)
{
    if (JS_IsNumber(value))
        return amla_throw_value(ctx, JS_RANGE_ERROR, "The number ", value,
                                " cannot be converted to a BigInt because it is not an integer");
    return amla_throw_value(ctx, JS_IsString(value) ? JS_SYNTAX_ERROR : JS_TYPE_ERROR, "Cannot convert ", value, " to a BigInt");
}

/* A key that is read from undefined or null before it is made a string. */
static void amla_no_properties(JSContext *ctx, JSValueConst value, JSValueConst key)
{
    DynBuf text;
    js_dbuf_init(ctx, &text);
    dbuf_printf(&text, "Cannot read properties of %s (reading '", JS_IsNull(value) ? "null" : "undefined");
    put_value(ctx, &text, key);
    dbuf_putstr(&text, "')");
    throw_text(ctx, JS_TYPE_ERROR, &text);
}

/* An operation mixes types, or a function of the language wants a number. */
static JSValue amla_bigint_as_number(JSContext *ctx)
{
    const JSStackFrame *frame = ctx->rt->current_stack_frame;
    bool operation = frame && JS_GetFunctionBytecode(frame->cur_func);
    return JS_ThrowTypeError(ctx, operation ? "Cannot mix BigInt and other types, use explicit conversions"
                                            : "Cannot convert a BigInt value to a number");
}

static JSValue amla_invalid_regexp(JSContext *ctx, JSValueConst pattern, JSValueConst flags, const char *reason)
{
    static const char *const words[][2] = {
        { "expecting ')'", "Unterminated group" }, { "unexpected end", "Unterminated character class" },
        { "extraneous characters at the end", "Unmatched ')'" }, { "nothing to repeat", "Nothing to repeat" },
        { "invalid class range", "Range out of order in character class" }, { "invalid group", "Invalid group" },
        { "invalid group name", "Invalid capture group name" }, { "duplicate group name", "Duplicate capture group name" },
        { "invalid escape sequence in regular expression", "Invalid escape" },
        { "group name not defined", "Invalid named capture referenced" },
        { "invalid repetition count", "numbers out of order in {} quantifier" },
        { "unknown unicode property name", "Invalid property name" }, { "unknown unicode script", "Invalid property name" },
        { "unknown unicode property value", "Invalid property name" },
        { "syntax error", "Lone quantifier brackets" }, { "back reference out of range in regular expression", "Invalid escape" },
        { "invalid decimal escape in regular expression", "Invalid decimal escape" },
        { "invalid character in class in regular expression", "Invalid character in character class" },
        { "unknown unicode general category", "Invalid property name" },
    };
    DynBuf text;
    js_dbuf_init(ctx, &text);
    for (size_t i = 0; i < countof(words); i++)
        if (!strcmp(reason, words[i][0]))
            reason = words[i][1];
    dbuf_putstr(&text, "Invalid regular expression: /");
    put_text(ctx, &text, pattern);
    dbuf_putc(&text, '/');
    if (!JS_IsUndefined(flags))
        put_text(ctx, &text, flags);
    dbuf_putstr(&text, ": ");
    dbuf_putstr(&text, reason);
    return throw_text(ctx, JS_SYNTAX_ERROR, &text);
}

/* --- JSON.stringify -------------------------------------------------------------------------- */

/* ` property 'a'`, ` index 0`: where `child` hangs in `parent`, as far as plain properties tell. */
static void put_place(JSContext *ctx, DynBuf *text, JSObject *parent, JSObject *child)
{
    JSValue *items;
    uint32_t count;
    if (js_get_fast_array(ctx, JS_MKPTR(JS_TAG_OBJECT, parent), &items, &count)) {
        for (uint32_t i = 0; i < count; i++)
            if (JS_IsObject(items[i]) && JS_VALUE_GET_OBJ(items[i]) == child) {
                dbuf_printf(text, "index %u", (unsigned)i);
                return;
            }
    }
    JSShapeProperty *shape = get_shape_prop(parent->shape);
    for (int i = 0; i < parent->shape->prop_count; i++, shape++) {
        JSValueConst value = shape->flags & JS_PROP_TMASK ? JS_UNDEFINED : parent->prop[i].u.value;
        if (shape->atom != JS_ATOM_NULL && JS_IsObject(value) && JS_VALUE_GET_OBJ(value) == child) {
            dbuf_putstr(text, "property '");
            put_atom(ctx, text, shape->atom);
            dbuf_putc(text, '\'');
            return;
        }
    }
    dbuf_putstr(text, "property '...'");
}

static void put_constructor(JSContext *ctx, DynBuf *text, JSObject *object)
{
    dbuf_putstr(text, "object with constructor '");
    put_class(ctx, text, object);
    dbuf_putc(text, '\'');
}

/* `stack` holds the objects around `value`, which is one of them; of a long way its middle is left out. */
static void amla_circular(JSContext *ctx, JSValueConst stack, JSValueConst value)
{
    DynBuf text;
    JSValue *objects;
    uint32_t count, first = 0;
    js_dbuf_init(ctx, &text);
    dbuf_putstr(&text, "Converting circular structure to JSON");
    if (js_get_fast_array(ctx, stack, &objects, &count) && count) {
        while (first + 1 < count && JS_VALUE_GET_OBJ(objects[first]) != JS_VALUE_GET_OBJ(value))
            first++;
        dbuf_putstr(&text, "\n    --> starting at ");
        put_constructor(ctx, &text, JS_VALUE_GET_OBJ(objects[first]));
        for (uint32_t i = first + 1; i < count; i++) {
            if (i > first + 2 && i + 1 < count) {
                if (i == first + 3)
                    dbuf_putstr(&text, "\n    |     ...");
                continue;
            }
            dbuf_putstr(&text, "\n    |     ");
            put_place(ctx, &text, JS_VALUE_GET_OBJ(objects[i - 1]), JS_VALUE_GET_OBJ(objects[i]));
            dbuf_putstr(&text, " -> ");
            put_constructor(ctx, &text, JS_VALUE_GET_OBJ(objects[i]));
        }
        dbuf_putstr(&text, "\n    --- ");
        put_place(ctx, &text, JS_VALUE_GET_OBJ(objects[count - 1]), JS_VALUE_GET_OBJ(value));
        dbuf_putstr(&text, " closes the circle");
    }
    throw_text(ctx, JS_TYPE_ERROR, &text);
}

#pragma clang attribute pop
