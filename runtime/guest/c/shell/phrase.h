/* Words that are made of constants and values alone, expanded in one call. */
#ifndef AMLA_SHELL_PHRASE_H
#define AMLA_SHELL_PHRASE_H

#include "engine.h"

/* Returns 0, or -1 with an exception pending. */
int amla_phrase_define(JSRuntime *rt);

/* phrase(pieces): a handle; pairs of a kind as in phrase.ts and a text or number. */
JSValue amla_phrase_create(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

/* words(phrase, variables, positional): an array of the fields, or undefined where the
 * words have to be expanded in the usual way. */
JSValue amla_phrase_words(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

/* text(phrase, variables, positional): the same of one word that is not split. */
JSValue amla_phrase_text(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

/* put(phrase, variables, positional, name): gives a variable the text; false, with nothing done,
 * where it takes more than that. */
JSValue amla_phrase_put(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

#endif
