/* The loop that the host steps, and the handlers of the system realm that it calls. */
#ifndef AMLA_STEP_H
#define AMLA_STEP_H

#include "engine.h"

/* Call the system realm's handler `name`.  `argv` (owned: freed by the call) are
 * system values; the result is adopted into `ctx`, errors are rebuilt there. */
JSValue amla_call_handler(JSContext *ctx, const char *name, int argc, JSValue *argv);

/* The object whose methods are the handlers; kept. */
void amla_set_handlers(JSContext *ctx, JSValueConst object);

/* Stand still until input frames have come, and take them; false when the host wants
 * the run to end instead. */
bool amla_await_input(void);

/* Whether the engine may interrupt the system realm's own code, as it does a script's.  What
 * answers the host, and what changes files (`amla_spare`), has to end what it began.  Returns
 * what was so before. */
bool amla_expose(bool wanted);

/* Leave code that is exposed alone for so many calls and turns of loops; false, and nothing
 * changes, where the host wants the run to end. */
bool amla_spare(int32_t polls);

/* Work on so many bytes at once begins: where code is exposed, the host's wish is looked at now, and again the sooner. */
void amla_strain(size_t bytes);

/* A part of something large was put away: what the host may wish meanwhile is heard, and done next. */
void amla_put_away(JSRuntime *rt);

/* The run ends as soon as the code that runs now has been left. */
void amla_leave(void);

#endif
