/* Class checks and looks inside values that run no script code (group `types`). */
#ifndef AMLA_NATIVE_TYPES_H
#define AMLA_NATIVE_TYPES_H

#include "engine.h"

int amla_native_types(JSContext *ctx, JSValueConst object);

#endif
