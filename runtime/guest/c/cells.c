#include "cells.h"

#include <stdlib.h>
#include <string.h>

#define INBOX_SIZE 65536
#define OUTBOX_KEEP 65536
#define OUTBOX_SLACK 4096 /* for the small frames that follow a large one */
#define OUTBOXES 24       /* each is twice the last, so this is beyond all memory */
#define PRINT_MOST 16384  /* bytes of output in one frame */
#define PRINT_AGE 20      /* milliseconds that output may wait for more; arbitrary */

static uint8_t inbox_static[INBOX_SIZE];
static uint8_t *outbox;
static size_t outbox_size;

/* Outboxes that were too small in this step: the host may be reading them. */
static void *outgrown[OUTBOXES];
static unsigned outgrown_count;

/* A frame of output at the outbox's end that is not published yet. */
static uint8_t printing;
static size_t printed;
static double printed_at, published_at;

AmlaCells amla_cells __attribute__((used, visibility("default"))) = { .protocol = AMLA_PROTOCOL };

__attribute__((noinline)) bool amla_interrupted(void)
{
    const bool wanted = __atomic_load_n(&amla_cells.interrupt, __ATOMIC_SEQ_CST) != 0;
    if (wanted)
        amla_cells.heard = 1;
    return wanted;
}

void amla_interrupt_clear(void)
{
    amla_cells.interrupt = amla_cells.heard = 0;
}

static int outbox_reserve(size_t more)
{
    size_t held = amla_cells.outbox_length + (printed ? AMLA_FRAME_HEADER + printed : 0);
    size_t need = held + more;
    if (need < more || need > UINT32_MAX / 2)
        return -1;
    if (need <= outbox_size)
        return 0;
    size_t size = 2 * outbox_size;
    if (size < need)
        size = need;
    size += OUTBOX_SLACK;
    uint8_t *grown = outgrown_count < OUTBOXES ? malloc(size) : NULL;
    if (!grown)
        return -1;
    memcpy(grown, outbox, held);
    if (amla_cells.outbox_length)
        outgrown[outgrown_count++] = outbox;
    else
        free(outbox);
    outbox = grown;
    outbox_size = size;
    __atomic_store_n(&amla_cells.outbox, (uint32_t)(uintptr_t)outbox, __ATOMIC_SEQ_CST);
    return 0;
}

static void write_header(uint8_t *frame, uint8_t kind, uint32_t id, size_t payload)
{
    uint32_t length = (uint32_t)(5 + payload);
    memcpy(frame, &length, 4);
    frame[4] = kind;
    memcpy(frame + 5, &id, 4);
}

/* What is written behind the outbox's end is published. */
static void append(size_t length)
{
    uint32_t end = amla_cells.outbox_length + (uint32_t)length;
    __atomic_store_n(&amla_cells.outbox_length, end, __ATOMIC_SEQ_CST);
}

int amla_emit(uint8_t kind, uint32_t id, const void *head, size_t head_length, const void *body, size_t body_length)
{
    if (head_length > UINT32_MAX / 4 || body_length > UINT32_MAX / 4)
        return -1;
    amla_publish();
    if (outbox_reserve(AMLA_FRAME_HEADER + head_length + body_length))
        return -1;
    uint8_t *out = outbox + amla_cells.outbox_length;
    write_header(out, kind, id, head_length + body_length);
    if (head_length)
        memcpy(out + 9, head, head_length);
    if (body_length)
        memcpy(out + 9 + head_length, body, body_length);
    append(AMLA_FRAME_HEADER + head_length + body_length);
    return 0;
}

int amla_print(uint8_t kind, const void *text, size_t length)
{
    if (length >= PRINT_MOST)
        return amla_emit(kind, 0, text, length, NULL, 0);
    if (kind != printing || printed + length > PRINT_MOST)
        amla_publish();
    if (outbox_reserve(AMLA_FRAME_HEADER + length))
        return -1;
    if (!printed)
        printed_at = amla_cells.steady_ms;
    printing = kind;
    memcpy(outbox + amla_cells.outbox_length + AMLA_FRAME_HEADER + printed, text, length);
    printed += length;
    if (amla_cells.steady_ms - published_at >= PRINT_AGE) /* the first after a pause is shown at once */
        amla_publish();
    return 0;
}

void amla_publish(void)
{
    if (!printed)
        return;
    write_header(outbox + amla_cells.outbox_length, printing, 0, printed);
    append(AMLA_FRAME_HEADER + printed);
    printed = 0;
    published_at = amla_cells.steady_ms;
}

void amla_publish_old(void)
{
    if (printed && amla_cells.steady_ms - printed_at >= PRINT_AGE)
        amla_publish();
}

void amla_outbox_reset(void)
{
    amla_cells.outbox_length = 0;
    printed = 0;
    while (outgrown_count)
        free(outgrown[--outgrown_count]);
    if (outbox_size > OUTBOX_KEEP) {
        free(outbox);
        outbox = NULL;
        outbox_size = 0;
        amla_cells.outbox = 0;
    }
}

static __attribute__((noinline)) uint32_t arrived(void)
{
    return __atomic_load_n(&amla_cells.arrived, __ATOMIC_SEQ_CST);
}

size_t amla_starve(void)
{
    amla_publish();
    amla_cells.arrived = 0;
    __atomic_store_n(&amla_cells.starving, 1, __ATOMIC_SEQ_CST);
    while (!arrived() && !amla_interrupted()) {
    }
    __atomic_store_n(&amla_cells.starving, 0, __ATOMIC_SEQ_CST);
    uint32_t length = arrived();
    return length <= amla_cells.inbox_size ? length : 0;
}

uint8_t *amla_inbox_take(void)
{
    if (amla_cells.inbox == (uint32_t)(uintptr_t)inbox_static)
        return NULL;
    uint8_t *taken = (uint8_t *)(uintptr_t)amla_cells.inbox;
    amla_cells.inbox = (uint32_t)(uintptr_t)inbox_static;
    amla_cells.inbox_size = INBOX_SIZE;
    return taken;
}

/* Make the inbox hold at least `size` bytes; returns its address or 0. */
__attribute__((export_name("amla_inbox"))) uint32_t amla_inbox(uint32_t size)
{
    if (!amla_cells.inbox) {
        amla_cells.inbox = (uint32_t)(uintptr_t)inbox_static;
        amla_cells.inbox_size = INBOX_SIZE;
    }
    if (size <= amla_cells.inbox_size)
        return amla_cells.inbox;
    amla_outbox_reset(); /* the host has read it, and here memory is short */
    free(amla_inbox_take());
    uint8_t *grown = malloc((size_t)size + 1); /* a byte more, where a NUL may be put behind the last frame */
    if (!grown)
        return 0;
    amla_cells.inbox = (uint32_t)(uintptr_t)grown;
    amla_cells.inbox_size = size;
    return amla_cells.inbox;
}
