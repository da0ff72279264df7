/* The global `__native` of the system realm: one object a group of C functions. */
#ifndef AMLA_NATIVES_H
#define AMLA_NATIVES_H

#include "engine.h"

/* Define `__native` in `ctx`.  Returns 0, or -1 with an exception pending. */
int amla_natives_define(JSContext *ctx);

#endif
