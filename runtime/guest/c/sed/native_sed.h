/*
 * native.sed: the engine of sed.h.
 *
 *   create(options) -> handle                 flags of AmlaSedOptions by name, width
 *   source(handle, name | undefined, bytes)
 *   run(handle) -> state                      numbers of AmlaSedState
 *   request(handle) -> [stream, text]         text: bytes of the caller's own
 *   opened(handle, name | undefined), feed(handle, bytes)
 *   status(handle), unused(handle) -> number; fault(handle) -> string
 *   free(handle)                              at once; any use afterwards throws
 */
#ifndef AMLA_NATIVE_SED_H
#define AMLA_NATIVE_SED_H

#include "quickjs.h"

/* Defines the functions on object, which the caller keeps. 0, or -1 with an exception pending. */
int amla_native_sed(JSContext *ctx, JSValueConst object);

#endif
