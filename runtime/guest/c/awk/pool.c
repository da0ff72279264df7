#include "pool.h"

#include <stdlib.h>
#include <string.h>

struct AwkPiece {
    AwkPiece *next;
};

struct AwkSlab {
    AwkSlab *next;
    _Alignas(16) char bytes[AWK_POOL_SLAB];
};

struct AwkLarge {
    AwkLarge *next, *previous;
    _Alignas(16) char bytes[];
};

static void *fail(AwkPool *pool)
{
    pool->exhausted = true;
    pool->fuel = 0;
    return NULL;
}

static size_t class_of(size_t size)
{
    return (size + AWK_POOL_GRAIN - 1) / AWK_POOL_GRAIN;
}

static void *take_large(AwkPool *pool, size_t size)
{
    AwkLarge *large = size < SIZE_MAX / 2 ? malloc(sizeof *large + size) : NULL;
    if (!large)
        return fail(pool);
    large->previous = NULL;
    large->next = pool->large;
    if (large->next)
        large->next->previous = large;
    pool->large = large;
    return large->bytes;
}

static AwkLarge *large_of(void *piece)
{
    return (AwkLarge *)((char *)piece - offsetof(AwkLarge, bytes));
}

static void give_large(AwkPool *pool, void *piece)
{
    AwkLarge *large = large_of(piece);
    if (large->next)
        large->next->previous = large->previous;
    if (large->previous)
        large->previous->next = large->next;
    else
        pool->large = large->next;
    free(large);
}

/* A piece from the slabs when the free list of its class is empty. */
static void *carve(AwkPool *pool, size_t class)
{
    const size_t size = class * AWK_POOL_GRAIN;
    if (!pool->slabs || AWK_POOL_SLAB - pool->slab_at < size) {
        AwkSlab *slab = malloc(sizeof *slab);
        if (!slab)
            return fail(pool);
        slab->next = pool->slabs;
        pool->slabs = slab;
        pool->slab_at = 0;
    }
    void *piece = pool->slabs->bytes + pool->slab_at;
    pool->slab_at += size;
    return piece;
}

void *awk_pool_take(AwkPool *pool, size_t size)
{
    const size_t class = class_of(size ? size : 1);
    if (class > AWK_POOL_CLASSES)
        return take_large(pool, size);
    AwkPiece *piece = pool->vacant[class];
    if (!piece)
        return carve(pool, class);
    pool->vacant[class] = piece->next;
    return piece;
}

void awk_pool_give(AwkPool *pool, void *piece, size_t size)
{
    const size_t class = class_of(size ? size : 1);
    if (!piece)
        return;
    if (class > AWK_POOL_CLASSES) {
        give_large(pool, piece);
        return;
    }
    AwkPiece *vacant = piece;
    vacant->next = pool->vacant[class];
    pool->vacant[class] = vacant;
}

static void *resize_large(AwkPool *pool, void *piece, size_t new_size)
{
    AwkLarge *old = large_of(piece);
    AwkLarge *large = new_size < SIZE_MAX / 2 ? realloc(old, sizeof *large + new_size) : NULL;
    if (!large)
        return fail(pool);
    if (large->next)
        large->next->previous = large;
    if (large->previous)
        large->previous->next = large;
    else
        pool->large = large;
    return large->bytes;
}

void *awk_pool_resize(AwkPool *pool, void *piece, size_t size, size_t new_size)
{
    if (piece && class_of(size) > AWK_POOL_CLASSES && class_of(new_size) > AWK_POOL_CLASSES)
        return resize_large(pool, piece, new_size);
    void *moved = awk_pool_take(pool, new_size);
    if (moved && piece) {
        memcpy(moved, piece, size < new_size ? size : new_size);
        awk_pool_give(pool, piece, size);
    }
    return moved;
}

void awk_pool_clear(AwkPool *pool)
{
    while (pool->slabs) {
        AwkSlab *slab = pool->slabs;
        pool->slabs = slab->next;
        free(slab);
    }
    while (pool->large)
        give_large(pool, pool->large->bytes);
    memset(pool->vacant, 0, sizeof pool->vacant);
}
