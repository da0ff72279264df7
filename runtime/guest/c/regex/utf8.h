/* Characters in UTF-8. */
#ifndef AMLA_REGEX_UTF8_H
#define AMLA_REGEX_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character at text[0..left), left > 0, and its length in bytes; RX_RAW + byte, of length 1, where none is. */
size_t rx_decode(const uint8_t *text, size_t left, uint32_t *c);

/* Where the valid character begins that the byte at `at` belongs to, and its end; `at` itself, and the place after it,
 * for a byte of no valid character. */
size_t rx_character_around(const uint8_t *text, size_t length, size_t at, size_t *end);

#endif
