#include "memory.h"

#include "heap.h"
#include "step.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define RESERVE (256 * 1024)

/* Who asks for that much at once has long work to do, perhaps between two looks at the host's wish. */
#define LARGE (64 * 1024)

/* Bytes that may be left behind before the collector is worth its milliseconds. */
#define LEFT ((size_t)4 << 20)

static void *reserve;
static size_t kept = SIZE_MAX - LEFT; /* the least that was in use since the collector ran */
static bool clear_freed;

static void *spend_reserve(void)
{
    free(reserve);
    reserve = NULL;
    return NULL;
}

static void *allocate_clear(void *opaque, size_t count, size_t size)
{
    (void)opaque;
    if (count * size >= LARGE)
        amla_strain(count * size);
    void *memory = calloc(count, size);
    return memory ? memory : spend_reserve();
}

static void *allocate(void *opaque, size_t size)
{
    (void)opaque;
    if (size >= LARGE)
        amla_strain(size);
    void *memory = malloc(size);
    return memory ? memory : spend_reserve();
}

static void release(void *opaque, void *memory)
{
    (void)opaque;
    if (memory && clear_freed)
        memset(memory, 0, malloc_usable_size(memory));
    free(memory);
}

static void *resize(void *opaque, void *memory, size_t size)
{
    (void)opaque;
    if (size >= LARGE)
        amla_strain(size);
    void *resized = realloc(memory, size);
    return resized || !size ? resized : spend_reserve();
}

static size_t usable_size(const void *memory)
{
    return malloc_usable_size((void *)(uintptr_t)memory);
}

static const JSMallocFunctions functions = { allocate_clear, allocate, release, resize, usable_size };

JSRuntime *amla_memory_runtime(void)
{
    amla_memory_rearm();
    return JS_NewRuntime2(&functions, NULL);
}

void amla_memory_rearm(void)
{
    if (!reserve)
        reserve = malloc(RESERVE);
}

void amla_memory_tidy(JSRuntime *rt)
{
    size_t used = amla_heap_used();
    if (used > kept + LEFT) {
        JS_RunGC(rt);
        kept = amla_heap_used();
    } else if (used < kept) {
        kept = used;
    }
}

void amla_memory_clear_freed(bool clear)
{
    clear_freed = clear;
}
