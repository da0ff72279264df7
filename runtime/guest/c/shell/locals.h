/* Names that are local to functions, over the lists of ts/shell/run/locals.ts. */
#ifndef AMLA_SHELL_LOCALS_H
#define AMLA_SHELL_LOCALS_H

#include "engine.h"

/* To be called once.  Returns 0, or -1 with an exception pending. */
int amla_locals_define(JSContext *ctx);

/* local(variables, name, text): makes the name local to the innermost call, with a text;
 * false, with nothing done, where it takes more than that. */
JSValue amla_locals_add(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

/* leave(variables, depth): ends the calls from that depth on, and gives back what their
 * names hid, the last first; whether there were any names. */
JSValue amla_locals_leave(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

#endif
