/* The modules that come with the guest, and ES modules of the script.
 *
 * The build hands over an archive of sources; each module is compiled once, kept
 * as bytecode, and instantiated in a user realm when that realm first asks for
 * it.  What a script imports from its own files goes through the system realm's
 * handlers `resolve` and `load` (see step.h).
 */
#ifndef AMLA_MODULES_H
#define AMLA_MODULES_H

#include "engine.h"

/* Compile all modules of the archive (borrowed: only read during the call).
 * The source named `system` is evaluated in `ctx`.  Returns 0, or -1 with an
 * exception pending or, for a malformed archive, without one. */
int amla_modules_boot(JSContext *ctx, const uint8_t *archive, size_t length);

/* Run the module called `name` (a string) in `ctx`, with a function to require others
 * or undefined; returns its exports. */
JSValue amla_module_exports(JSContext *ctx, JSValueConst name, JSValueConst require);

/* A function of `ctx`: load(name) -> the module's factory
 * function(exports, require, module), or undefined when there is none. */
JSValue amla_module_loader(JSContext *ctx);

/* Names of all modules that came with the guest, as a new array. */
JSValue amla_module_names(JSContext *ctx);

/* Let `import` in scripts of this runtime find modules. */
void amla_modules_register(JSRuntime *rt);

#endif
