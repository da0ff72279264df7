/* The shell's texts for the system realm: `native.text`. */
#ifndef AMLA_NATIVE_TEXT_H
#define AMLA_NATIVE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "quickjs.h"

/* Bytes as a text of the shell's. */
JSValue amla_text_decode(JSContext *ctx, const uint8_t *bytes, size_t length);

/* The text with each character whole whose bytes have come together in it.  Takes the text. */
JSValue amla_text_whole(JSContext *ctx, JSValue text);

/* The bytes of a text of the shell's, for js_free; NULL with an exception pending. */
uint8_t *amla_text_encode(JSContext *ctx, JSValueConst text, size_t *length);

int amla_native_text(JSContext *ctx, JSValueConst object);

#endif
