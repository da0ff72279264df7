#include "jq_heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jv.h>
#include <jv_alloc.h>
#include <jv_dtoa.h>
#include <jv_dtoa_tsd.h>

#include "attempt.h"

/* A piece is `class` grains long.  Its first 4 bytes tell the class, what follows is aligned to 8. */
enum {
    GRAIN = 8,
    CLASSES = 64, /* pieces up to 512 bytes come from slabs */
    SLAB = 64 * 1024,
    MARGIN = 1024 * 1024, /* left to the others when jq has taken all */
};

typedef struct Vacant {
    struct Vacant *next;
} Vacant;

typedef struct Slab {
    struct Slab *next; /* 4 bytes, so that the first piece's payload is aligned */
} Slab;

typedef struct Large {
    struct Large *next, *previous;
    uint32_t size;
    uint32_t class; /* 0, where a piece from a slab has its class */
} Large;

struct AmlaJqHeap {
    Vacant *vacant[CLASSES + 1];
    Slab *slabs;
    char *at, *end; /* of the newest slab: what was not given out yet */
    Large large;    /* of a ring */
    struct dtoa_context numbers;
};

static AmlaJqHeap *used;

AmlaJqHeap *amla_jq_heap_new(void)
{
    AmlaJqHeap *heap = calloc(1, sizeof *heap);
    if (!heap)
        return NULL;
    heap->large.next = heap->large.previous = &heap->large;
    jvp_dtoa_context_init(&heap->numbers);
    return heap;
}

void amla_jq_heap_use(AmlaJqHeap *heap)
{
    used = heap;
}

void amla_jq_heap_drop(AmlaJqHeap *heap)
{
    if (!heap)
        return;
    for (Slab *slab = heap->slabs, *next; slab; slab = next) {
        next = slab->next;
        free(slab);
    }
    for (Large *large = heap->large.next, *next; large != &heap->large; large = next) {
        next = large->next;
        free(large);
    }
    free(heap);
}

size_t amla_jq_heap_size(const AmlaJqHeap *heap)
{
    size_t size = 0;
    for (const Slab *slab = heap->slabs; slab; slab = slab->next)
        size += SLAB;
    for (const Large *large = heap->large.next; large != &heap->large; large = large->next)
        size += large->size;
    return size;
}

/* --- pieces ------------------------------------------------------------------------------- */

static uint32_t *class_of(void *memory)
{
    return (uint32_t *)memory - 1;
}

static Large *large_of(void *memory)
{
    return (Large *)memory - 1;
}

static uint32_t fitting(size_t size)
{
    return (uint32_t)((size + sizeof(uint32_t) + GRAIN - 1) / GRAIN);
}

/* Whether there is more than what was just given: jq is not the only one that needs memory. */
static bool leaves_margin(void)
{
    void *margin = malloc(MARGIN);
    free(margin);
    return margin != NULL;
}

static void *kept(void *memory)
{
    if (memory && leaves_margin())
        return memory;
    free(memory);
    return NULL;
}

static void vacate(void *memory, uint32_t class)
{
    Vacant *vacant = memory;
    vacant->next = used->vacant[class];
    used->vacant[class] = vacant;
}

/* Start a slab; what is left of the last one becomes a vacant piece. */
static bool start_slab(void)
{
    const uint32_t rest = (uint32_t)(used->end - used->at) / GRAIN;
    Slab *slab = kept(malloc(SLAB));
    if (!slab)
        return false;
    if (rest) {
        *(uint32_t *)used->at = rest;
        vacate(used->at + sizeof(uint32_t), rest);
    }
    slab->next = used->slabs;
    used->slabs = slab;
    used->at = (char *)slab + sizeof *slab;
    used->end = used->at + (SLAB - GRAIN);
    return true;
}

static void *take_small(uint32_t class)
{
    Vacant *vacant = used->vacant[class];
    if (vacant) {
        used->vacant[class] = vacant->next;
        return vacant;
    }
    if ((size_t)(used->end - used->at) < class * GRAIN && !start_slab())
        return NULL;
    uint32_t *piece = (uint32_t *)used->at;
    used->at += class * GRAIN;
    *piece = class;
    return piece + 1;
}

/* Put `large` into the ring, whose links it may have had before it moved. */
static void *ring(Large *large, Large *next, Large *previous, size_t size)
{
    *large = (Large){ next, previous, (uint32_t)size, 0 };
    next->previous = previous->next = large;
    return large + 1;
}

static void *take_large(size_t size)
{
    Large *large = size < SIZE_MAX - sizeof *large ? kept(malloc(sizeof *large + size)) : NULL;
    return large ? ring(large, used->large.next, &used->large, size) : NULL;
}

static void *take(size_t size)
{
    return size <= CLASSES * GRAIN - sizeof(uint32_t) ? take_small(fitting(size)) : take_large(size);
}

static void *resize_large(Large *large, size_t size)
{
    Large *resized = size < SIZE_MAX - sizeof *large ? realloc(large, sizeof *large + size) : NULL;
    if (!resized)
        return NULL;
    void *memory = ring(resized, resized->next, resized->previous, size);
    return leaves_margin() ? memory : NULL;
}

static void *move(void *memory, size_t held, size_t size)
{
    void *moved = take(size);
    if (!moved)
        return NULL;
    memcpy(moved, memory, held < size ? held : size);
    jv_mem_free(memory);
    return moved;
}

static void *resize(void *memory, size_t size)
{
    const uint32_t class = *class_of(memory);
    if (!class && size > CLASSES * GRAIN)
        return resize_large(large_of(memory), size);
    const size_t held = class ? class * GRAIN - sizeof(uint32_t) : large_of(memory)->size;
    return class && fitting(size) == class ? memory : move(memory, held, size);
}

/* --- jq's allocator ------------------------------------------------------------------------ */

static void *demanded(void *memory)
{
    return memory ? memory : (amla_give_up(), NULL);
}

void *jv_mem_alloc_unguarded(size_t size)
{
    return take(size);
}

void *jv_mem_alloc(size_t size)
{
    return demanded(take(size));
}

void *jv_mem_calloc_unguarded(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return NULL;
    void *memory = take(total);
    return memory ? memset(memory, 0, total) : NULL;
}

void *jv_mem_calloc(size_t count, size_t size)
{
    return demanded(jv_mem_calloc_unguarded(count, size));
}

void *jv_mem_realloc(void *memory, size_t size)
{
    return demanded(memory ? resize(memory, size) : take(size));
}

char *jv_mem_strdup_unguarded(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = take(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *jv_mem_strdup(const char *text)
{
    return demanded(jv_mem_strdup_unguarded(text));
}

void jv_mem_free(void *memory)
{
    if (!memory)
        return;
    const uint32_t class = *class_of(memory);
    if (class) {
        vacate(memory, class);
        return;
    }
    Large *large = large_of(memory);
    large->next->previous = large->previous;
    large->previous->next = large->next;
    free(large);
}

/* Without memory jq is not asked: see attempt.h. */
void jv_nomem_handler(jv_nomem_handler_f handler, void *data)
{
    (void)handler, (void)data;
}

/* What conversions of numbers keep for the next ones. */
struct dtoa_context *tsd_dtoa_context_get(void)
{
    return &used->numbers;
}
