/* The memory of one engine: small pieces from slabs with a free list for each size, large ones in a list.
 *
 * Everything an engine allocates comes from its pool (buffers excepted), so freeing the pool frees the engine, whatever
 * state it is in.  When memory runs out an allocation returns NULL, `exhausted` is set, and `fuel` drops to 0 so that the
 * loop of the machine looks at once.
 */
#ifndef AWK_POOL_H
#define AWK_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AWK_POOL_GRAIN = 16,
    AWK_POOL_CLASSES = 32, /* pieces up to 512 bytes come from slabs */
    AWK_POOL_SLAB = 32 * 1024,
};

typedef struct AwkPiece AwkPiece;
typedef struct AwkSlab AwkSlab;
typedef struct AwkLarge AwkLarge;

typedef struct {
    AwkPiece *vacant[AWK_POOL_CLASSES + 1];
    AwkSlab *slabs;
    size_t slab_at; /* bytes of the first slab that are given out */
    AwkLarge *large;
    bool exhausted;
    int32_t fuel; /* instructions until the machine looks at the flags */
} AwkPool;

/* `size` bytes, aligned to 16, not cleared; NULL when memory ran out. */
void *awk_pool_take(AwkPool *pool, size_t size);

/* Give back what take() gave for the same size.  NULL is fine. */
void awk_pool_give(AwkPool *pool, void *piece, size_t size);

/* Like realloc(); the old piece stays when NULL is returned. */
void *awk_pool_resize(AwkPool *pool, void *piece, size_t size, size_t new_size);

/* Free everything. */
void awk_pool_clear(AwkPool *pool);

#endif
