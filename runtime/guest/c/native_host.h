/* Natives of the group `host`: output, clocks, the end of a run. */
#ifndef AMLA_NATIVE_HOST_H
#define AMLA_NATIVE_HOST_H

#include "engine.h"

/* Define the functions of the group `host` on `object`. */
int amla_native_host(JSContext *ctx, JSValueConst object);

#endif
