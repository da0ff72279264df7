/* Realms: JavaScript worlds of their own inside one runtime.
 *
 * The system realm holds what the guest is made of; an agent's script runs in a
 * user realm that is thrown away after the run.  System functions reach a user
 * realm only wrapped: a function of that realm which calls the system function,
 * copies what it returns and rebuilds what it throws, so that `instanceof` and
 * patched prototypes on either side mean nothing on the other.
 */
#ifndef AMLA_REALM_H
#define AMLA_REALM_H

#include "engine.h"

/* The system realm's context; set once at boot. */
extern JSContext *amla_system;

/* Define the functions of the group `realm` on `object` (system realm). */
int amla_native_realm(JSContext *ctx, JSValueConst object);

/* The user context behind a realm object of the system realm, or NULL with a
 * TypeError pending. */
JSContext *amla_realm_context(JSContext *ctx, JSValueConst realm);

#endif
