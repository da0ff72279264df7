/*
 * native.awk: the engine of awk.h.
 *
 *   create() -> handle
 *   source(handle, name | undefined, bytes), assign(handle, bytes), argument(handle, bytes)
 *   environment(handle, name, value)           bytes, both
 *   run(handle) -> state                       numbers of AmlaAwkState; throws what cannot be caught when interrupted
 *   request(handle) -> [mode, stream, text]    text: bytes of the caller's own
 *   opened(handle, reason | undefined, isFolder), feed(handle, bytes), reply(handle, status)
 *   status(handle) -> number
 *   free(handle)                               at once; any use afterwards throws
 */
#ifndef AMLA_NATIVE_AWK_H
#define AMLA_NATIVE_AWK_H

#include "quickjs.h"

/* Defines the functions on object, which the caller keeps. 0, or -1 with an exception pending. */
int amla_native_awk(JSContext *ctx, JSValueConst object);

#endif
