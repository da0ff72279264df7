/*
 * native.hash: message digests.
 *
 *   create(algorithm) -> handle | undefined    "md5", "sha1", "sha224", "sha256", "sha384", "sha512"
 *   update(handle, bytes)
 *   digest(handle) -> Uint8Array               leaves the handle as it was: more updates may follow
 *   copy(handle) -> handle
 *   blockSize(handle) -> number                bytes, as HMAC needs it
 *   stretch(inner, outer, block, sum, rounds)  rounds of PBKDF2: block = HMAC(block); sum ^= block
 *
 * A handle is an opaque object of its own class, freed by the garbage collector. `inner` and `outer` are
 * handles that were fed the two padded keys of an HMAC; they are not changed. `block` and `sum` are
 * Uint8Arrays of one digest. A wrong type throws TypeError, a wrong length RangeError.
 */
#ifndef AMLA_NATIVE_HASH_H
#define AMLA_NATIVE_HASH_H

#include "quickjs.h"

/* Defines the functions on object, which the caller keeps. 0, or -1 with an exception pending. */
int amla_native_hash(JSContext *ctx, JSValueConst object);

#endif
