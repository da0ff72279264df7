/* Memory that lives as long as one regular expression: handed out in pieces, freed all at once. */
#ifndef AMLA_REGEX_ARENA_H
#define AMLA_REGEX_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct RxChunk RxChunk;

typedef struct {
    RxChunk *chunks;
    size_t left; /* bytes still free in the newest chunk */
    bool failed; /* memory ran out at least once */
} RxArena;

/* Zeroed memory, aligned for any type; NULL, and `failed` is set, when there is none. */
void *rx_alloc(RxArena *arena, size_t size);

void rx_arena_free(RxArena *arena);

/* Grow the malloc'ed array at *items to hold at least `need` items of `size` bytes, doubling.  False when memory is
 * short: the array is as it was. */
bool rx_grow(void *items, size_t *capacity, size_t need, size_t size);

#endif
