/* What `read` makes of a line. */
#ifndef AMLA_SHELL_LINE_H
#define AMLA_SHELL_LINE_H

#include "engine.h"

/* Both take the line that starts at `from` in bytes up to `to`, and give undefined, with nothing
 * done, for lines that need more: without an end, with NULs, or, unless raw, with backslashes.
 *
 * fields(variables, bytes, from, to, raw): the number of bytes taken with the newline, then all fields. */
JSValue amla_line_fields(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

/* read(variables, bytes, from, to, raw, names): gives the fields to variables, the last one the rest;
 * the number of bytes taken.  Undefined also where a variable takes more than a text. */
JSValue amla_line_read(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

#endif
