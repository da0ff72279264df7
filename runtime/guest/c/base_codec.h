/*
 * Hexadecimal and base64 text on plain memory. Knows nothing of the engine.
 */
#ifndef AMLA_BASE_CODEC_H
#define AMLA_BASE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes 2 * length digits, lower case. */
void amla_hex_encode(const uint8_t *bytes, size_t length, char *out);

/* Reads pairs of digits up to the first that is not one. `out` has room for length / 2 bytes.
   Returns the bytes written. */
size_t amla_hex_decode(const char *text, size_t length, uint8_t *out);

/* Characters that amla_base64_encode writes for `length` bytes (at most 2^31). */
size_t amla_base64_encoded_size(size_t length, bool url);

/* Standard alphabet with padding, or the URL alphabet without. Returns the characters written. */
size_t amla_base64_encode(const uint8_t *bytes, size_t length, bool url, char *out);

/* Reads both alphabets, passes over characters of neither, ends at the first '='. `out` has room for
   length / 4 * 3 + 3 bytes. Returns the bytes written. */
size_t amla_base64_decode(const char *text, size_t length, uint8_t *out);

#endif
