#include "blocks.h"

#include "cells.h"

static AmlaFilterState state_of(const AmlaBlocks *blocks, const AmlaBuffer *out)
{
    if (blocks->held.failed || blocks->before.failed || out->failed)
        return AMLA_FILTER_MEMORY;
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

AmlaFilterState amla_blocks_feed(AmlaBlocks *blocks, const uint8_t *bytes, size_t length, AmlaBlockVisitor *visit, void *self,
                                 AmlaBuffer *out)
{
    AmlaBuffer *held = &blocks->held;
    if (held->length > 0) {
        const size_t missing = blocks->size - held->length, taken = missing < length ? missing : length;
        amla_buffer_append(held, bytes, taken);
        bytes += taken;
        length -= taken;
        if (held->length == blocks->size && !held->failed) {
            visit(self, held->data, held->length, out);
            held->length = 0;
        }
    }
    for (; length >= blocks->size; bytes += blocks->size, length -= blocks->size)
        visit(self, bytes, blocks->size, out);
    amla_buffer_append(held, bytes, length);
    return state_of(blocks, out);
}

AmlaFilterState amla_blocks_end(AmlaBlocks *blocks, AmlaBlockVisitor *visit, void *self, AmlaBuffer *out)
{
    if (blocks->held.length > 0)
        visit(self, blocks->held.data, blocks->held.length, out);
    blocks->held.length = 0;
    return state_of(blocks, out);
}

bool amla_blocks_squeezed(AmlaBlocks *blocks, const uint8_t *block, size_t length, AmlaBuffer *out)
{
    AmlaBuffer *before = &blocks->before;
    const bool squeezed = length == blocks->size && before->length == length && !memcmp(before->data, block, length);
    if (squeezed && !blocks->starred)
        amla_buffer_append(out, "*\n", 2);
    blocks->starred = squeezed;
    if (squeezed)
        return true;
    before->length = 0;
    amla_buffer_append(before, block, length);
    return false;
}

void amla_blocks_clear(AmlaBlocks *blocks)
{
    amla_buffer_clear(&blocks->held);
    amla_buffer_clear(&blocks->before);
}

void amla_put_digits(AmlaBuffer *out, uint64_t value, unsigned base, int least, bool upper)
{
    const char *const digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    char text[64];
    int at = sizeof text;
    do {
        text[--at] = digits[value % base];
        value /= base;
    } while (value && at > 0);
    while ((int)sizeof text - at < least && at > 0)
        text[--at] = '0';
    amla_buffer_append(out, text + at, sizeof text - (size_t)at);
}
