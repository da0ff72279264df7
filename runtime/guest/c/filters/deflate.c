/* Compression to one stream of DEFLATE (RFC 1951).
 *
 * Options: level (1, quick, to 9, thorough).
 * Report: crc (of the input, CRC-32), size (of the input), written.
 */
#include "deflate.h"

#include <stdlib.h>

#include "cells.h"
#include "crc.h"
#include "filter.h"
#include "options.h"

#define WINDOW 32768u
#define STRETCH (4 * WINDOW) /* input that is worked on at once */
#define SHORTEST 3
#define LONGEST 258
#define HASH_BITS 15
#define NOWHERE 0

typedef struct {
    size_t length, distance;
} Match;

/* How hard matches are looked for. */
typedef struct {
    uint16_t chain;  /* places that are tried */
    uint16_t good;   /* behind a match of this length, a quarter of them */
    uint16_t lazy;   /* for a shorter match, the next byte's is looked for too */
    uint16_t enough; /* a match of this length is taken at once */
} Effort;

static const Effort efforts[10] = {
    { 0, 0, 0, 0 },     { 4, 4, 0, 8 },      { 6, 4, 0, 16 },      { 24, 4, 0, 32 },      { 16, 4, 4, 16 },
    { 32, 8, 16, 32 },  { 128, 8, 16, 128 }, { 256, 8, 32, 128 },  { 1024, 32, 128, 258 }, { 4096, 32, 258, 258 },
};

typedef struct {
    AmlaBuffer held; /* up to WINDOW bytes that are done, then input */
    size_t done;
    uint32_t *heads; /* for each hash, 1 + where it was last */
    uint32_t *before; /* for each place, 1 + the place before it of the same hash */
    DeflateToken *tokens;
    size_t token_count, block_start;
    DeflateWriter writer;
    Effort effort;
    Match next; /* found already for the next byte; of length 0 if none was */
    bool knows_next;
    uint64_t size, written;
    uint32_t crc;
} Deflate;

static void destroy(void *self)
{
    Deflate *deflate = self;
    amla_buffer_clear(&deflate->held);
    free(deflate->heads);
    free(deflate->before);
    free(deflate->tokens);
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Deflate *deflate = self;
    const int64_t level = amla_option_integer(ctx, options, "level", 6);
    deflate->effort = efforts[level < 1 || level > 9 ? 6 : level];
    deflate->heads = malloc((1u << HASH_BITS) * sizeof *deflate->heads);
    deflate->before = malloc((STRETCH + 2 * WINDOW) * sizeof *deflate->before);
    deflate->tokens = malloc(DEFLATE_TOKENS * sizeof *deflate->tokens);
    if (deflate->heads && deflate->before && deflate->tokens)
        return 0;
    JS_ThrowOutOfMemory(ctx);
    return -1;
}

/* --- matches ---------------------------------------------------------------------------------- */

static uint32_t hash_at(const uint8_t *at)
{
    const uint32_t word = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
    return word * 2654435761u >> (32 - HASH_BITS);
}

static void remember(Deflate *deflate, size_t at)
{
    if (at + SHORTEST > deflate->held.length)
        return;
    uint32_t *head = &deflate->heads[hash_at(deflate->held.data + at)];
    deflate->before[at] = *head;
    *head = (uint32_t)at + 1;
}

static size_t common(const uint8_t *left, const uint8_t *right, size_t most)
{
    size_t length = 0;
    for (uint64_t a, b; length + 8 <= most; length += 8) {
        memcpy(&a, left + length, 8);
        memcpy(&b, right + length, 8);
        if (a != b)
            return length + (size_t)__builtin_ctzll(a ^ b) / 8;
    }
    while (length < most && left[length] == right[length])
        length++;
    return length;
}

/* A match longer than `than`, if there is one. */
static Match find_match(const Deflate *deflate, size_t at, size_t than)
{
    const uint8_t *text = deflate->held.data;
    const Effort *effort = &deflate->effort;
    const size_t left = deflate->held.length - at, most = left < LONGEST ? left : LONGEST;
    Match best = { than, 0 };
    if (most < SHORTEST || than >= most)
        return (Match){ 0 };
    uint32_t place = deflate->heads[hash_at(text + at)];
    for (unsigned tries = than >= effort->good ? effort->chain / 4u : effort->chain; place != NOWHERE && tries > 0; tries--, place = deflate->before[place - 1]) {
        const size_t from = place - 1;
        if (at - from > WINDOW)
            break;
        if (text[from + best.length] != text[at + best.length])
            continue;
        const size_t length = common(text + from, text + at, most);
        if (length > best.length)
            best = (Match){ length, at - from };
        if (length >= effort->enough || length == most)
            break;
    }
    if (best.distance == 0 || best.length < SHORTEST || (best.length == SHORTEST && best.distance > 4096))
        return (Match){ 0 };
    return best;
}

/* --- stretches ---------------------------------------------------------------------------------- */

static void write_block(Deflate *deflate, size_t end, bool last)
{
    const DeflateBlock block = { deflate->tokens, deflate->token_count, deflate->held.data + deflate->block_start,
                                 end - deflate->block_start, last };
    deflate_write_block(&deflate->writer, &block);
    deflate->token_count = 0;
    deflate->block_start = end;
}

static void add(Deflate *deflate, DeflateToken token, size_t end)
{
    deflate->tokens[deflate->token_count++] = token;
    if (deflate->token_count == DEFLATE_TOKENS)
        write_block(deflate, end, false);
}

/* Whether it is better to wait for the match that begins at the next byte. */
static bool waits(Deflate *deflate, size_t at, const Match *match)
{
    if (match->length >= deflate->effort.lazy)
        return false;
    deflate->next = find_match(deflate, at + 1, match->length);
    return deflate->knows_next = deflate->next.length > 0;
}

static size_t take_one(Deflate *deflate, size_t at)
{
    const Match match = deflate->knows_next ? deflate->next : find_match(deflate, at, 0);
    deflate->knows_next = false;
    remember(deflate, at);
    if (match.length == 0 || waits(deflate, at, &match)) {
        add(deflate, deflate->held.data[at], at + 1);
        return at + 1;
    }
    for (size_t i = at + 1; i < at + match.length; i++)
        remember(deflate, i);
    add(deflate, (DeflateToken)(match.length | match.distance << 16), at + match.length);
    return at + match.length;
}

/* Forgets what is out of reach, and finds the rest again at its new place. */
static void slide(Deflate *deflate, size_t at)
{
    const size_t drop = at > WINDOW ? at - WINDOW : 0;
    amla_buffer_consume(&deflate->held, drop);
    deflate->done = at - drop;
    deflate->block_start = deflate->done;
}

static void remember_done(Deflate *deflate)
{
    memset(deflate->heads, 0, (1u << HASH_BITS) * sizeof *deflate->heads);
    for (size_t i = 0; i < deflate->done; i++)
        remember(deflate, i);
}

static AmlaFilterState work(Deflate *deflate, bool last)
{
    remember_done(deflate);
    size_t at = deflate->done;
    for (unsigned steps = 1; at < deflate->held.length; steps++) {
        at = take_one(deflate, at);
        if ((steps & 1023) == 0 && amla_interrupted())
            return AMLA_FILTER_INTERRUPTED;
    }
    if (deflate->token_count > 0 || last)
        write_block(deflate, at, last);
    if (last)
        deflate_flush(&deflate->writer);
    slide(deflate, at);
    return AMLA_FILTER_MORE;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Deflate *deflate = self;
    deflate->writer.out = out;
    deflate->crc = amla_crc32(deflate->crc, bytes, length);
    deflate->size += length;
    const size_t before = out->length;
    AmlaFilterState state = AMLA_FILTER_MORE;
    while (length > 0 && state == AMLA_FILTER_MORE) {
        const size_t room = STRETCH + deflate->done - deflate->held.length, part = length < room ? length : room;
        amla_buffer_append(&deflate->held, bytes, part);
        bytes += part;
        length -= part;
        if (deflate->held.failed)
            return AMLA_FILTER_MEMORY;
        if (deflate->held.length - deflate->done == STRETCH)
            state = work(deflate, false);
    }
    deflate->written += out->length - before;
    return state;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    Deflate *deflate = self;
    (void)more_files;
    deflate->writer.out = out;
    const size_t before = out->length;
    const AmlaFilterState state = work(deflate, true);
    deflate->written += out->length - before;
    return state;
}

static JSValue report(JSContext *ctx, void *self)
{
    const Deflate *deflate = self;
    JSValue object = JS_NewObject(ctx);
    JS_SetPropertyStr(ctx, object, "crc", JS_NewUint32(ctx, deflate->crc));
    JS_SetPropertyStr(ctx, object, "size", JS_NewInt64(ctx, (int64_t)deflate->size));
    JS_SetPropertyStr(ctx, object, "written", JS_NewInt64(ctx, (int64_t)deflate->written));
    return object;
}

const AmlaFilterType amla_filter_deflate = {
    .name = "deflate",
    .size = sizeof(Deflate),
    .create = create,
    .feed = feed,
    .end = end,
    .report = report,
    .destroy = destroy,
};
