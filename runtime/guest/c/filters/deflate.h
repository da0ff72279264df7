/* Blocks of DEFLATE (RFC 1951): what deflate.c finds is written by deflate_block.c. */
#ifndef AMLA_DEFLATE_H
#define AMLA_DEFLATE_H

#include "buffer.h"

/* A literal, or a match: its length, and its distance above 16 bits (0 for a literal). */
typedef uint32_t DeflateToken;

#define DEFLATE_TOKENS 32768

typedef struct {
    AmlaBuffer *out;
    uint64_t bits;
    unsigned bit_count;
} DeflateWriter;

typedef struct {
    const DeflateToken *tokens;
    size_t count;
    const uint8_t *bytes; /* what they stand for */
    size_t length;
    bool last;
} DeflateBlock;

/* Writes the block in the shortest of the three ways. */
void deflate_write_block(DeflateWriter *writer, const DeflateBlock *block);

/* Fills the last byte. */
void deflate_flush(DeflateWriter *writer);

#endif
