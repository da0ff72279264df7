/* A string as JSON writes it (ECMA-262, QuoteJSONString), into a buffer that goes on.
 * Included by quickjs.c alone (build/quickjs_quick.py): what stands for itself is copied
 * in runs, and a large text is held once less than where each has a buffer of its own.
 */
static bool amla_stands_for_itself(uint8_t c)
{
    return c >= 32 && c != '"' && c != '\\';
}

/* How many characters from `at` on can be copied; of wide strings none are. */
static int amla_plain_run(JSString *text, int at)
{
    int end = at;
    if (!text->is_wide_char)
        while (end < (int)text->len && amla_stands_for_itself(str8(text)[end]))
            end++;
    return end - at;
}

static int amla_quote_character(StringBuffer *b, uint32_t c)
{
    static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = c && c < 128 ? strchr(escaped, (int)c) : NULL;
    char code[8];
    if (found)
        return string_buffer_putc8(b, '\\') || string_buffer_putc8(b, (uint8_t)letters[found - escaped]);
    if (c >= 32 && !is_surrogate(c))
        return string_buffer_putc(b, c);
    snprintf(code, sizeof code, "\\u%04x", c);
    return string_buffer_write8(b, (const uint8_t *)code, 6);
}

/* Room for a large text with what usually follows, or a buffer that just holds it would soon grow by half. */
static int amla_make_room(StringBuffer *b, const JSString *text)
{
    enum { LARGE = 4096, BEHIND = 64 };
    const int size = b->len + (int)text->len + BEHIND;
    return text->len < LARGE || size <= b->size ? 0 : string_buffer_realloc(b, size, 0);
}

/* -1 with an exception pending. */
static int amla_quote(StringBuffer *b, JSString *text)
{
    if (amla_make_room(b, text) || string_buffer_putc8(b, '"'))
        return -1;
    for (int at = 0; at < (int)text->len;) {
        const int run = amla_plain_run(text, at);
        if (run ? string_buffer_write8(b, str8(text) + at, run) : amla_quote_character(b, string_getc(text, &at)))
            return -1;
        at += run;
    }
    return string_buffer_putc8(b, '"') ? -1 : 0;
}

/* Takes the value, a string or what becomes one.  -1 with an exception pending. */
static int amla_quote_value(JSContext *ctx, StringBuffer *b, JSValue value)
{
    value = JS_ToStringFree(ctx, value);
    const int failed = JS_IsException(value) ? -1 : amla_quote(b, JS_VALUE_GET_STRING(value));
    JS_FreeValue(ctx, value);
    return failed;
}
