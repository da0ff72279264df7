/* Decompression of one stream of DEFLATE (RFC 1951).
 *
 * Options: none.  DONE once the stream's last block is over.
 * Report: unused (bytes of the input behind the stream), crc (of the output, CRC-32), size (of the output).
 * Faults: the stream is broken, or ends before its end.
 *
 * The decoder works on what is held of the input while that is enough for any one step; only at the end of the input
 * does it go on to the last bit.
 */
#include <stdlib.h>

#include "cells.h"
#include "crc.h"
#include "filter.h"
#include "huffman.h"

#define WINDOW 32768u
#define LOOKED_AHEAD 1024 /* bytes: more than a block's header or a match can take */
#define LONGEST_CODE 15
#define SYMBOLS 320
#define QUICK 10 /* bits */

/* A code: how many codes there are of each length, and the symbols in the order of their codes; for each value of the
 * next QUICK bits, the symbol that they begin with and its length (below 4 bits), or 0 when its code is longer. */
typedef struct {
    uint16_t quick[1 << QUICK];
    uint16_t count[LONGEST_CODE + 1];
    uint16_t symbol[SYMBOLS];
} Code;

typedef enum { BLOCK_HEADER, STORED, CODED, OVER } Phase;

typedef struct {
    AmlaBuffer held;
    size_t at;     /* bytes of it that are in `bits` or used */
    uint64_t bits; /* the next ones, the first lowest */
    unsigned bit_count;
    bool ending, short_of; /* no input comes any more; more was wanted than there is */
    Phase phase;
    bool last;      /* block */
    size_t stored;  /* bytes left of a stored block */
    Code literals, distances;
    uint8_t *window; /* the output's last bytes, at size % WINDOW */
    uint64_t size;
    uint32_t crc;
    const char *fault;
} Inflate;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Inflate *inflate = self;
    (void)options;
    inflate->window = malloc(WINDOW);
    if (inflate->window)
        return 0;
    JS_ThrowOutOfMemory(ctx);
    return -1;
}

static void destroy(void *self)
{
    Inflate *inflate = self;
    amla_buffer_clear(&inflate->held);
    free(inflate->window);
}

/* --- bits ------------------------------------------------------------------------------------ */

static void refill(Inflate *inflate)
{
    while (inflate->bit_count <= 56 && inflate->at < inflate->held.length) {
        inflate->bits |= (uint64_t)inflate->held.data[inflate->at++] << inflate->bit_count;
        inflate->bit_count += 8;
    }
}

static uint32_t take(Inflate *inflate, unsigned count)
{
    if (inflate->bit_count < count)
        refill(inflate);
    if (inflate->bit_count < count) {
        inflate->short_of = true;
        inflate->bit_count = 0;
        return 0;
    }
    const uint32_t value = (uint32_t)(inflate->bits & ((1ull << count) - 1));
    inflate->bits >>= count;
    inflate->bit_count -= count;
    return value;
}

/* Bytes that are whole in `bits` go back. */
static void align(Inflate *inflate)
{
    inflate->at -= inflate->bit_count / 8;
    inflate->bits = 0;
    inflate->bit_count = 0;
}

/* --- codes ------------------------------------------------------------------------------------- */

static void fill_quick(Code *code, const uint8_t *lengths, size_t count)
{
    uint16_t codes[SYMBOLS];
    amla_huffman_codes(lengths, count, codes);
    memset(code->quick, 0, sizeof code->quick);
    for (size_t i = 0; i < count; i++)
        for (size_t at = codes[i]; lengths[i] && lengths[i] <= QUICK && at < 1 << QUICK; at += 1u << lengths[i])
            code->quick[at] = (uint16_t)(i << 4 | lengths[i]);
}

/* False when the lengths make no code. */
static bool build(Code *code, const uint8_t *lengths, size_t count, bool may_be_incomplete)
{
    uint16_t offsets[LONGEST_CODE + 1] = { 0 };
    int left = 1;
    memset(code->count, 0, sizeof code->count);
    for (size_t i = 0; i < count; i++)
        code->count[lengths[i]]++;
    code->count[0] = 0;
    for (int length = 1; length <= LONGEST_CODE; length++) {
        left = 2 * left - code->count[length];
        if (left < 0)
            return false;
        if (length < LONGEST_CODE)
            offsets[length + 1] = (uint16_t)(offsets[length] + code->count[length]);
    }
    for (size_t i = 0; i < count; i++)
        if (lengths[i])
            code->symbol[offsets[lengths[i]]++] = (uint16_t)i;
    fill_quick(code, lengths, count);
    return left == 0 || may_be_incomplete;
}

/* The next symbol, or -1 when the bits are no code. */
static int decode(Inflate *inflate, const Code *code)
{
    int value = 0, first = 0, index = 0;
    if (inflate->bit_count < LONGEST_CODE)
        refill(inflate);
    const uint16_t quick = code->quick[inflate->bits & ((1 << QUICK) - 1)];
    if (quick && (quick & 15u) <= inflate->bit_count) {
        inflate->bits >>= quick & 15;
        inflate->bit_count -= quick & 15;
        return quick >> 4;
    }
    uint64_t bits = inflate->bits;
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        value |= (int)(bits & 1);
        bits >>= 1;
        const int count = code->count[length];
        if (value - count < first) {
            take(inflate, length);
            return code->symbol[index + (value - first)];
        }
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    if (inflate->bit_count < LONGEST_CODE)
        inflate->short_of = true;
    return -1;
}

static bool fixed_codes(Inflate *inflate)
{
    uint8_t lengths[288];
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    build(&inflate->literals, lengths, 288, true);
    memset(lengths, 5, 30);
    return build(&inflate->distances, lengths, 30, true);
}

static bool read_lengths(Inflate *inflate, uint8_t *lengths, size_t total)
{
    for (size_t i = 0; i < total;) {
        const int symbol = decode(inflate, &inflate->literals);
        if (symbol < 0)
            return false;
        if (symbol < 16) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16 && i == 0)
            return false;
        const uint8_t value = symbol == 16 ? lengths[i - 1] : 0;
        size_t repeat = symbol == 16 ? 3 + take(inflate, 2) : symbol == 17 ? 3 + take(inflate, 3) : 11 + take(inflate, 7);
        if (repeat > total - i)
            return false;
        while (repeat-- > 0)
            lengths[i++] = value;
    }
    return true;
}

static bool dynamic_codes(Inflate *inflate)
{
    static const uint8_t order[19] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
    uint8_t lengths[SYMBOLS] = { 0 };
    const size_t literals = take(inflate, 5) + 257, distances = take(inflate, 5) + 1, codes = take(inflate, 4) + 4;
    if (literals > 286 || distances > 30)
        return false;
    for (size_t i = 0; i < codes; i++)
        lengths[order[i]] = (uint8_t)take(inflate, 3);
    if (!build(&inflate->literals, lengths, 19, false))
        return false;
    memset(lengths, 0, sizeof lengths);
    if (!read_lengths(inflate, lengths, literals + distances) || lengths[256] == 0)
        return false;
    const bool lone = true; /* one code alone is as complete as it can be */
    return build(&inflate->distances, lengths + literals, distances, lone) && build(&inflate->literals, lengths, literals, lone);
}

/* --- blocks -------------------------------------------------------------------------------------- */

static bool broken(Inflate *inflate)
{
    inflate->fault = inflate->short_of ? "unexpected end of file" : "invalid compressed data--format violated";
    return false;
}

static bool begin_block(Inflate *inflate)
{
    inflate->last = take(inflate, 1);
    const uint32_t kind = take(inflate, 2);
    bool fine = kind != 3;
    if (kind == 0) {
        align(inflate);
        const uint32_t length = take(inflate, 16), check = take(inflate, 16);
        align(inflate);
        fine = length == (check ^ 0xffff);
        inflate->stored = length;
        inflate->phase = STORED;
    } else if (fine) {
        fine = kind == 1 ? fixed_codes(inflate) : dynamic_codes(inflate);
        inflate->phase = CODED;
    }
    return (fine && !inflate->short_of) || broken(inflate);
}

static void put(Inflate *inflate, AmlaBuffer *out, uint8_t byte)
{
    inflate->window[inflate->size++ % WINDOW] = byte;
    amla_buffer_put(out, byte);
}

static void copy_stored(Inflate *inflate, AmlaBuffer *out)
{
    const size_t there = inflate->held.length - inflate->at;
    size_t count = inflate->stored < there ? inflate->stored : there;
    inflate->stored -= count;
    while (count-- > 0)
        put(inflate, out, inflate->held.data[inflate->at++]);
    if (inflate->stored == 0)
        inflate->phase = inflate->last ? OVER : BLOCK_HEADER;
}

static bool copy_match(Inflate *inflate, AmlaBuffer *out, int symbol)
{
    static const uint16_t bases[] = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258 };
    static const uint8_t extras[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };
    static const uint16_t starts[] = { 1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577 };
    if (symbol > 28)
        return broken(inflate);
    unsigned length = bases[symbol] + take(inflate, extras[symbol]);
    const int far = decode(inflate, &inflate->distances);
    if (far < 0 || far > 29)
        return broken(inflate);
    const unsigned distance = starts[far] + take(inflate, far < 4 ? 0 : (unsigned)far / 2 - 1);
    if (distance > inflate->size || inflate->short_of)
        return broken(inflate);
    while (length-- > 0)
        put(inflate, out, inflate->window[(inflate->size - distance) % WINDOW]);
    return true;
}

static bool decode_one(Inflate *inflate, AmlaBuffer *out)
{
    const int symbol = decode(inflate, &inflate->literals);
    if (symbol < 0 || inflate->short_of)
        return broken(inflate);
    if (symbol < 256)
        put(inflate, out, (uint8_t)symbol);
    else if (symbol == 256)
        inflate->phase = inflate->last ? OVER : BLOCK_HEADER;
    else
        return copy_match(inflate, out, symbol - 257);
    return true;
}

static bool step(Inflate *inflate, AmlaBuffer *out)
{
    switch (inflate->phase) {
    case BLOCK_HEADER: return begin_block(inflate);
    case STORED:
        if (inflate->stored > 0 && inflate->at == inflate->held.length) {
            inflate->short_of = true;
            return broken(inflate);
        }
        copy_stored(inflate, out);
        return true;
    default: return decode_one(inflate, out);
    }
}

static AmlaFilterState run(Inflate *inflate, AmlaBuffer *out)
{
    AmlaFilterState state = AMLA_FILTER_MORE;
    unsigned steps = 0;
    const size_t before = out->length;
    while (inflate->phase != OVER) {
        const size_t there = inflate->held.length - inflate->at;
        if (!inflate->ending && there < LOOKED_AHEAD && !(inflate->phase == STORED && there > 0))
            break;
        if (out->length >= AMLA_FILTER_CHUNK) {
            state = AMLA_FILTER_FULL;
            break;
        }
        if (!step(inflate, out))
            return AMLA_FILTER_FAULT;
        if ((++steps & 65535) == 0 && amla_interrupted())
            return AMLA_FILTER_INTERRUPTED;
    }
    inflate->crc = amla_crc32(inflate->crc, out->data + before, out->length - before);
    if (inflate->phase != OVER)
        return state;
    align(inflate);
    return AMLA_FILTER_DONE;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Inflate *inflate = self;
    amla_buffer_consume(&inflate->held, inflate->at);
    inflate->at = 0;
    amla_buffer_append(&inflate->held, bytes, length);
    return inflate->held.failed ? AMLA_FILTER_MEMORY : run(inflate, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    Inflate *inflate = self;
    (void)more_files;
    inflate->ending = true;
    const AmlaFilterState state = run(inflate, out);
    return state == AMLA_FILTER_DONE ? AMLA_FILTER_MORE : state;
}

static JSValue report(JSContext *ctx, void *self)
{
    const Inflate *inflate = self;
    JSValue object = JS_NewObject(ctx);
    JS_SetPropertyStr(ctx, object, "done", JS_NewBool(ctx, inflate->phase == OVER));
    JS_SetPropertyStr(ctx, object, "unused", JS_NewInt64(ctx, (int64_t)(inflate->held.length - inflate->at)));
    JS_SetPropertyStr(ctx, object, "crc", JS_NewUint32(ctx, inflate->crc));
    JS_SetPropertyStr(ctx, object, "size", JS_NewInt64(ctx, (int64_t)inflate->size));
    return object;
}

static const char *fault(void *self)
{
    return ((Inflate *)self)->fault;
}

const AmlaFilterType amla_filter_inflate = {
    .name = "inflate",
    .size = sizeof(Inflate),
    .create = create,
    .feed = feed,
    .end = end,
    .report = report,
    .fault = fault,
    .destroy = destroy,
};
