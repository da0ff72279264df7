/* Expressions as instructions (arithmetic.h), over variables. */
#ifndef AMLA_SHELL_PROGRAM_H
#define AMLA_SHELL_PROGRAM_H

#include "engine.h"

/* Returns 0, or -1 with an exception pending. */
int amla_program_define(JSRuntime *rt);

/* program(code, constants, places, uses, split): a handle; code in pairs of operation and
 * argument, places as names of variables and numbers of parameters, uses as in program.ts. */
JSValue amla_program_create(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

/* run(program, variables, positional): the value, or undefined where the expression has
 * to be evaluated in the usual way. */
JSValue amla_program_run(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

#endif
