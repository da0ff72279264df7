/*
 * native.trace: where execution is, noted now and spelt out only when it is needed.
 *
 *   take()         a trace: an opaque value
 *   text(trace)    its lines, as in an error's stack
 *
 * Traces hold functions of a script's callers: they are for the guest's own modules.
 */
#ifndef AMLA_NATIVE_TRACE_H
#define AMLA_NATIVE_TRACE_H

#include "quickjs.h"

/* Defines the functions on object, which the caller keeps. 0, or -1 with an exception pending. */
int amla_native_trace(JSContext *ctx, JSValueConst object);

#endif
