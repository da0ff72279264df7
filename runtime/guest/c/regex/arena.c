#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096, ALIGN = 16 };

struct RxChunk {
    RxChunk *older;
    size_t size;
    _Alignas(ALIGN) unsigned char bytes[];
};

static bool add_chunk(RxArena *arena, size_t size)
{
    const size_t bytes = size > CHUNK ? size : CHUNK;
    RxChunk *chunk = bytes < SIZE_MAX - sizeof(RxChunk) ? calloc(1, sizeof(RxChunk) + bytes) : NULL;
    if (!chunk) {
        arena->failed = true;
        return false;
    }
    chunk->older = arena->chunks;
    chunk->size = bytes;
    arena->chunks = chunk;
    arena->left = bytes;
    return true;
}

void *rx_alloc(RxArena *arena, size_t size)
{
    if (size > SIZE_MAX / 4) {
        arena->failed = true;
        return NULL;
    }
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (arena->left < size && !add_chunk(arena, size))
        return NULL;
    void *piece = arena->chunks->bytes + (arena->chunks->size - arena->left);
    arena->left -= size;
    return piece;
}

void rx_arena_free(RxArena *arena)
{
    while (arena->chunks) {
        RxChunk *older = arena->chunks->older;
        free(arena->chunks);
        arena->chunks = older;
    }
    arena->left = 0;
}

bool rx_grow(void *items, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return true;
    const size_t wanted = *capacity + *capacity / 2 + 16;
    const size_t count = wanted > need ? wanted : need;
    void *old, *grown = NULL;
    memcpy(&old, items, sizeof old);
    if (count < SIZE_MAX / 2 / size)
        grown = realloc(old, count * size);
    if (!grown)
        return false;
    memcpy(items, &grown, sizeof grown);
    *capacity = count;
    return true;
}
