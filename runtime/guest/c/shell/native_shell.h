/* native.shell: quick ways of the shell's interpreter (ts/bridge/native/shell.ts). */
#ifndef AMLA_NATIVE_SHELL_H
#define AMLA_NATIVE_SHELL_H

#include "engine.h"

/* Give `object` the functions.  Returns 0, or -1 with an exception pending. */
int amla_native_shell(JSContext *ctx, JSValueConst object);

#endif
