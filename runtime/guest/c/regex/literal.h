/* Strings that every match contains: they are found much faster than a DFA runs. */
#ifndef AMLA_REGEX_LITERAL_H
#define AMLA_REGEX_LITERAL_H

#include "tree.h"

enum { RX_LITERAL_MAX = 64 };

typedef struct {
    uint8_t bytes[RX_LITERAL_MAX];
    uint8_t masks[RX_LITERAL_MAX]; /* 0x20 where either case of a letter will do, else 0; `bytes` has it set */
    size_t length;                 /* 0: there is no such string */
    size_t rare, rarest;           /* two places in it, of bytes that texts seldom have */
    bool whole;                    /* matches are this string and nothing else */
} RxLiteral;

void rx_literal_init(RxLiteral *literal, const RxNode *tree, bool bytes);

/* The first place in text[from .. length) where it is; SIZE_MAX if there is none, or if *interrupted was set. */
size_t rx_literal_find(const RxLiteral *literal, const uint8_t *text, size_t length, size_t from, bool *interrupted);

#endif
