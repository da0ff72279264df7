/* Bytes as strings without loss: UTF-8 where it is valid, and any other byte as the lone surrogate U+DC00 + byte
 * (Python's "surrogateescape", PEP 383), so that what a shell reads it can write again. */
#include "native_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bytes_view.h"

/* Bytes of the valid sequence at `at` (RFC 3629: shortest form, no surrogates), or 0; its code point in *code. */
static size_t sequence(const uint8_t *at, size_t left, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const uint8_t lead = at[0];
    const size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    uint32_t value = length == 1 ? lead : lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (at[i] & 0x3f);
    }
    *code = value;
    return value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? 0 : length;
}

static size_t ascii_prefix(const uint8_t *bytes, size_t length)
{
    size_t at = 0;
    uint64_t word;
    for (; length - at >= 8; at += 8) {
        memcpy(&word, bytes + at, 8);
        if (word & 0x8080808080808080u)
            break;
    }
    while (at < length && bytes[at] < 0x80)
        at++;
    return at;
}

static JSValue decode_wide(JSContext *ctx, const uint8_t *bytes, size_t length)
{
    uint16_t *units = js_malloc(ctx, length * sizeof *units);
    if (!units)
        return JS_EXCEPTION;
    size_t count = 0, size;
    for (size_t at = 0; at < length; at += size) {
        uint32_t code;
        size = sequence(bytes + at, length - at, &code);
        if (size == 0) {
            code = 0xdc00u + bytes[at];
            size = 1;
        }
        if (code >= 0x10000)
            units[count++] = (uint16_t)(0xd7c0 + (code >> 10));
        units[count++] = (uint16_t)(code >= 0x10000 ? 0xdc00 + (code & 0x3ff) : code);
    }
    JSValue text = JS_NewStringUTF16(ctx, units, count);
    js_free(ctx, units);
    return text;
}

/* decode(bytes): the text. */
static JSValue decode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes bytes;
    if (!amla_bytes_borrow(ctx, argv[0], &bytes))
        return JS_EXCEPTION;
    if (ascii_prefix(bytes.data, bytes.length) == bytes.length)
        return JS_NewStringLen(ctx, (const char *)bytes.data, bytes.length);
    return decode_wide(ctx, bytes.data, bytes.length);
}

/* The engine writes a lone surrogate as three bytes, ED A0..BF xx: turn those of the escape range into their byte and
 * others into U+FFFD, in place. */
static size_t unescape(uint8_t *bytes, size_t length)
{
    size_t to = 0;
    for (size_t at = 0; at < length;) {
        if (bytes[at] != 0xed || length - at < 3 || bytes[at + 1] < 0xa0) {
            bytes[to++] = bytes[at++];
            continue;
        }
        const uint32_t code = 0xd000u | (bytes[at + 1] & 0x3fu) << 6 | (bytes[at + 2] & 0x3fu);
        at += 3;
        if (code >= 0xdc80 && code <= 0xdcff) {
            bytes[to++] = (uint8_t)(code - 0xdc00);
            continue;
        }
        memcpy(bytes + to, "\xef\xbf\xbd", 3);
        to += 3;
    }
    return to;
}

/* encode(text): the bytes. */
static JSValue encode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, argv[0]);
    if (!text)
        return JS_EXCEPTION;
    uint8_t *bytes = amla_bytes_alloc(ctx, length);
    if (bytes) {
        memcpy(bytes, text, length);
        if (ascii_prefix(bytes, length) < length)
            length = unescape(bytes, length);
    }
    JS_FreeCString(ctx, text);
    return amla_bytes_adopt(ctx, bytes, length);
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("decode", 1, decode),
    JS_CFUNC_DEF("encode", 1, encode),
};

int amla_native_text(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
