/* The memory of one jq: small pieces from slabs with a free list for each size, large ones in a list.
 *
 * It stands behind jq's allocator.  All that jq allocates for a program comes from the heap that is in use, so dropping
 * the heap frees the program and its values at once, whatever state they are in.
 */
#ifndef AMLA_JQ_HEAP_H
#define AMLA_JQ_HEAP_H

#include <stddef.h>

typedef struct AmlaJqHeap AmlaJqHeap;

/* NULL without memory. */
AmlaJqHeap *amla_jq_heap_new(void);

/* From now on jq's memory comes from `heap`.  Without memory, and only then, jq's allocator gives up (attempt.h). */
void amla_jq_heap_use(AmlaJqHeap *heap);

/* Bytes that `heap` holds, whether jq uses them or not. */
size_t amla_jq_heap_size(const AmlaJqHeap *heap);

/* Free all that came from `heap`, which may be NULL. */
void amla_jq_heap_drop(AmlaJqHeap *heap);

#endif
