/* The shell's texts for the system realm: `native.text`. */
#ifndef AMLA_NATIVE_TEXT_H
#define AMLA_NATIVE_TEXT_H

#include "quickjs.h"

int amla_native_text(JSContext *ctx, JSValueConst object);

#endif
