#include "cells.h"

#include <stdlib.h>
#include <string.h>

#define INBOX_SIZE 65536
#define OUTBOX_KEEP 65536

static uint8_t inbox_static[INBOX_SIZE];
static uint8_t *outbox;
static size_t outbox_size;

AmlaCells amla_cells __attribute__((used, visibility("default"))) = { .protocol = AMLA_PROTOCOL };

__attribute__((noinline)) bool amla_interrupted(void)
{
    return __atomic_load_n(&amla_cells.interrupt, __ATOMIC_SEQ_CST) != 0;
}

void amla_interrupt_clear(void)
{
    amla_cells.interrupt = 0;
}

static int outbox_reserve(size_t more)
{
    size_t need = amla_cells.outbox_length + more;
    if (need < more || need > UINT32_MAX / 2)
        return -1;
    if (need <= outbox_size)
        return 0;
    size_t size = outbox_size + outbox_size / 2 + 4096;
    if (size < need)
        size = need;
    uint8_t *grown = realloc(outbox, size);
    if (!grown)
        return -1;
    outbox = grown;
    outbox_size = size;
    amla_cells.outbox = (uint32_t)(uintptr_t)outbox;
    return 0;
}

int amla_emit(uint8_t kind, uint32_t id, const void *head, size_t head_length, const void *body, size_t body_length)
{
    if (head_length > UINT32_MAX / 4 || body_length > UINT32_MAX / 4)
        return -1;
    if (outbox_reserve(AMLA_FRAME_HEADER + head_length + body_length))
        return -1;
    uint8_t *out = outbox + amla_cells.outbox_length;
    uint32_t length = (uint32_t)(5 + head_length + body_length);
    memcpy(out, &length, 4);
    out[4] = kind;
    memcpy(out + 5, &id, 4);
    if (head_length)
        memcpy(out + 9, head, head_length);
    if (body_length)
        memcpy(out + 9 + head_length, body, body_length);
    amla_cells.outbox_length += 4 + length;
    return 0;
}

void amla_outbox_reset(void)
{
    amla_cells.outbox_length = 0;
    if (outbox_size > OUTBOX_KEEP) {
        free(outbox);
        outbox = NULL;
        outbox_size = 0;
        amla_cells.outbox = 0;
    }
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
    free(amla_inbox_take());
    uint8_t *grown = malloc(size);
    if (!grown)
        return 0;
    amla_cells.inbox = (uint32_t)(uintptr_t)grown;
    amla_cells.inbox_size = size;
    return amla_cells.inbox;
}
