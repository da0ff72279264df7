/* Regular expressions for the system realm: `native.regex`. */
#ifndef AMLA_NATIVE_REGEX_H
#define AMLA_NATIVE_REGEX_H

#include "quickjs.h"

int amla_native_regex(JSContext *ctx, JSValueConst object);

#endif
