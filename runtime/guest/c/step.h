/* The loop that the host steps, and the handlers of the system realm that it calls. */
#ifndef AMLA_STEP_H
#define AMLA_STEP_H

#include "engine.h"

/* Call the system realm's handler `name`.  `argv` (owned: freed by the call) are
 * system values; the result is adopted into `ctx`, errors are rebuilt there. */
JSValue amla_call_handler(JSContext *ctx, const char *name, int argc, JSValue *argv);

/* Define the functions of the group `host` on `object`. */
int amla_native_host(JSContext *ctx, JSValueConst object);

#endif
