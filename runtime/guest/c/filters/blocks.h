/* Chunks to blocks of one size, of which the last may be shorter: what od, hexdump and xxd print. */
#ifndef AMLA_FILTER_BLOCKS_H
#define AMLA_FILTER_BLOCKS_H

#include "filter.h"

/* Takes a block, lent for the call. */
typedef void AmlaBlockVisitor(void *self, const uint8_t *block, size_t length, AmlaBuffer *out);

/* Zeroed but for the size, it is ready; free with amla_blocks_clear(). */
typedef struct {
    size_t size;
    AmlaBuffer held;   /* the start of a block that is not whole yet */
    AmlaBuffer before; /* squeezing: the last block that was printed */
    bool starred;      /* squeezing: a star stands for the blocks since */
} AmlaBlocks;

/* Visit each block that `bytes` completes.  Polls for interruption. */
AmlaFilterState amla_blocks_feed(AmlaBlocks *blocks, const uint8_t *bytes, size_t length, AmlaBlockVisitor *visit, void *self,
                                 AmlaBuffer *out);

/* Visit what is left, if anything is. */
AmlaFilterState amla_blocks_end(AmlaBlocks *blocks, AmlaBlockVisitor *visit, void *self, AmlaBuffer *out);

/* Whether a block is as the one before, and a star stands for it. */
bool amla_blocks_squeezed(AmlaBlocks *blocks, const uint8_t *block, size_t length, AmlaBuffer *out);

void amla_blocks_clear(AmlaBlocks *blocks);

/* `value` in a base up to 16, with at least so many digits. */
void amla_put_digits(AmlaBuffer *out, uint64_t value, unsigned base, int least, bool upper);

static inline bool amla_is_printable(uint8_t byte)
{
    return byte >= 32 && byte < 127;
}

static inline void amla_put_spaces(AmlaBuffer *out, size_t count)
{
    if (!amla_buffer_reserve(out, count))
        return;
    memset(out->data + out->length, ' ', count);
    out->length += count;
}

#endif
