/* What the quick ways of the shell's interpreter work on. */
#ifndef AMLA_SHELL_SCOPE_H
#define AMLA_SHELL_SCOPE_H

#include "engine.h"

/* Borrowed from the arguments of a call. */
typedef struct {
    JSValueConst table;      /* a Map of variables by name */
    JSValueConst owner;      /* who may change a variable in place */
    JSValueConst positional; /* an array of texts */
} AmlaScope;

/* To be called once.  Returns 0, or -1 with an exception pending. */
int amla_scope_define(JSContext *ctx);

/* `variables` is of the class in ts/shell/run/variables.ts. */
AmlaScope amla_scope(JSValueConst variables, JSValueConst positional);

/* What IFS holds, or the usual separators where it is unset. */
JSValue amla_scope_separators(JSContext *ctx, const AmlaScope *scope);

/* Whether fields are separated by blank, tab and newline. */
bool amla_scope_splits_blanks(JSContext *ctx, const AmlaScope *scope);

#endif
