/* What lies on either side of a place in the text, as far as conditions on places ask. */
#ifndef AMLA_REGEX_SIDES_H
#define AMLA_REGEX_SIDES_H

#include "program.h"

typedef enum {
    RX_EDGE,      /* nothing: the text begins or ends here */
    RX_LINE,      /* the end of a line */
    RX_OTHER,     /* a character that is no part of words, or no character */
    RX_WORDLIKE,  /* a character of a word */
    RX_MID_OTHER, /* the same two, of bytes that are not the first of their character */
    RX_MID_WORDLIKE,
    RX_SIDES,
    RX_NOWHERE = RX_SIDES, /* where no condition holds */
    RX_ANYWHERE            /* where all do */
} RxSide;

typedef struct {
    uint8_t of[256];    /* RxSide of a byte; RX_SIDES where the character must be looked at */
    const RxSet *words; /* characters of words */
} RxSides;

typedef struct {
    const uint8_t *bytes;
    size_t length;
} RxText;

/* `words` is borrowed; NULL: words are of ASCII letters, digits and underscores. */
void rx_sides_init(RxSides *sides, const RxSet *words, uint8_t line_end);

/* The side that the byte at `at` is, seen from its neighbours; RX_EDGE outside the text. */
RxSide rx_side(const RxSides *sides, RxText text, size_t at);

bool rx_assert_holds(RxAssert kind, RxSide left, RxSide right);

#endif
