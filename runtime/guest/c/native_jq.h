/*
 * native.jq: jq over text that is all there.
 *
 *   run(program, input) -> [status, output, errors]    jq's defaults; output and errors are strings
 *
 * The streaming filter behind it is jq_filter.h.
 */
#ifndef AMLA_NATIVE_JQ_H
#define AMLA_NATIVE_JQ_H

#include "quickjs.h"

/* Defines the functions on object, which the caller keeps. 0, or -1 with an exception pending. */
int amla_native_jq(JSContext *ctx, JSValueConst object);

#endif
