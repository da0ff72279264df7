#include "native_encoding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The host refuses arguments that are nested deeper (docs/limits.md). */
#define DEPTH 64
#define PATH_SHOWN 120
#define LARGE 65536 /* bytes of a text from which on it is worth a buffer; arbitrary */

typedef struct {
    JSContext *ctx;
    char *text;
    size_t length, size;
    JSValueConst objects[DEPTH]; /* open objects, outermost first: finds cycles */
    JSAtom keys[DEPTH];          /* the key or index under which each is being written */
    int depth;
} Encoder;

static int encode(Encoder *e, JSValueConst value);

/* --- text ------------------------------------------------------------------------------ */

static int put(Encoder *e, const char *text, size_t length)
{
    if (e->length + length > e->size) {
        size_t size = e->size + e->size / 2 + length + 256;
        char *grown = realloc(e->text, size);
        if (!grown) {
            JS_ThrowOutOfMemory(e->ctx);
            return -1;
        }
        e->text = grown;
        e->size = size;
    }
    memcpy(e->text + e->length, text, length);
    e->length += length;
    return 0;
}

static int put_text(Encoder *e, const char *text)
{
    return put(e, text, strlen(text));
}

/* Throw a TypeError about the value under the current keys. */
static int refuse(Encoder *e, const char *problem)
{
    char path[PATH_SHOWN] = "";
    size_t used = 0;
    for (int i = 0; i < e->depth && used < sizeof path; i++) {
        const char *key = JS_AtomToCString(e->ctx, e->keys[i]);
        const char *form = JS_IsArray(e->objects[i]) ? "[%s]" : i ? ".%s" : "%s";
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
        int wrote = snprintf(path + used, sizeof path - used, form, key ? key : "?");
#pragma clang diagnostic pop
        used += wrote > 0 ? (size_t)wrote : 0;
        JS_FreeCString(e->ctx, key);
    }
    JS_ThrowTypeError(e->ctx, "argument '%s' %s", path[0] ? path : "(whole)", problem);
    return -1;
}

static int put_unit(Encoder *e, unsigned unit)
{
    char escaped[8];
    snprintf(escaped, sizeof escaped, "\\u%04x", unit & 0xFFFF);
    return put(e, escaped, 6);
}

/* QuickJS hands strings out as UTF-8 with lone surrogates encoded as three bytes
 * (ED A0..BF xx); those are written as escapes, so that the text stays valid. */
static int put_string(Encoder *e, JSValueConst value)
{
    size_t length, start = 0;
    const char *ascii = amla_ascii(value, &length);
    const char *text = ascii ? ascii : JS_ToCStringLen(e->ctx, &length, value);
    if (!text)
        return -1;
    int failed = put(e, "\"", 1);
    for (size_t i = 0; i < length && !failed; i++) {
        unsigned char c = (unsigned char)text[i];
        bool surrogate = c == 0xED && i + 2 < length && (unsigned char)text[i + 1] >= 0xA0;
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F && !surrogate)
            continue;
        failed = put(e, text + start, i - start);
        if (!failed && (c == '"' || c == '\\'))
            failed = put(e, "\\", 1) || put(e, text + i, 1);
        else if (!failed && surrogate) {
            failed = put_unit(e, 0xD000u | ((text[i + 1] & 0x3Fu) << 6) | (text[i + 2] & 0x3Fu));
            i += 2;
        } else if (!failed)
            failed = put_unit(e, c);
        start = i + 1;
    }
    if (!failed)
        failed = put(e, text + start, length - start) || put(e, "\"", 1);
    if (!ascii)
        JS_FreeCString(e->ctx, text);
    return failed ? -1 : 0;
}

/* --- values ------------------------------------------------------------------------------ */

static int put_shown(Encoder *e, JSValueConst value)
{
    size_t length;
    const char *text = JS_ToCStringLen(e->ctx, &length, value);
    int failed = text ? put(e, text, length) : -1;
    JS_FreeCString(e->ctx, text);
    return failed;
}

static int put_number(Encoder *e, JSValueConst value)
{
    double number;
    if (JS_ToFloat64(e->ctx, &number, value))
        return -1;
    if (isnan(number))
        return refuse(e, "is NaN, which JSON cannot carry");
    if (isinf(number))
        return refuse(e, number > 0 ? "is Infinity, which JSON cannot carry" : "is -Infinity, which JSON cannot carry");
    if (number == 0 && signbit(number))
        return put_text(e, "-0.0");
    return put_shown(e, value);
}

static int open_object(Encoder *e, JSValueConst object)
{
    for (int i = 0; i < e->depth; i++)
        if (JS_IsStrictEqual(e->ctx, e->objects[i], object))
            return refuse(e, "refers back to an object that contains it (a circular structure)");
    if (e->depth == DEPTH)
        return refuse(e, "is nested more than 64 levels deep");
    e->objects[e->depth] = object;
    e->keys[e->depth++] = JS_ATOM_NULL;
    return 0;
}

static int put_array(Encoder *e, JSValueConst array)
{
    int64_t length;
    if (JS_GetLength(e->ctx, array, &length) || open_object(e, array) || put(e, "[", 1))
        return -1;
    int failed = 0;
    for (int64_t i = 0; i < length && !failed; i++) {
        JSAtom key = JS_NewAtomUInt32(e->ctx, (uint32_t)i);
        JSValue item = JS_GetPropertyInt64(e->ctx, array, i);
        e->keys[e->depth - 1] = key;
        failed = JS_IsException(item) || (i && put(e, ",", 1));
        if (!failed)
            failed = JS_IsUndefined(item) ? put_text(e, "null") : encode(e, item);
        JS_FreeValue(e->ctx, item);
        JS_FreeAtom(e->ctx, key);
    }
    e->depth--;
    return failed ? -1 : put(e, "]", 1);
}

static int put_member(Encoder *e, JSValueConst object, JSAtom name, bool *first)
{
    JSValue item = JS_GetProperty(e->ctx, object, name);
    if (JS_IsException(item))
        return -1;
    if (JS_IsUndefined(item))
        return 0;
    e->keys[e->depth - 1] = name;
    JSValue key = JS_AtomToString(e->ctx, name);
    int failed = (!*first && put(e, ",", 1)) || put_string(e, key) || put(e, ":", 1) || encode(e, item);
    *first = false;
    JS_FreeValue(e->ctx, key);
    JS_FreeValue(e->ctx, item);
    return failed ? -1 : 0;
}

static int put_object(Encoder *e, JSValueConst object)
{
    JSPropertyEnum *names;
    uint32_t count;
    bool first = true;
    if (open_object(e, object) || put(e, "{", 1))
        return -1;
    if (JS_GetOwnPropertyNames(e->ctx, &names, &count, object, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY))
        return -1;
    int failed = 0;
    for (uint32_t i = 0; i < count && !failed; i++)
        failed = put_member(e, object, names[i].atom, &first);
    JS_FreePropertyEnum(e->ctx, names, count);
    e->depth--;
    return failed ? -1 : put(e, "}", 1);
}

/* Kinds of objects that would become `{}`, and what to write instead. */
static const struct { const char *name, *problem; } refused[] = {
    { "promise", "is a Promise: put `await` before it" },
    { "map", "is a Map: pass Object.fromEntries(map)" },
    { "set", "is a Set: pass [...set]" },
    { "weakmap", "is a WeakMap, which has no JSON form" },
    { "weakset", "is a WeakSet, which has no JSON form" },
    { "regexp", "is a RegExp: pass its source as a string" },
    { "arraybuffer", "is an ArrayBuffer: pass Buffer.from(value).toString('base64')" },
    { "dataview", "is a DataView: pass its bytes as base64" },
    { "generator", "is a generator: pass [...generator]" },
    { "mapiterator", "is an iterator: pass [...iterator]" },
    { "setiterator", "is an iterator: pass [...iterator]" },
};

static const char *objection(JSContext *ctx, JSValueConst object)
{
    if (JS_IsFunction(ctx, object))
        return "is a function, which has no JSON form";
    if (JS_GetTypedArrayType(object) >= 0)
        return "is a typed array: pass Array.from(value), or Buffer.from(value).toString('base64')";
    const char *name = amla_class_name(object);
    for (size_t i = 0; name && i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(refused[i].name, name))
            return refused[i].problem;
    return NULL;
}

static bool is_box(JSValueConst object)
{
    const char *name = amla_class_name(object);
    return name && (!strcmp(name, "number") || !strcmp(name, "string") || !strcmp(name, "boolean"));
}

/* The value that stands for an object: what toJSON() returns, or a box's content;
 * JS_UNINITIALIZED when the object stands for itself. */
static JSValue substitute(Encoder *e, JSValueConst object)
{
    JSValue method = JS_GetPropertyStr(e->ctx, object, "toJSON");
    if (JS_IsException(method))
        return method;
    JSValue result = JS_UNINITIALIZED;
    if (JS_IsFunction(e->ctx, method))
        result = JS_Call(e->ctx, method, object, 0, NULL);
    else if (is_box(object))
        result = JS_GetPropertyStr(e->ctx, object, "valueOf");
    JS_FreeValue(e->ctx, method);
    if (JS_IsFunction(e->ctx, result) && is_box(object)) {
        JSValue content = JS_Call(e->ctx, result, object, 0, NULL);
        JS_FreeValue(e->ctx, result);
        return content;
    }
    return result;
}

static int put_any_object(Encoder *e, JSValueConst object)
{
    const char *problem = objection(e->ctx, object);
    if (problem)
        return refuse(e, problem);
    JSValue stand_in = substitute(e, object);
    if (JS_IsException(stand_in))
        return -1;
    if (JS_IsUninitialized(stand_in))
        return JS_IsArray(object) ? put_array(e, object) : put_object(e, object);
    int failed = JS_IsObject(stand_in) ? (JS_IsArray(stand_in) ? put_array(e, stand_in) : put_object(e, stand_in))
                                       : encode(e, stand_in);
    JS_FreeValue(e->ctx, stand_in);
    return failed;
}

static int encode(Encoder *e, JSValueConst value)
{
    if (JS_IsString(value))
        return put_string(e, value);
    if (JS_IsNumber(value))
        return put_number(e, value);
    if (JS_IsObject(value))
        return put_any_object(e, value);
    if (JS_IsBool(value) || JS_IsNull(value) || JS_IsBigInt(value))
        return put_shown(e, value);
    return refuse(e, JS_IsSymbol(value) ? "is a symbol, which has no JSON form" : "is undefined");
}

static void *resize_text(JSRuntime *rt, void *opaque, void *text, size_t size)
{
    (void)rt, (void)opaque;
    if (size)
        return realloc(text, size);
    free(text);
    return NULL;
}

/* The text, or of a large one its bytes: what is only sent on need not become a string first. */
static JSValue taken_text(Encoder *e)
{
    if (e->length < LARGE)
        return JS_NewStringLen(e->ctx, e->text, e->length);
    JSValue buffer = JS_NewArrayBuffer(e->ctx, (uint8_t *)e->text, e->length, 0, resize_text, NULL, false);
    if (JS_IsException(buffer))
        return buffer;
    e->text = NULL;
    JSValueConst whole[] = { buffer };
    JSValue bytes = JS_NewTypedArray(e->ctx, 1, whole, JS_TYPED_ARRAY_UINT8);
    JS_FreeValue(e->ctx, buffer);
    return bytes;
}

static JSValue stringify(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    Encoder *e = calloc(1, sizeof *e);
    if (!e)
        return JS_ThrowOutOfMemory(ctx);
    e->ctx = ctx;
    int failed = encode(e, argv[0]);
    JSValue json = failed ? JS_EXCEPTION : taken_text(e);
    free(e->text);
    free(e);
    return json;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("stringify", 1, stringify),
};

int amla_native_encoding(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
