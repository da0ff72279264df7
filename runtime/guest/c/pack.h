/* Texts in less room: for what lies in the module's image and is seldom needed.
 *
 * A packed text is a row of bits, taken from the low end of each byte: symbols of
 * Huffman codes and the extra bits that some of them have.  A symbol below 256 is a
 * byte; one above is a length, and a symbol for a distance follows: as many bytes as
 * were there so long ago.  Lengths and distances are cut into slots, two for each
 * power of two, so the extra bits say where in its slot a number is.  All texts share
 * the two codes, which are found when they are packed.
 */
#ifndef AMLA_PACK_H
#define AMLA_PACK_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t *bytes; /* malloc'ed; amla_pack replaces them */
    size_t length;  /* of the text, not of what is packed */
} AmlaPacked;

/* Pack `count` texts, once and for all; takes its time, for it belongs to the build.
 * Returns 0, or -1 without memory. */
int amla_pack(AmlaPacked *texts, size_t count);

/* Unpack a text; `to` has room for it. */
void amla_unpack(const AmlaPacked *text, uint8_t *to);

/* Clear tables that the next unpacking makes again: the image need not have them. */
void amla_unpack_rest(void);

#endif
