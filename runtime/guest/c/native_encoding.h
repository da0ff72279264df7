/* Arguments of tool calls as JSON (group `encoding`).
 *
 * Unlike JSON.stringify nothing is dropped in silence: what JSON cannot carry is
 * an error that names the place and says what to write instead.
 */
#ifndef AMLA_NATIVE_ENCODING_H
#define AMLA_NATIVE_ENCODING_H

#include "engine.h"

int amla_native_encoding(JSContext *ctx, JSValueConst object);

#endif
