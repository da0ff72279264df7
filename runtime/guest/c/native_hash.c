#include "native_hash.h"

#include <string.h>

#include "bytes_view.h"
#include "hash.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

static JSClassID hash_class;

static void free_hash(JSRuntime *rt, JSValueConst value)
{
    js_free_rt(rt, JS_GetOpaque(value, hash_class));
}

static const JSClassDef hash_class_def = {.class_name = "HashState", .finalizer = free_hash};

/* The hash of a handle, which keeps it; NULL with a TypeError pending for other values. */
static AmlaHash *borrow_hash(JSContext *ctx, JSValueConst value)
{
    return JS_GetOpaque2(ctx, value, hash_class);
}

static JSValue new_handle(JSContext *ctx, const AmlaHash *hash)
{
    JSValue handle = JS_NewObjectClass(ctx, hash_class);
    if (JS_IsException(handle))
        return JS_EXCEPTION;
    AmlaHash *owned = js_malloc(ctx, sizeof *owned);
    if (!owned) {
        JS_FreeValue(ctx, handle);
        return JS_EXCEPTION;
    }
    *owned = *hash;
    JS_SetOpaque(handle, owned);
    return handle;
}

static JSValue create(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const char *name = JS_ToCString(ctx, argv[0]);
    if (!name)
        return JS_EXCEPTION;
    const AmlaHashAlgorithm *algorithm = amla_hash_find(name);
    JS_FreeCString(ctx, name);
    if (!algorithm)
        return JS_UNDEFINED;
    AmlaHash hash = {0};
    amla_hash_start(&hash, algorithm);
    return new_handle(ctx, &hash);
}

static JSValue update(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes bytes;
    AmlaHash *hash = borrow_hash(ctx, argv[0]);
    if (!hash || !amla_bytes_borrow(ctx, argv[1], &bytes))
        return JS_EXCEPTION;
    amla_hash_update(hash, bytes.data, bytes.length);
    return JS_UNDEFINED;
}

static JSValue digest(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const AmlaHash *hash = borrow_hash(ctx, argv[0]);
    if (!hash)
        return JS_EXCEPTION;
    AmlaHash ending = *hash;
    uint8_t result[AMLA_HASH_DIGEST_MAX];
    amla_hash_finish(&ending, result);
    return JS_NewUint8ArrayCopy(ctx, result, ending.algorithm->digest_size);
}

static JSValue copy(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const AmlaHash *hash = borrow_hash(ctx, argv[0]);
    return hash ? new_handle(ctx, hash) : JS_EXCEPTION;
}

static JSValue block_size(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const AmlaHash *hash = borrow_hash(ctx, argv[0]);
    return hash ? JS_NewInt32(ctx, hash->algorithm->block_size) : JS_EXCEPTION;
}

/* block = H(outer key, H(inner key, block)) */
static void apply_hmac(const AmlaHash *inner, const AmlaHash *outer, uint8_t *block)
{
    size_t size = inner->algorithm->digest_size;
    const AmlaHash *const keyed[2] = {inner, outer};
    for (size_t pass = 0; pass < 2; pass++) {
        AmlaHash hash = *keyed[pass];
        amla_hash_update(&hash, block, size);
        amla_hash_finish(&hash, block);
    }
}

static JSValue stretch(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    size_t rounds;
    AmlaBytes block, sum;
    if (!amla_bytes_index(ctx, argv[4], "rounds", 0, INT32_MAX, &rounds))
        return JS_EXCEPTION;
    const AmlaHash *inner = borrow_hash(ctx, argv[0]);
    const AmlaHash *outer = inner ? borrow_hash(ctx, argv[1]) : NULL;
    if (!outer || !amla_bytes_borrow(ctx, argv[2], &block) || !amla_bytes_borrow(ctx, argv[3], &sum))
        return JS_EXCEPTION;
    size_t size = inner->algorithm->digest_size;
    if (outer->algorithm != inner->algorithm || block.length != size || sum.length != size)
        return JS_ThrowRangeError(ctx, "block and sum must hold one digest of %zu bytes", size);
    while (rounds-- > 0) {
        apply_hmac(inner, outer, block.data);
        for (size_t at = 0; at < size; at++)
            sum.data[at] ^= block.data[at];
    }
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("blockSize", 1, block_size),
    JS_CFUNC_DEF("copy", 1, copy),
    JS_CFUNC_DEF("create", 1, create),
    JS_CFUNC_DEF("digest", 1, digest),
    JS_CFUNC_DEF("stretch", 5, stretch),
    JS_CFUNC_DEF("update", 2, update),
};

int amla_native_hash(JSContext *ctx, JSValueConst object)
{
    JSRuntime *rt = JS_GetRuntime(ctx);
    JS_NewClassID(rt, &hash_class);
    if (!JS_IsRegisteredClass(rt, hash_class) && JS_NewClass(rt, hash_class, &hash_class_def) < 0)
        return -1;
    return JS_SetPropertyFunctionList(ctx, object, functions, COUNT(functions));
}
