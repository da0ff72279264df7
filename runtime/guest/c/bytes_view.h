/*
 * Uint8Array arguments and results of native functions.
 *
 * A view is borrowed memory: any call that may run script code (ToString, ToNumber, a callback) can
 * detach, shrink or move the buffer behind it. So a native converts its other arguments first, takes
 * its views last, and runs no script code while it uses them.
 */
#ifndef AMLA_BYTES_VIEW_H
#define AMLA_BYTES_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quickjs.h"

/* Engine strings and arrays end below 2^31. */
#define AMLA_LENGTH_MAX ((size_t)INT32_MAX)

typedef struct {
    uint8_t *data; /* borrowed; never NULL in a view that was taken, even if length is 0 */
    size_t length; /* bytes that are really there now */
} AmlaBytes;

/* Borrows the bytes of a Uint8Array or Uint8ClampedArray: none if its buffer is detached or too short by
   now. Runs no script code. False with a TypeError pending if value is anything else. */
bool amla_bytes_borrow(JSContext *ctx, JSValueConst value, AmlaBytes *view);

/* A new Uint8Array over `data`, which came from js_malloc and is owned by the result from here on:
   it is freed when this fails. Returns JS_EXCEPTION on failure; NULL data counts as one that already
   has its exception pending. */
JSValue amla_bytes_adopt(JSContext *ctx, uint8_t *data, size_t length);

/* js_malloc for a result of `length` bytes, also when length is 0. NULL with an exception pending. */
uint8_t *amla_bytes_alloc(JSContext *ctx, size_t length);

/* Reads an offset or length: an integer in 0..limit, undefined meaning `absent`. Other numbers throw
   a RangeError that names the argument. May run script code (valueOf). */
bool amla_bytes_index(JSContext *ctx, JSValueConst value, const char *name, size_t absent, size_t limit, size_t *out);

#endif
