/* Checksums of one file after the other: CRC of POSIX cksum, and the sums of System V and BSD.
 *
 * Options: kind ("crc", "sysv" or "bsd").  configure() starts a file anew.
 * Report: [checksum, bytes].
 */
#include <stdlib.h>

#include "cells.h"
#include "filter.h"
#include "options.h"

typedef enum { SUM_CRC, SUM_SYSV, SUM_BSD } SumKind;

typedef struct {
    SumKind kind;
    uint32_t value;
    uint64_t bytes;
    uint32_t table[256]; /* of the CRC */
} Sum;

static void fill_table(uint32_t table[256])
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte << 24;
        for (int bit = 0; bit < 8; bit++)
            rest = rest << 1 ^ (rest >> 31 ? 0x04c11db7u : 0);
        table[byte] = rest;
    }
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Sum *sum = self;
    char *kind = amla_option_text(ctx, options, "kind", NULL);
    sum->kind = kind && !strcmp(kind, "sysv") ? SUM_SYSV : kind && !strcmp(kind, "bsd") ? SUM_BSD : SUM_CRC;
    free(kind);
    fill_table(sum->table);
    return 0;
}

static int configure(JSContext *ctx, void *self, JSValueConst options)
{
    (void)ctx, (void)options;
    Sum *sum = self;
    sum->value = 0;
    sum->bytes = 0;
    return 0;
}

static uint32_t add_crc(const Sum *sum, uint32_t value, uint8_t byte)
{
    return value << 8 ^ sum->table[(value >> 24 ^ byte) & 0xff];
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    (void)out;
    Sum *sum = self;
    uint32_t value = sum->value;
    sum->bytes += length;
    for (size_t i = 0; sum->kind == SUM_CRC && i < length; i++)
        value = add_crc(sum, value, bytes[i]);
    for (size_t i = 0; sum->kind == SUM_SYSV && i < length; i++)
        value += bytes[i];
    for (size_t i = 0; sum->kind == SUM_BSD && i < length; i++)
        value = ((value >> 1 | value << 15) + bytes[i]) & 0xffff;
    sum->value = value;
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files, (void)out;
    Sum *sum = self;
    if (sum->kind == SUM_SYSV) {
        const uint32_t folded = (sum->value & 0xffff) + (sum->value >> 16);
        sum->value = (folded & 0xffff) + (folded >> 16);
    }
    if (sum->kind == SUM_CRC) {
        for (uint64_t left = sum->bytes; left; left >>= 8)
            sum->value = add_crc(sum, sum->value, (uint8_t)left);
        sum->value = ~sum->value;
    }
    return AMLA_FILTER_MORE;
}

static JSValue report(JSContext *ctx, void *self)
{
    const Sum *sum = self;
    JSValue array = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, array, 0, JS_NewInt64(ctx, sum->value));
    JS_SetPropertyUint32(ctx, array, 1, JS_NewInt64(ctx, (int64_t)sum->bytes));
    return array;
}

const AmlaFilterType amla_filter_sums = {
    .name = "sums",
    .size = sizeof(Sum),
    .create = create,
    .configure = configure,
    .feed = feed,
    .end = end,
    .report = report,
};
