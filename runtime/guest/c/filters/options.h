/* The fields of a filter's options object. */
#ifndef AMLA_FILTER_OPTIONS_H
#define AMLA_FILTER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quickjs.h"

/* Whether the field is there and true. */
bool amla_option_flag(JSContext *ctx, JSValueConst options, const char *name);

/* The field as an integer; `absent` when it is not there. */
int64_t amla_option_integer(JSContext *ctx, JSValueConst options, const char *name, int64_t absent);

/* A copy of the field's text (a string's UTF-8, or a Uint8Array's bytes) that ends in NUL, for free(); NULL when it is
 * not there or memory ran out.  `*length` may be NULL. */
char *amla_option_text(JSContext *ctx, JSValueConst options, const char *name, size_t *length);

#endif
