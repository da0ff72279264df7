/* Bytes as strings without loss: UTF-8 where it is valid, and any other byte as the lone surrogate U+DC00 + byte
 * (Python's "surrogateescape", PEP 383), so that what a shell reads it can write again. */
#include "native_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bytes_view.h"
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

/* decode(bytes): the text. */
static JSValue decode(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes bytes;
    if (!amla_bytes_borrow(ctx, argv[0], &bytes))
        return JS_EXCEPTION;
    if (amla_ascii_prefix(bytes.data, bytes.length) == bytes.length)
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
        if (amla_ascii_prefix(bytes, length) < length)
            length = unescape(bytes, length);
    }
    JS_FreeCString(ctx, text);
    return amla_bytes_adopt(ctx, bytes, length);
}

/* --- lines ------------------------------------------------------------------------------- */

enum { OTHER, BLANK, MARK };

/* What each ASCII character is to word splitting; false when IFS has others. */
static bool read_separators(JSContext *ctx, JSValueConst ifs, uint8_t kinds[128])
{
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, ifs);
    if (!text)
        return false;
    memset(kinds, OTHER, 128);
    bool plain = true;
    for (size_t i = 0; i < length; i++) {
        const uint8_t unit = (uint8_t)text[i];
        plain = plain && unit < 128;
        kinds[unit & 127] = unit == ' ' || unit == '\t' || unit == '\n' ? BLANK : MARK;
    }
    JS_FreeCString(ctx, text);
    return plain;
}

typedef struct {
    const uint8_t *at, *end;
    const uint8_t *kinds;
} Cursor;

static int kind_at(const Cursor *cursor)
{
    return *cursor->at < 128 ? cursor->kinds[*cursor->at] : OTHER;
}

static void skip_blanks(Cursor *cursor)
{
    while (cursor->at < cursor->end && kind_at(cursor) == BLANK)
        cursor->at++;
}

/* White space with at most one other separator in it. */
static void skip_separator(Cursor *cursor)
{
    skip_blanks(cursor);
    if (cursor->at < cursor->end && kind_at(cursor) == MARK) {
        cursor->at++;
        skip_blanks(cursor);
    }
}

static void skip_field(Cursor *cursor)
{
    while (cursor->at < cursor->end && kind_at(cursor) == OTHER)
        cursor->at++;
}

static JSValue text_of(JSContext *ctx, const uint8_t *bytes, size_t length)
{
    if (amla_ascii_prefix(bytes, length) == length)
        return JS_NewStringLen(ctx, (const char *)bytes, length);
    return decode_wide(ctx, bytes, length);
}

/* The rest of the line for the last name, without the separator that ends it when it is a single field. */
static const uint8_t *rest_end(Cursor *cursor)
{
    const uint8_t *end = cursor->end;
    while (end > cursor->at && end[-1] < 128 && cursor->kinds[end[-1]] == BLANK)
        end--;
    skip_field(cursor);
    const uint8_t *field_end = cursor->at;
    skip_separator(cursor);
    return cursor->at >= cursor->end ? field_end : end;
}

static JSValue split(JSContext *ctx, Cursor cursor, uint32_t most, double taken)
{
    JSValue fields = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, fields, 0, JS_NewFloat64(ctx, taken));
    skip_blanks(&cursor);
    for (uint32_t count = 1; cursor.at < cursor.end && count <= most; count++) {
        const uint8_t *start = cursor.at;
        const uint8_t *end;
        if (count == most) {
            end = rest_end(&cursor);
            cursor.at = cursor.end;
        } else {
            skip_field(&cursor);
            end = cursor.at;
            skip_separator(&cursor);
        }
        JS_SetPropertyUint32(ctx, fields, count, text_of(ctx, start, (size_t)(end - start)));
    }
    return fields;
}

/* fields(bytes, from, to, ifs, most, raw): what `read` makes of the line that starts at `from`: the bytes it takes with
 * its newline, then its fields; undefined for lines that need more: without an end, with NULs, or with backslashes
 * that count. */
static JSValue fields(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    uint8_t kinds[128];
    AmlaBytes bytes;
    size_t from, to, most;
    if (!amla_bytes_index(ctx, argv[1], "from", 0, SIZE_MAX / 2, &from) ||
        !amla_bytes_index(ctx, argv[2], "to", 0, SIZE_MAX / 2, &to) ||
        !amla_bytes_index(ctx, argv[4], "most", 1, UINT32_MAX, &most))
        return JS_EXCEPTION;
    const bool raw = JS_ToBool(ctx, argv[5]) > 0;
    if (!read_separators(ctx, argv[3], kinds))
        return JS_UNDEFINED;
    if (!amla_bytes_borrow(ctx, argv[0], &bytes))
        return JS_EXCEPTION;
    if (to > bytes.length || from >= to)
        return JS_UNDEFINED;
    const uint8_t *start = bytes.data + from;
    const uint8_t *end = memchr(start, '\n', to - from);
    if (!end || memchr(start, 0, (size_t)(end - start)) || (!raw && memchr(start, '\\', (size_t)(end - start))))
        return JS_UNDEFINED;
    return split(ctx, (Cursor){ start, end, kinds }, (uint32_t)most, (double)(end - start + 1));
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("decode", 1, decode),
    JS_CFUNC_DEF("encode", 1, encode),
    JS_CFUNC_DEF("fields", 6, fields),
};

int amla_native_text(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
