/*
 * Bulk work on Uint8Arrays, the rest of native.bytes.
 *
 *   copy(source, sourceAt, target, targetAt, length) -> length
 *   compare(a, b) -> -1 | 0 | 1
 *   indexOf(bytes, part, from), lastIndexOf(bytes, part, from) -> number, -1 if absent
 *   fill(bytes, byteOrPattern, from, to)
 *   swap(bytes, width)                         reverses each group of 2, 4 or 8 bytes
 *
 * What is wrong throws as in native_bytes.h.
 */
#ifndef AMLA_NATIVE_BULK_H
#define AMLA_NATIVE_BULK_H

#include "quickjs.h"

/* Defines the functions on object, which the caller keeps. 0, or -1 with an exception pending. */
int amla_native_bulk(JSContext *ctx, JSValueConst object);

#endif
