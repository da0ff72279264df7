#include "keep.h"

#include <stdlib.h>
#include <string.h>

#include "bytes_view.h"
#include "cells.h"
#include "filters/native_text.h"

#define RECORD 32 /* bytes of a record before its name */

typedef struct {
    uint8_t *at;
    size_t length, room;
} Buffer;

/* The list that is being made, and the two that are published by turns. */
static Buffer table, extents;
static AmlaKept kept[2];
static unsigned current;

static uint8_t *extend(Buffer *buffer, size_t more)
{
    size_t needed = buffer->length + more;
    if (needed > buffer->room) {
        size_t room = needed > 2 * buffer->room ? needed + 1024 : 2 * buffer->room;
        uint8_t *grown = realloc(buffer->at, room);
        if (!grown)
            return NULL;
        buffer->at = grown;
        buffer->room = room;
    }
    uint8_t *end = buffer->at + buffer->length;
    buffer->length = needed;
    return end;
}

static uint32_t address(const void *memory)
{
    return (uint32_t)(uintptr_t)memory;
}

static int append_record(const uint32_t numbers[4], double mtime, const void *name, size_t length, const void *target,
                         size_t size, size_t inside)
{
    uint8_t *record = extend(&table, RECORD + length + inside);
    if (!record)
        return -1;
    const uint32_t sizes[2] = { (uint32_t)size, (uint32_t)length };
    memcpy(record, numbers, 16);
    memcpy(record + 16, &mtime, 8);
    memcpy(record + 24, sizes, 8);
    memcpy(record + RECORD, name, length);
    if (inside)
        memcpy(record + RECORD + length, target, inside);
    return 0;
}

static int append_extent(const AmlaBytes *bytes)
{
    const AmlaExtent extent = { address(bytes->data), (uint32_t)bytes->length };
    uint8_t *at = extend(&extents, sizeof extent);
    if (!at)
        return -1;
    memcpy(at, &extent, sizeof extent);
    return 0;
}

/* begin(): start a new list. */
static JSValue keep_begin(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)ctx, (void)this_value, (void)argc, (void)argv;
    table.length = extents.length = 0;
    return JS_UNDEFINED;
}

static int read_numbers(JSContext *ctx, JSValueConst *argv, uint32_t numbers[4], double *mtime)
{
    for (int i = 0; i < 4; i++)
        if (JS_ToUint32(ctx, &numbers[i], argv[i]))
            return -1;
    return JS_ToFloat64(ctx, mtime, argv[4]);
}

/* add(parent, mode, uid, link, mtime, name, content, size): content is a symbolic link's
 * target as a string, a Uint8Array that begins with a file's `size` bytes, or undefined. */
static JSValue keep_add(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    uint32_t numbers[4];
    double mtime;
    AmlaBytes bytes = { NULL, 0 };
    uint32_t size = 0;
    size_t length, inside = 0;
    bool is_link = JS_IsString(argv[6]), is_file = JS_IsObject(argv[6]);
    if (read_numbers(ctx, argv, numbers, &mtime) || JS_ToUint32(ctx, &size, argv[7]) ||
        (is_file && !amla_bytes_borrow(ctx, argv[6], &bytes)))
        return JS_EXCEPTION;
    if (bytes.length > size)
        bytes.length = size;
    uint8_t *name = amla_text_encode(ctx, argv[5], &length);
    uint8_t *target = is_link ? amla_text_encode(ctx, argv[6], &inside) : NULL;
    int failed = !name || (is_link && !target);
    if (!failed && (append_record(numbers, mtime, name, length, target, is_link ? inside : bytes.length, inside) ||
                    (is_file && append_extent(&bytes)))) {
        failed = 1;
        JS_ThrowOutOfMemory(ctx);
    }
    js_free(ctx, target);
    js_free(ctx, name);
    return failed ? JS_EXCEPTION : JS_UNDEFINED;
}

static void forget(AmlaKept *old)
{
    free((void *)(uintptr_t)old->table);
    free((void *)(uintptr_t)old->extents);
    memset(old, 0, sizeof *old);
}

/* publish(): from here on the new list is what the host finds. */
static JSValue keep_publish(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)ctx, (void)this_value, (void)argc, (void)argv;
    AmlaKept *next = &kept[!current];
    *next = (AmlaKept){ address(table.at), (uint32_t)table.length, address(extents.at),
                        (uint32_t)(extents.length / sizeof(AmlaExtent)) };
    __atomic_store_n(&amla_cells.kept, address(next), __ATOMIC_SEQ_CST);
    table = extents = (Buffer){ NULL, 0, 0 };
    forget(&kept[current]);
    current = !current;
    return JS_UNDEFINED;
}

/* drop(): the files change, and no list is true any more. */
static JSValue keep_drop(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)ctx, (void)this_value, (void)argc, (void)argv;
    __atomic_store_n(&amla_cells.kept, 0, __ATOMIC_SEQ_CST);
    forget(&kept[current]);
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("begin", 0, keep_begin),
    JS_CFUNC_DEF("add", 8, keep_add),
    JS_CFUNC_DEF("publish", 0, keep_publish),
    JS_CFUNC_DEF("drop", 0, keep_drop),
};

int amla_native_keep(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
