/* Bytes in less room: for what lies in the module's image and is rarely needed.
 *
 * A packed text is a row of steps: a head byte, literal bytes, and a reference to
 * bytes that came before.  The head's upper four bits count the literals, its lower
 * four the referred bytes beyond MATCH_LEAST; 15 means that more of the count follows, in
 * bytes that are added up until one is not 255.  A reference is 16 bits, little
 * endian: how far back.  The last step ends behind its literals.
 */
#ifndef AMLA_PACK_H
#define AMLA_PACK_H

#include <stddef.h>
#include <stdint.h>

/* Pack `length` bytes; returns malloc'ed memory and its size, or NULL without memory.
 * Takes its time: it is for the build. */
uint8_t *amla_pack(const uint8_t *bytes, size_t length, size_t *packed);

/* Unpack what amla_pack made, whose original had `length` bytes; `to` has room for them. */
void amla_unpack(const uint8_t *from, uint8_t *to, size_t length);

#endif
