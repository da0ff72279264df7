/*
 * native.random: bytes from the generator that the host seeds at the start of a run.
 *
 *   fill(bytes)    overwrites a Uint8Array
 */
#ifndef AMLA_NATIVE_RANDOM_H
#define AMLA_NATIVE_RANDOM_H

#include "quickjs.h"

/* Defines the functions on object, which the caller keeps. 0, or -1 with an exception pending. */
int amla_native_random(JSContext *ctx, JSValueConst object);

#endif
