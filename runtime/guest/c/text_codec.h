/*
 * UTF-8 on plain memory, as the WHATWG Encoding Standard reads it. Knows nothing of the engine.
 */
#ifndef AMLA_TEXT_CODEC_H
#define AMLA_TEXT_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Length of the longest prefix without an error; `length` if the whole is well formed. */
size_t amla_utf8_valid_prefix(const uint8_t *bytes, size_t length);

/* UTF-16 code units of well-formed text. For other text, no less than amla_utf8_to_utf16 writes. */
size_t amla_utf16_size(const uint8_t *bytes, size_t length);

/* Decodes the longest prefix without an error and returns its length in bytes. */
size_t amla_utf8_to_utf16(const uint8_t *bytes, size_t length, uint16_t *out);

/* Copies bytes to `out` with each maximal ill-formed part replaced by U+FFFD. `out` has room for
   3 * length bytes. Returns the bytes written. */
size_t amla_utf8_repair(const uint8_t *bytes, size_t length, uint8_t *out);

/* Overwrites in place each surrogate that was written as three bytes (ED A0..BF xx) by U+FFFD, which
   takes three bytes too. The rest of the text must be well formed. */
void amla_utf8_replace_surrogates(uint8_t *bytes, size_t length);

/* Length of the longest prefix of bytes below 0x80. */
size_t amla_ascii_prefix(const uint8_t *bytes, size_t length);

/* Writes each byte as the code point of the same value. `out` has room for 2 * length bytes. Returns
   the bytes written. */
size_t amla_latin1_to_utf8(const uint8_t *bytes, size_t length, uint8_t *out);

/* ASCII text in lower or upper case, to `out`; false for what is not ASCII. */
bool amla_change_case(uint8_t *out, const uint8_t *text, size_t length, bool lower);

#endif
