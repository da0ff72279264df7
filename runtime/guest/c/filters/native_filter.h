/* Filters for the system realm: `native.filter`. */
#ifndef AMLA_NATIVE_FILTER_H
#define AMLA_NATIVE_FILTER_H

#include "quickjs.h"

int amla_native_filter(JSContext *ctx, JSValueConst object);

#endif
