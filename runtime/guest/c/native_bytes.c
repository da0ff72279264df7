#include "native_bytes.h"

#include <string.h>

#include "base_codec.h"
#include "bytes_view.h"
#include "native_bulk.h"
#include "text_codec.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

/* Whether so many bytes, times `factor`, are still a length: asked before anything is multiplied. */
static bool fits(JSContext *ctx, size_t length, size_t factor)
{
    if (length <= AMLA_LENGTH_MAX / factor)
        return true;
    JS_ThrowRangeError(ctx, "%zu bytes are too long to encode", length);
    return false;
}

/* A string of UTF-8 text that was allocated by amla_bytes_alloc; frees the text. */
static JSValue adopt_text(JSContext *ctx, void *text, size_t length)
{
    JSValue string = JS_NewStringLen(ctx, text, length);
    js_free(ctx, text);
    return string;
}

/* Text to bytes. */

static JSValue utf8_encode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, argv[0]);
    if (!text)
        return JS_EXCEPTION;
    uint8_t *bytes = amla_bytes_alloc(ctx, length);
    if (bytes) {
        memcpy(bytes, text, length);
        amla_utf8_replace_surrogates(bytes, length);
    }
    JS_FreeCString(ctx, text);
    return amla_bytes_adopt(ctx, bytes, length);
}

static JSValue utf8_length(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, argv[0]);
    if (!text)
        return JS_EXCEPTION;
    JS_FreeCString(ctx, text);
    return JS_NewInt64(ctx, (int64_t)length);
}

static JSValue latin1_encode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t length;
    const uint16_t *units = JS_ToCStringLenUTF16(ctx, &length, argv[0]);
    if (!units)
        return JS_EXCEPTION;
    uint8_t *bytes = amla_bytes_alloc(ctx, length);
    for (size_t at = 0; bytes && at < length; at++)
        bytes[at] = (uint8_t)units[at];
    JS_FreeCStringUTF16(ctx, units);
    return amla_bytes_adopt(ctx, bytes, length);
}

static JSValue utf16le_encode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t length;
    const uint16_t *units = JS_ToCStringLenUTF16(ctx, &length, argv[0]);
    if (!units)
        return JS_EXCEPTION;
    uint8_t *bytes = fits(ctx, length, 2) ? amla_bytes_alloc(ctx, length * 2) : NULL;
    if (bytes)
        memcpy(bytes, units, length * 2); /* WebAssembly is little-endian */
    JS_FreeCStringUTF16(ctx, units);
    return amla_bytes_adopt(ctx, bytes, length * 2);
}

typedef size_t decode_text(const char *text, size_t length, uint8_t *out);

/* Bytes of at most `room`, given back what was not needed. */
static JSValue decode_to_bytes(JSContext *ctx, JSValueConst value, decode_text *decode)
{
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, value);
    if (!text)
        return JS_EXCEPTION;
    size_t written = 0;
    uint8_t *bytes = amla_bytes_alloc(ctx, length / 4 * 3 + 3); /* hex needs less */
    if (bytes)
        written = decode(text, length, bytes);
    JS_FreeCString(ctx, text);
    uint8_t *fitted = bytes ? js_realloc(ctx, bytes, written ? written : 1) : NULL;
    if (bytes && !fitted)
        js_free(ctx, bytes);
    return amla_bytes_adopt(ctx, fitted, written);
}

static JSValue hex_decode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    return decode_to_bytes(ctx, argv[0], amla_hex_decode);
}

static JSValue base64_decode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    return decode_to_bytes(ctx, argv[0], amla_base64_decode);
}

/* Bytes to text. */

/* A string of text that is not all ASCII; JS_UNDEFINED if the text is ill-formed. The engine's own
   decoder is several times slower. */
static JSValue wide_string(JSContext *ctx, const uint8_t *text, size_t length)
{
    size_t size = amla_utf16_size(text, length);
    uint16_t *units = fits(ctx, size, 2) ? (uint16_t *)amla_bytes_alloc(ctx, size * 2) : NULL;
    if (!units)
        return JS_EXCEPTION;
    bool whole = amla_utf8_to_utf16(text, length, units) == length;
    JSValue string = whole ? JS_NewStringUTF16(ctx, units, size) : JS_UNDEFINED;
    js_free(ctx, units);
    return string;
}

static JSValue repaired_string(JSContext *ctx, AmlaBytes view)
{
    uint8_t *text = fits(ctx, view.length, 3) ? js_malloc(ctx, view.length * 3) : NULL;
    if (!text)
        return JS_EXCEPTION;
    size_t length = amla_utf8_repair(view.data, view.length, text);
    JSValue string = wide_string(ctx, text, length);
    js_free(ctx, text);
    return string;
}

static JSValue utf8_decode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    static const uint8_t bom[3] = {0xEF, 0xBB, 0xBF};
    bool fatal = JS_ToBool(ctx, argv[1]);
    bool keep_bom = JS_ToBool(ctx, argv[2]);
    AmlaBytes view;
    if (!amla_bytes_borrow(ctx, argv[0], &view))
        return JS_EXCEPTION;
    if (!keep_bom && view.length >= sizeof bom && memcmp(view.data, bom, sizeof bom) == 0) {
        view.data += sizeof bom;
        view.length -= sizeof bom;
    }
    if (amla_ascii_prefix(view.data, view.length) == view.length)
        return JS_NewStringLen(ctx, (const char *)view.data, view.length);
    JSValue string = wide_string(ctx, view.data, view.length);
    if (!JS_IsUndefined(string))
        return string;
    if (fatal)
        return JS_ThrowTypeError(ctx, "The encoded data was not valid for encoding utf-8");
    return repaired_string(ctx, view);
}

static JSValue is_utf8(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes view;
    if (!amla_bytes_borrow(ctx, argv[0], &view))
        return JS_EXCEPTION;
    return JS_NewBool(ctx, amla_utf8_valid_prefix(view.data, view.length) == view.length);
}

static JSValue is_ascii(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes view;
    if (!amla_bytes_borrow(ctx, argv[0], &view))
        return JS_EXCEPTION;
    return JS_NewBool(ctx, amla_ascii_prefix(view.data, view.length) == view.length);
}

static JSValue latin1_decode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes view;
    if (!amla_bytes_borrow(ctx, argv[0], &view))
        return JS_EXCEPTION;
    if (amla_ascii_prefix(view.data, view.length) == view.length)
        return JS_NewStringLen(ctx, (const char *)view.data, view.length);
    uint8_t *text = fits(ctx, view.length, 2) ? js_malloc(ctx, view.length * 2) : NULL;
    if (!text)
        return JS_EXCEPTION;
    return adopt_text(ctx, text, amla_latin1_to_utf8(view.data, view.length, text));
}

static JSValue ascii_decode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes view;
    if (!amla_bytes_borrow(ctx, argv[0], &view))
        return JS_EXCEPTION;
    uint8_t *text = amla_bytes_alloc(ctx, view.length);
    if (!text)
        return JS_EXCEPTION;
    for (size_t at = 0; at < view.length; at++)
        text[at] = view.data[at] & 0x7F;
    return adopt_text(ctx, text, view.length);
}

static JSValue utf16le_decode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes view;
    if (!amla_bytes_borrow(ctx, argv[0], &view))
        return JS_EXCEPTION;
    size_t length = view.length / 2;
    uint16_t *units = (uint16_t *)amla_bytes_alloc(ctx, length * 2); /* the view may be unaligned */
    if (!units)
        return JS_EXCEPTION;
    memcpy(units, view.data, length * 2);
    JSValue string = JS_NewStringUTF16(ctx, units, length);
    js_free(ctx, units);
    return string;
}

static JSValue hex_encode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes view;
    if (!amla_bytes_borrow(ctx, argv[0], &view) || !fits(ctx, view.length, 2))
        return JS_EXCEPTION;
    char *text = (char *)amla_bytes_alloc(ctx, view.length * 2);
    if (!text)
        return JS_EXCEPTION;
    amla_hex_encode(view.data, view.length, text);
    return adopt_text(ctx, text, view.length * 2);
}

static JSValue base64_encode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    bool url = JS_ToBool(ctx, argv[1]);
    AmlaBytes view;
    if (!amla_bytes_borrow(ctx, argv[0], &view) || !fits(ctx, view.length, 2))
        return JS_EXCEPTION;
    char *text = (char *)amla_bytes_alloc(ctx, amla_base64_encoded_size(view.length, url));
    if (!text)
        return JS_EXCEPTION;
    return adopt_text(ctx, text, amla_base64_encode(view.data, view.length, url, text));
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("asciiDecode", 1, ascii_decode),
    JS_CFUNC_DEF("base64Decode", 1, base64_decode),
    JS_CFUNC_DEF("base64Encode", 2, base64_encode),
    JS_CFUNC_DEF("hexDecode", 1, hex_decode),
    JS_CFUNC_DEF("hexEncode", 1, hex_encode),
    JS_CFUNC_DEF("isAscii", 1, is_ascii),
    JS_CFUNC_DEF("isUtf8", 1, is_utf8),
    JS_CFUNC_DEF("latin1Decode", 1, latin1_decode),
    JS_CFUNC_DEF("latin1Encode", 1, latin1_encode),
    JS_CFUNC_DEF("utf16leDecode", 1, utf16le_decode),
    JS_CFUNC_DEF("utf16leEncode", 1, utf16le_encode),
    JS_CFUNC_DEF("utf8Decode", 3, utf8_decode),
    JS_CFUNC_DEF("utf8Encode", 1, utf8_encode),
    JS_CFUNC_DEF("utf8Length", 1, utf8_length),
};

int amla_native_bytes(JSContext *ctx, JSValueConst object)
{
    if (JS_SetPropertyFunctionList(ctx, object, functions, COUNT(functions)))
        return -1;
    return amla_native_bulk(ctx, object);
}
