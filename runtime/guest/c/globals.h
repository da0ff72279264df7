/* Globals that come into being when a script first names them.
 *
 * A fresh realm would pay for every global that Node has and for every tool of
 * the owner's, though a script uses few.  Instead an exotic object stands in the
 * prototype chain of the realm's global object: a name that is not found before
 * it is asked of a resolver function, and what that returns becomes an ordinary,
 * configurable property of the global object.
 */
#ifndef AMLA_GLOBALS_H
#define AMLA_GLOBALS_H

#include "engine.h"

/* Register the class with the runtime; once, at boot. */
int amla_globals_register(JSRuntime *rt);

/* A function of `ctx`: globals(resolver) puts the object in place.  The resolver
 * gets the name and returns the value, or undefined for a name it does not know. */
JSValue amla_globals_function(JSContext *ctx);

#endif
