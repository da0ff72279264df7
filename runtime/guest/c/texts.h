/* Texts of the shell, worked on in one go.  Included by engine.c alone, because it reads
 * the layout of strings; engine.h declares the functions.
 */

/* Fields or matches between two looks at whether to go on. */
enum { POLLED = 4096 };

bool amla_text_is_whole(JSValueConst text)
{
    if (JS_VALUE_GET_TAG(text) != JS_TAG_STRING)
        return false;
    const JSString *string = JS_VALUE_GET_STRING(text);
    for (uint32_t i = 0; i < string->len; i++) {
        const uint32_t unit = string->is_wide_char ? str16((JSString *)string)[i] : str8((JSString *)string)[i];
        if (unit < 128 && strchr(" \t\n*?[(", (int)unit)) /* NUL is in no text of the shell's */
            return false;
    }
    return string->len > 0;
}

static uint32_t unit_at(const JSString *string, uint32_t index)
{
    return string->is_wide_char ? str16((JSString *)string)[index] : str8((JSString *)string)[index];
}

bool amla_text_has_between(JSValueConst text, uint16_t first, uint16_t last)
{
    const JSString *string = JS_VALUE_GET_TAG(text) == JS_TAG_STRING ? JS_VALUE_GET_STRING(text) : NULL;
    if (!string || !string->is_wide_char)
        return false;
    const uint16_t *units = str16((JSString *)string);
    bool has = false;
    for (uint32_t i = 0; i < string->len; i++) /* without a way out, several at a time */
        has |= (uint16_t)(units[i] - first) <= (uint16_t)(last - first);
    return has;
}

/* The next field from `*at` on, and moves behind it; false at the end. */
static bool next_field(const JSString *string, uint32_t *start, uint32_t *at)
{
    while (*at < string->len && unit_at(string, *at) <= ' ' && strchr(" \t\n", (int)unit_at(string, *at)))
        ++*at;
    *start = *at;
    while (*at < string->len && (unit_at(string, *at) > ' ' || !strchr(" \t\n", (int)unit_at(string, *at))))
        ++*at;
    return *at > *start;
}

static bool has_magic(const JSString *string)
{
    for (uint32_t i = 0; i < string->len; i++)
        if (unit_at(string, i) < 128 && strchr("*?[(", (int)unit_at(string, i)))
            return true;
    return false;
}

JSValue amla_text_split(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSValue text = JS_ToString(ctx, argv[0]);
    if (JS_IsException(text))
        return text;
    JSString *string = JS_VALUE_GET_STRING(text);
    JSValue fields = has_magic(string) ? JS_UNDEFINED : JS_NewArray(ctx);
    uint32_t start, at = 0;
    for (uint32_t count = 0; JS_IsObject(fields) && next_field(string, &start, &at); count++) {
        JSValue field = js_sub_string(ctx, string, (int)start, (int)at);
        if (JS_IsException(field) || JS_DefinePropertyValueUint32(ctx, fields, count, field, JS_PROP_C_W_E) < 0) {
            JS_FreeValue(ctx, fields);
            fields = JS_EXCEPTION;
        } else if (count % POLLED == POLLED - 1 && amla_interrupted()) {
            JS_FreeValue(ctx, fields);
            fields = JS_UNDEFINED;
        }
    }
    JS_FreeValue(ctx, text);
    return fields;
}

/* Whether two units at `at` are one character, beyond the basic plane. */
static bool pair_at(const JSString *string, uint32_t at)
{
    return at + 1 < string->len && is_hi_surrogate(str16((JSString *)string)[at]) && is_lo_surrogate(str16((JSString *)string)[at + 1]);
}

/* Where the character begins that has so many before it behind `at`; moves `*count` down to what is missing of them. */
static uint32_t skip_characters(const JSString *string, uint32_t at, uint32_t *count)
{
    for (; *count > 0 && at < string->len; --*count)
        at += pair_at(string, at) ? 2 : 1;
    return at;
}

JSValue amla_text_count(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSValue text = JS_ToString(ctx, argv[0]);
    if (JS_IsException(text))
        return text;
    const JSString *string = JS_VALUE_GET_STRING(text);
    uint32_t missing = string->len;
    if (string->is_wide_char)
        skip_characters(string, 0, &missing);
    else
        missing = 0;
    JSValue count = js_uint32(string->len - missing);
    JS_FreeValue(ctx, text);
    return count;
}

JSValue amla_text_slice(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    int64_t from, to;
    if (JS_ToInt64Clamp(ctx, &from, argv[1], 0, INT32_MAX, 0) || JS_ToInt64Clamp(ctx, &to, argv[2], from, INT32_MAX, 0))
        return JS_EXCEPTION;
    JSValue text = JS_ToString(ctx, argv[0]);
    if (JS_IsException(text))
        return text;
    JSString *string = JS_VALUE_GET_STRING(text);
    uint32_t start = min_int64(from, string->len), end = min_int64(to, string->len);
    if (string->is_wide_char) {
        uint32_t before = (uint32_t)from, inside = (uint32_t)(to - from);
        start = skip_characters(string, 0, &before);
        end = skip_characters(string, start, &inside);
    }
    JSValue part = js_sub_string(ctx, string, (int)start, (int)end);
    JS_FreeValue(ctx, text);
    return part;
}

static uint32_t text_length(JSValueConst text)
{
    if (JS_VALUE_GET_TAG(text) == JS_TAG_STRING_ROPE)
        return JS_VALUE_GET_STRING_ROPE(text)->len;
    return JS_VALUE_GET_STRING(text)->len;
}

JSValue amla_text_join(JSContext *ctx, const JSValueConst *pieces, uint32_t count)
{
    enum { SHORT = 4096 };
    StringBuffer buffer;
    for (uint32_t i = 0; i < count; i++)
        if (text_length(pieces[i]) > SHORT)
            return JS_UNDEFINED;
    if (string_buffer_init(ctx, &buffer, 64))
        return JS_EXCEPTION;
    for (uint32_t i = 0; i < count; i++) {
        if (string_buffer_concat_value(&buffer, pieces[i])) {
            string_buffer_free(&buffer);
            return JS_EXCEPTION;
        }
    }
    return string_buffer_end(&buffer);
}

JSValue amla_text_replace(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    StringBuffer buffer;
    JSValue text = JS_ToString(ctx, argv[0]);
    JSValue wanted = JS_ToString(ctx, argv[1]);
    JSValue result = JS_EXCEPTION;
    if (JS_IsException(text) || JS_IsException(wanted) || string_buffer_init(ctx, &buffer, 64))
        goto done;
    JSString *whole = JS_VALUE_GET_STRING(text), *part = JS_VALUE_GET_STRING(wanted);
    int from = 0, failed = 0;
    for (uint32_t count = 1; !failed && part->len > 0; count++) {
        const int at = string_indexof(whole, part, from);
        if (at < 0)
            break;
        failed = string_buffer_concat(&buffer, whole, (uint32_t)from, (uint32_t)at) || string_buffer_concat_value(&buffer, argv[2]);
        from = at + (int)part->len;
        if (count % POLLED == 0 && amla_interrupted()) {
            result = JS_UNDEFINED;
            failed = 1;
        }
    }
    if (failed || string_buffer_concat(&buffer, whole, (uint32_t)from, whole->len))
        string_buffer_free(&buffer);
    else
        result = string_buffer_end(&buffer);
done:
    JS_FreeValue(ctx, text);
    JS_FreeValue(ctx, wanted);
    return result;
}
