/*
 * native.bytes: text encodings of Uint8Arrays, and bulk work on them.
 *
 *   utf8Encode(text) -> Uint8Array             lone surrogates become U+FFFD
 *   utf8Length(text) -> number                 bytes that utf8Encode would give
 *   utf8Decode(bytes, fatal, keepBom) -> string
 *   isUtf8(bytes), isAscii(bytes) -> boolean
 *   latin1Encode(text), utf16leEncode(text) -> Uint8Array
 *   latin1Decode(bytes), asciiDecode(bytes), utf16leDecode(bytes) -> string
 *   hexEncode(bytes), base64Encode(bytes, url) -> string
 *   hexDecode(text), base64Decode(text) -> Uint8Array
 *
 * and what native_bulk.h lists.
 *
 * Results are new values that the caller owns. A wrong type throws TypeError, a position outside the
 * array or a length that does not fit RangeError; memory exhausted throws as everywhere in the engine.
 */
#ifndef AMLA_NATIVE_BYTES_H
#define AMLA_NATIVE_BYTES_H

#include "quickjs.h"

/* Defines the functions on object, which the caller keeps. 0, or -1 with an exception pending. */
int amla_native_bytes(JSContext *ctx, JSValueConst object);

#endif
