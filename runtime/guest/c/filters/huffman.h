/* Prefix codes of limited length, as DEFLATE has them. */
#ifndef AMLA_HUFFMAN_H
#define AMLA_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

#define AMLA_HUFFMAN_MOST 288 /* symbols */

/* The code lengths, at most `longest`, with which text of these frequencies is about shortest; 0 for symbols that do
 * not occur.  If fewer than two do, two get codes all the same. */
void amla_huffman_lengths(const uint32_t *frequencies, size_t count, int longest, uint8_t *lengths);

/* The codes of these lengths, their bits in the order in which they are written: the first is the lowest. */
void amla_huffman_codes(const uint8_t *lengths, size_t count, uint16_t *codes);

#endif
