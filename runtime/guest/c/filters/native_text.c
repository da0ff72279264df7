/* Bytes as strings without loss: UTF-8 where it is valid, and any other byte as the lone surrogate U+DC00 + byte
 * (Python's "surrogateescape", PEP 383), so that what a shell reads it can write again. */
#include "native_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bytes_view.h"
#include "engine.h"
#include "filters/characters.h"
#include "text_codec.h"

static JSValue decode_wide(JSContext *ctx, const uint8_t *bytes, size_t length)
{
    uint16_t *units = js_malloc(ctx, length * sizeof *units);
    if (!units)
        return JS_EXCEPTION;
    size_t count = 0, size;
    for (size_t at = 0; at < length; at += size) {
        uint32_t code;
        size = amla_character(bytes + at, length - at, &code);
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

JSValue amla_text_decode(JSContext *ctx, const uint8_t *bytes, size_t length)
{
    if (amla_ascii_prefix(bytes, length) == length)
        return JS_NewStringLen(ctx, (const char *)bytes, length);
    return decode_wide(ctx, bytes, length);
}

/* decode(bytes): the text. */
static JSValue decode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes bytes;
    if (!amla_bytes_borrow(ctx, argv[0], &bytes))
        return JS_EXCEPTION;
    return amla_text_decode(ctx, bytes.data, bytes.length);
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

uint8_t *amla_text_encode(JSContext *ctx, JSValueConst value, size_t *length)
{
    const char *ascii = amla_ascii(value, length);
    const char *text = ascii ? ascii : JS_ToCStringLen(ctx, length, value);
    if (!text)
        return NULL;
    uint8_t *bytes = amla_bytes_alloc(ctx, *length);
    if (bytes)
        memcpy(bytes, text, *length);
    if (ascii)
        return bytes;
    JS_FreeCString(ctx, text);
    if (bytes && amla_ascii_prefix(bytes, *length) < *length)
        *length = unescape(bytes, *length);
    return bytes;
}

/* encode(text): the bytes. */
static JSValue encode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t length;
    uint8_t *bytes = amla_text_encode(ctx, argv[0], &length);
    return bytes ? amla_bytes_adopt(ctx, bytes, length) : JS_EXCEPTION;
}

JSValue amla_text_whole(JSContext *ctx, JSValue text)
{
    size_t length;
    if (!amla_text_has_between(text, 0xdc80, 0xdcff))
        return text;
    uint8_t *bytes = amla_text_encode(ctx, text, &length);
    JS_FreeValue(ctx, text);
    JSValue whole = bytes ? amla_text_decode(ctx, bytes, length) : JS_EXCEPTION;
    js_free(ctx, bytes);
    return whole;
}

/* whole(text): bytes that together are a character become that character. */
static JSValue whole(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    JSValue text = JS_ToString(ctx, argv[0]);
    return JS_IsException(text) ? text : amla_text_whole(ctx, text);
}

/* bytes(text): what is no ASCII as its bytes, each of them escaped. */
static JSValue apart(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    size_t length;
    if (amla_ascii(argv[0], &length))
        return JS_DupValue(ctx, argv[0]);
    AmlaBytes bytes;
    JSValue encoded = encode(ctx, this_value, argc, argv);
    if (JS_IsException(encoded))
        return encoded;
    uint16_t *units = amla_bytes_borrow(ctx, encoded, &bytes) ? js_malloc(ctx, (bytes.length + 1) * sizeof *units) : NULL;
    for (size_t i = 0; units && i < bytes.length; i++)
        units[i] = (uint16_t)(bytes.data[i] < 0x80 ? bytes.data[i] : 0xdc00 + bytes.data[i]);
    JSValue text = units ? JS_NewStringUTF16(ctx, units, bytes.length) : JS_EXCEPTION;
    js_free(ctx, units);
    JS_FreeValue(ctx, encoded);
    return text;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("bytes", 1, apart),
    JS_CFUNC_DEF("count", 1, amla_text_count),
    JS_CFUNC_DEF("decode", 1, decode),
    JS_CFUNC_DEF("encode", 1, encode),
    JS_CFUNC_DEF("slice", 3, amla_text_slice),
    JS_CFUNC_DEF("whole", 1, whole),
};

int amla_native_text(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
