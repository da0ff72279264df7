/* Messages of errors that the language's own functions throw about what they are called on, as V8 words them.
 *
 * Part of engine.c, behind messages.h.  Which function runs is asked of its frame, and
 * where it is kept of the globals, without running code of the script.
 */

#pragma clang attribute push(__attribute__((minsize, cold)), apply_to = function)

static JSObject *running_builtin(JSContext *ctx)
{
    const JSStackFrame *frame = ctx->rt->current_stack_frame;
    return frame && !JS_GetFunctionBytecode(frame->cur_func) ? JS_VALUE_GET_OBJ(frame->cur_func) : NULL;
}

/* The name of the running function of the language, without what marks getters; JS_ATOM_NULL without one.  To be freed. */
static JSAtom builtin_name(JSContext *ctx, bool *getter)
{
    JSObject *function = running_builtin(ctx);
    JSValueConst name = function ? plain_property(function, JS_ATOM_name) : JS_UNDEFINED;
    const char *spelt = JS_IsString(name) ? JS_ToCString(ctx, name) : NULL;
    *getter = spelt && !strncmp(spelt, "get ", 4);
    JSAtom atom = spelt ? JS_NewAtom(ctx, spelt + (*getter ? 4 : 0)) : JS_ATOM_NULL;
    JS_FreeCString(ctx, spelt);
    return atom;
}

static bool keeps(JSValueConst holder, JSAtom name, const JSObject *function)
{
    JSProperty *property;
    JSShapeProperty *found = JS_IsObject(holder) ? find_own_property(&property, JS_VALUE_GET_OBJ(holder), name) : NULL;
    if (!found)
        return false;
    if ((found->flags & JS_PROP_TMASK) == JS_PROP_GETSET)
        return property->u.getset.getter == function;
    return !(found->flags & JS_PROP_TMASK) && JS_IsObject(property->u.value) && JS_VALUE_GET_OBJ(property->u.value) == function;
}

/* `Map.prototype.get`, `get Map.prototype.size`, `Reflect.ownKeys`: false if nothing of the language is running, or it has
 * no such name. */
static bool put_builtin(JSContext *ctx, DynBuf *text)
{
    bool getter, done = false;
    JSObject *function = running_builtin(ctx), *globals = JS_VALUE_GET_OBJ(ctx->global_obj);
    JSAtom name = builtin_name(ctx, &getter);
    JSShapeProperty *shape = get_shape_prop(globals->shape);
    for (int i = 0; name != JS_ATOM_NULL && !done && i < globals->shape->prop_count; i++, shape++) {
        JSValueConst holder = shape->flags & JS_PROP_TMASK ? JS_UNDEFINED : globals->prop[i].u.value;
        if (shape->atom == JS_ATOM_NULL || !JS_IsObject(holder) || JS_VALUE_GET_OBJ(holder) == globals)
            continue;
        bool inherited = keeps(plain_property(JS_VALUE_GET_OBJ(holder), JS_ATOM_prototype), name, function);
        done = inherited || keeps(holder, name, function);
        if (!done)
            continue;
        dbuf_putstr(text, getter ? "get " : "");
        put_atom(ctx, text, shape->atom);
        dbuf_putstr(text, inherited ? ".prototype." : ".");
        put_atom(ctx, text, name);
    }
    JS_FreeAtom(ctx, name);
    return done;
}

/* `before`, the running function, `behind`; `otherwise` if it has no name. */
static JSValue builtin_error(JSContext *ctx, const char *before, const char *behind, const char *otherwise)
{
    DynBuf text;
    js_dbuf_init(ctx, &text);
    dbuf_putstr(&text, before);
    if (put_builtin(ctx, &text)) {
        dbuf_putstr(&text, behind);
    } else {
        text.size = 0;
        dbuf_putstr(&text, otherwise);
    }
    return throw_text(ctx, JS_TYPE_ERROR, &text);
}

static JSValue amla_not_an_object(JSContext *ctx)
{
    return builtin_error(ctx, "", " called on non-object", "not an object");
}

/* A method of the language's was called on undefined or null, or a function of it with that. */
static JSValue amla_called_on_nothing(JSContext *ctx)
{
    DynBuf text;
    js_dbuf_init(ctx, &text);
    put_builtin(ctx, &text);
    dbuf_putstr(&text, " called on null or undefined");
    dbuf_putc(&text, 0);
    if (!dbuf_error(&text) && strstr((const char *)text.buf, ".prototype."))
        text.size--;
    else
        text.size = 0, dbuf_putstr(&text, "Cannot convert undefined or null to object");
    return throw_text(ctx, JS_TYPE_ERROR, &text);
}

/* A built-in method of `type` was called on something else. */
static JSValue amla_requires(JSContext *ctx, const char *type)
{
    char behind[64];
    snprintf(behind, sizeof behind, " requires that 'this' be a %s", type);
    return builtin_error(ctx, "", behind, behind + sizeof " requires that" - 1);
}

static JSValue amla_incompatible(JSContext *ctx, JSValueConst value, JSClassID class_id)
{
    DynBuf text;
    js_dbuf_init(ctx, &text);
    dbuf_putstr(&text, "Method ");
    if (put_builtin(ctx, &text)) {
        dbuf_putstr(&text, " called on incompatible receiver ");
        put_value(ctx, &text, value);
    } else {
        text.size = 0;
        put_atom(ctx, &text, ctx->rt->class_array[class_id].class_name);
        dbuf_putstr(&text, " object expected");
    }
    return throw_text(ctx, JS_TYPE_ERROR, &text);
}

static void amla_no_buffer(JSContext *ctx, JSValueConst value)
{
    const JSStackFrame *frame = ctx->rt->current_stack_frame;
    if (frame && JS_IsConstructor(ctx, frame->cur_func))
        JS_ThrowTypeError(ctx, "First argument to DataView constructor must be an ArrayBuffer");
    else
        amla_incompatible(ctx, value, JS_CLASS_ARRAY_BUFFER);
}

/* No number of elements or bytes, nor a place among them. */
static void amla_no_index(JSContext *ctx, JSValueConst value)
{
    static const struct { const char *end, *message; } words[] = {
        { "ArrayBuffer", "Invalid array buffer length" }, { "Array", "Invalid typed array length: " },
        { "DataView", "Start offset is outside the bounds of the buffer" },
    };
    JSObject *function = running_builtin(ctx);
    JSValueConst name = function ? plain_property(function, JS_ATOM_name) : JS_UNDEFINED;
    const char *spelt = JS_IsString(name) ? JS_ToCString(ctx, name) : NULL, *message = NULL;
    bool get = spelt && (!strncmp(spelt, "get", 3) || !strncmp(spelt, "set", 3));
    for (size_t i = 0; spelt && i < countof(words) && !message; i++)
        if (strlen(spelt) >= strlen(words[i].end) && !strcmp(spelt + strlen(spelt) - strlen(words[i].end), words[i].end))
            message = words[i].message;
    JS_FreeCString(ctx, spelt);
    if (message && message[strlen(message) - 1] == ' ')
        amla_throw_value(ctx, JS_RANGE_ERROR, message, value, "");
    else
        JS_ThrowRangeError(ctx, "%s", message ? message : get ? "Offset is outside the bounds of the DataView"
                                                              : "Invalid value: not (convertible to) a safe integer");
}

/* A typed array over a buffer: `offset` and `length`, or the buffer as a whole, do not fit `size`-byte elements. */
static JSValue amla_bad_view(JSContext *ctx, JSClassID class_id, int size, uint64_t offset, uint64_t length, uint64_t bytes)
{
    char class[ATOM_GET_STR_BUF_SIZE];
    JS_AtomGetStr(ctx, class, sizeof class, ctx->rt->class_array[class_id].class_name);
    if (offset % size)
        return JS_ThrowRangeError(ctx, "start offset of %s should be a multiple of %d", class, size);
    if (offset > bytes)
        return JS_ThrowRangeError(ctx, "Start offset %" PRIu64 " is outside the bounds of the buffer", offset);
    if (length)
        return JS_ThrowRangeError(ctx, "Invalid typed array length: %" PRIu64, length);
    return JS_ThrowRangeError(ctx, "byte length of %s should be a multiple of %d", class, size);
}

/* `text` has room for a name and the word. */
static void amla_spell_key(JSContext *ctx, char *text, JSAtom key)
{
    char name[ATOM_GET_STR_BUF_SIZE];
    JS_AtomGetStr(ctx, name, sizeof name, key);
    sprintf(text, JS_AtomGetKind(ctx, key) == JS_ATOM_KIND_SYMBOL ? "Symbol(%s)" : "%s", name);
}

/* A property of a string, number, … is set in strict mode. */
static int amla_refuse_primitive(JSContext *ctx, int flags, JSAtom property, JSValueConst value)
{
    DynBuf text;
    if (!(flags & JS_PROP_THROW) && !((flags & JS_PROP_THROW_STRICT) && is_strict_mode(ctx)))
        return false;
    bool within = JS_VALUE_GET_TAG(value) == JS_TAG_STRING && (property == JS_ATOM_length || (__JS_AtomIsTaggedInt(property) &&
                  __JS_AtomToUInt32(property) < JS_VALUE_GET_STRING(value)->len));
    js_dbuf_init(ctx, &text);
    dbuf_putstr(&text, within ? "Cannot assign to read only property '" : "Cannot create property '");
    put_atom(ctx, &text, property);
    dbuf_putstr(&text, within ? "' of " : "' on ");
    put_atom(ctx, &text, js_operator_typeof(ctx, value));
    dbuf_putstr(&text, " '");
    put_value(ctx, &text, value);
    dbuf_putc(&text, '\'');
    throw_text(ctx, JS_TYPE_ERROR, &text);
    return -1;
}

/* A private method of the class, whose name `function` has at home, was called on something else. */
static void amla_wrong_receiver(JSContext *ctx, JSValueConst function)
{
    DynBuf text;
    JSObject *home = JS_VALUE_GET_OBJ(function)->u.func.home_object;
    bool on_class = JS_IsFunction(ctx, JS_MKPTR(JS_TAG_OBJECT, home));
    JSValueConst class = on_class ? JS_MKPTR(JS_TAG_OBJECT, home) : plain_property(home, JS_ATOM_constructor);
    JSValueConst name = JS_IsObject(class) ? plain_property(JS_VALUE_GET_OBJ(class), JS_ATOM_name) : JS_UNDEFINED;
    js_dbuf_init(ctx, &text);
    dbuf_putstr(&text, on_class ? "Receiver must be class " : "Receiver must be an instance of class ");
    if (JS_VALUE_GET_TAG(name) == JS_TAG_STRING && JS_VALUE_GET_STRING(name)->len)
        put_text(ctx, &text, name);
    else
        dbuf_putstr(&text, "anonymous");
    throw_text(ctx, JS_TYPE_ERROR, &text);
}

#pragma clang attribute pop
