/*
 * native.diff: the comparison of diff.h.
 *
 *   compare(left, right, flags, horizon) -> { changes, left, right }
 *     changes: [firstLeft, countLeft, firstRight, countRight, …] of lines, from 0
 *     left, right: where lines begin, and the length
 *   undefined when the host interrupts.
 */
#ifndef AMLA_NATIVE_DIFF_H
#define AMLA_NATIVE_DIFF_H

#include "quickjs.h"

/* Defines the functions on object, which the caller keeps. 0, or -1 with an exception pending. */
int amla_native_diff(JSContext *ctx, JSValueConst object);

#endif
