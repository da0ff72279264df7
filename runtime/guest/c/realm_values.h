/* What a realm runs and holds: scripts and lines compiled in it, and its values looked at, made and copied
 * (the rest of the group `realm`; realm.c has a realm's life). */
#ifndef AMLA_REALM_VALUES_H
#define AMLA_REALM_VALUES_H

#include "engine.h"

/* Define its functions on `object` (system realm). */
int amla_native_realm_values(JSContext *ctx, JSValueConst object);

#endif
