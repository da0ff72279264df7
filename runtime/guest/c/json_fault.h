/* What is wrong with a text that is no JSON, in V8's words.
 *
 * Part of engine.c, behind quickjs.c.  Called when JSON.parse has failed: the text is
 * read once more, by the grammar alone and without recursion, up to the first fault.
 */

#pragma clang attribute push(__attribute__((minsize, cold)), apply_to = function)

typedef struct {
    const JSString *text;
    int at, length;
    const char *fault; /* a message with %d for the position; "" for an unexpected character; NULL for none yet */
} JsonReader;

enum { JSON_END = -1 };

static int json_peek(const JsonReader *r)
{
    return r->at < r->length ? string_get((JSString *)r->text, r->at) : JSON_END;
}

static int json_skip(JsonReader *r)
{
    int c;
    while ((c = json_peek(r)) == ' ' || c == '\t' || c == '\n' || c == '\r')
        r->at++;
    return c;
}

static bool json_fault(JsonReader *r, const char *fault)
{
    r->fault = fault;
    return false;
}

static bool is_digit_unit(int c)
{
    return c >= '0' && c <= '9';
}

static bool json_digits(JsonReader *r, const char *fault)
{
    if (!is_digit_unit(json_peek(r)))
        return json_fault(r, fault);
    while (is_digit_unit(json_peek(r)))
        r->at++;
    return true;
}

static bool json_number(JsonReader *r)
{
    if (json_peek(r) == '-') {
        r->at++;
        if (!is_digit_unit(json_peek(r)))
            return json_fault(r, "No number after minus sign in JSON at position %d");
    }
    if (json_peek(r) == '0') {
        r->at++;
        if (is_digit_unit(json_peek(r)))
            return json_fault(r, "Unexpected number in JSON at position %d");
    } else if (!json_digits(r, "")) {
        return false;
    }
    if (json_peek(r) == '.') {
        r->at++;
        if (!json_digits(r, "Unterminated fractional number in JSON at position %d"))
            return false;
    }
    if (json_peek(r) == 'e' || json_peek(r) == 'E') {
        r->at++;
        if (json_peek(r) == '+' || json_peek(r) == '-')
            r->at++;
        return json_digits(r, "Exponent part is missing a number in JSON at position %d");
    }
    return true;
}

static bool json_escape(JsonReader *r)
{
    int c = json_peek(r);
    if (c == 'u') {
        for (int i = 0; i < 4; i++) {
            r->at++;
            if (from_hex(json_peek(r)) < 0)
                return json_fault(r, "Bad Unicode escape in JSON at position %d");
        }
    } else if (c == JSON_END) {
        return json_fault(r, "Unterminated string in JSON at position %d");
    } else if (c > 0x7f || !strchr("\"\\/bfnrt", c) || !c) {
        return json_fault(r, "Bad escaped character in JSON at position %d");
    }
    r->at++;
    return true;
}

static bool json_string(JsonReader *r)
{
    r->at++;
    for (;;) {
        int c = json_peek(r);
        if (c == JSON_END)
            return json_fault(r, "Unterminated string in JSON at position %d");
        if (c < 0x20)
            return json_fault(r, "Bad control character in string literal in JSON at position %d");
        r->at++;
        if (c == '"')
            return true;
        if (c == '\\' && !json_escape(r))
            return false;
    }
}

static bool json_word(JsonReader *r, const char *word)
{
    for (; *word; word++, r->at++)
        if (json_peek(r) != *word)
            return json_fault(r, "");
    return true;
}

static bool json_key(JsonReader *r, const char *fault, const char *colon_fault)
{
    if (json_skip(r) != '"')
        return json_fault(r, fault);
    if (!json_string(r))
        return false;
    if (json_skip(r) != ':')
        return json_fault(r, colon_fault);
    r->at++;
    return true;
}

/* A value without what it contains: an opening bracket is taken alone. */
static bool json_start(JsonReader *r)
{
    int c = json_skip(r);
    switch (c) {
    case '"': return json_string(r);
    case 't': return json_word(r, "true");
    case 'f': return json_word(r, "false");
    case 'n': return json_word(r, "null");
    case '{': case '[': r->at++; return true;
    default: return c == '-' || is_digit_unit(c) ? json_number(r) : json_fault(r, "");
    }
}

/* Behind an opening bracket: true when a value must follow, false when the bracket was closed or at a fault. */
static bool json_opened(JsonReader *r, int bracket)
{
    if (json_skip(r) == (bracket == '{' ? '}' : ']')) {
        r->at++;
        return false;
    }
    return bracket == '[' || json_key(r, "Expected property name or '}' in JSON at position %d",
                                     "Expected ':' after property name in JSON at position %d");
}

/* Behind a value inside a bracket: true when another value must follow. */
static bool json_next(JsonReader *r, int bracket)
{
    int c = json_skip(r);
    if (c == ',') {
        r->at++;
        return bracket == '[' || json_key(r, "Expected double-quoted property name in JSON at position %d", "");
    }
    if (c != (bracket == '{' ? '}' : ']'))
        return json_fault(r, bracket == '{' ? "Expected ',' or '}' after property value in JSON at position %d"
                                            : "Expected ',' or ']' after array element in JSON at position %d");
    r->at++;
    return false;
}

static void json_read(JsonReader *r, DynBuf *open)
{
    while (json_start(r)) {
        int c = string_get((JSString *)r->text, r->at - 1);
        bool more = false;
        if (c == '{' || c == '[') {
            dbuf_putc(open, c);
            more = json_opened(r, c);
            if (!more && !r->fault)
                open->size--;
        }
        while (!more && !r->fault && open->size) {
            more = json_next(r, open->buf[open->size - 1]);
            if (!more && !r->fault)
                open->size--;
        }
        if (!more)
            break;
    }
    if (!r->fault && json_skip(r) != JSON_END)
        json_fault(r, "Unexpected non-whitespace character after JSON at position %d");
}

/* Half of a surrogate pair becomes U+FFFD. */
static void put_units(DynBuf *text, const JSString *string, int from, int to)
{
    uint8_t encoded[UTF8_CHAR_LEN_MAX];
    for (int at = from; at < to;) {
        uint32_t c = string_getc((JSString *)string, &at);
        dbuf_put(text, encoded, utf8_encode(encoded, is_surrogate(c) || at > to ? 0xfffd : c));
    }
}

static bool is_other_word(const JSString *string)
{
    static const char *const words[] = { "undefined", "NaN", "Infinity", "[object Object]" };
    for (size_t i = 0; i < countof(words); i++) {
        size_t length = strlen(words[i]), at = 0;
        while (at < length && at < string->len && string_get((JSString *)string, (int)at) == words[i][at])
            at++;
        if (at == length && length == string->len)
            return true;
    }
    return false;
}

/* `Unexpected token 'h', "hello" is not valid JSON`, with ten characters to each side in a longer text. */
static void put_unexpected(DynBuf *text, const JsonReader *r)
{
    const int around = 10;
    int from = 0, to = r->length;
    bool cut = false;
    if (!is_other_word(r->text)) {
        dbuf_putstr(text, "Unexpected token '");
        put_units(text, r->text, r->at, r->at + 1);
        dbuf_putstr(text, "', ");
        if (r->length > 2 * around) {
            from = max_int(r->at - around, 0);
            cut = r->at >= around;
            if (r->at < around || r->at < r->length - around)
                to = r->at + around;
        }
    }
    dbuf_putstr(text, cut ? "...\"" : "\"");
    put_units(text, r->text, from, to);
    dbuf_putstr(text, to < r->length ? "\"... is not valid JSON" : "\" is not valid JSON");
}

static void put_json_fault(DynBuf *text, const JsonReader *r)
{
    int c = json_peek(r);
    if (*r->fault)
        dbuf_printf(text, r->fault, r->at);
    else if (c == JSON_END)
        dbuf_putstr(text, "Unexpected end of JSON input");
    else if (c == '"')
        dbuf_printf(text, "Unexpected string in JSON at position %d", r->at);
    else if (c == '-' || is_digit_unit(c))
        dbuf_printf(text, "Unexpected number in JSON at position %d", r->at);
    else
        put_unexpected(text, r);
}

/* Replaces the SyntaxError that is pending because of `source`, if a fault is found. */
static void amla_explain_json(JSContext *ctx, const char *source, size_t length)
{
    DynBuf open, text;
    JSValueConst pending = ctx->rt->current_exception;
    if (!JS_IsObject(pending) || !JS_IsObject(ctx->native_error_proto[JS_SYNTAX_ERROR])
        || JS_VALUE_GET_OBJ(pending)->shape->proto != JS_VALUE_GET_OBJ(ctx->native_error_proto[JS_SYNTAX_ERROR]))
        return;
    JSValue error = JS_GetException(ctx);
    JSValue string = JS_NewStringLen(ctx, source, length);
    if (!JS_IsString(string)) {
        JS_Throw(ctx, error);
        return;
    }
    JsonReader reader = { JS_VALUE_GET_STRING(string), 0, (int)JS_VALUE_GET_STRING(string)->len, NULL };
    js_dbuf_init(ctx, &open);
    js_dbuf_init(ctx, &text);
    json_read(&reader, &open);
    dbuf_free(&open);
    if (reader.fault)
        put_json_fault(&text, &reader);
    JS_FreeValue(ctx, string);
    if (!reader.fault) {
        JS_Throw(ctx, error);
        return;
    }
    JS_FreeValue(ctx, error);
    throw_text(ctx, JS_SYNTAX_ERROR, &text);
}

#pragma clang attribute pop
