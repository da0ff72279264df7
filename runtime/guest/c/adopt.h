/* Values that cross from the system realm into a user realm. */
#ifndef AMLA_ADOPT_H
#define AMLA_ADOPT_H

#include "engine.h"

/* `value` of the system realm as a value of `ctx`: primitives as they are, plain
 * objects, arrays, Uint8Array and ArrayBuffer copied, functions wrapped, errors
 * rebuilt; everything else is handed through.  Returns a new value or JS_EXCEPTION. */
JSValue amla_adopt(JSContext *ctx, JSValueConst value);

#endif
