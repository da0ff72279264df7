/* malloc and its kin, in place of the C library's.
 *
 * The C library's allocator rounds every request up to a power of two and never
 * joins free blocks.  The guest's heap is shipped, copied and kept by the
 * thousand, so it is packed instead: free neighbours are joined at once, and
 * free blocks wait in lists by size, where a bit map finds the first that fits.
 *
 * The heap is one row of blocks from __heap_base to the end of memory:
 *
 *     | head | payload ............ | head | payload .... | … | end |
 *
 * A head is 4 bytes: the block's size (a multiple of 8, head included) and two
 * flags.  Payloads are aligned to 8.  A free block's payload starts with its two
 * list links and ends with its size, by which the block behind it finds it.  The
 * end is a head of size 0.
 *
 * WebAssembly has one thread here, and SIMD loads that do not need alignment.
 */
#include "heap.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 65536u
#define GROWTH (4 * PAGE) /* arbitrary: how much memory is asked for at least */
#define SMALLEST 16u      /* forced: head, two links, size */
#define LARGEST (1u << 30)

#define FREE 1u       /* this block is free */
#define AFTER_FREE 2u /* the block before it is */
#define FLAGS 7u

/* Sizes below 256 have a list each; above, each power of two is cut in 8. */
#define EXACT_LISTS 32
#define CUTS 3
#define LISTS (EXACT_LISTS + 24 * (1 << CUTS))

typedef struct Block {
    uint32_t head;
    struct Block *next, *previous; /* in its list; only of a free block */
} Block;

static Block *lists[LISTS];
static uint32_t listed[LISTS / 32]; /* bit i: lists[i] is not empty */
static Block *first, *end;
static size_t idle; /* bytes in the lists */

extern unsigned char __heap_base;

static uint32_t size_of(const Block *block)
{
    return block->head & ~FLAGS;
}

static Block *at(const Block *block, uint32_t offset)
{
    return (Block *)((uintptr_t)block + offset);
}

static Block *behind(const Block *block)
{
    return at(block, size_of(block));
}

static Block *before(const Block *block)
{
    uint32_t size = *(const uint32_t *)((uintptr_t)block - 4);
    return (Block *)((uintptr_t)block - size);
}

static void *payload(Block *block)
{
    return at(block, 4);
}

static Block *of_payload(const void *memory)
{
    return (Block *)((uintptr_t)memory - 4);
}

/* --- lists ------------------------------------------------------------------------------ */

static unsigned list_of(uint32_t size)
{
    if (size < 8 * EXACT_LISTS)
        return size / 8;
    unsigned power = 31 - (unsigned)__builtin_clz(size);
    return EXACT_LISTS + ((power - 8) << CUTS) + ((size >> (power - CUTS)) & ((1 << CUTS) - 1));
}

static void insert(Block *block, uint32_t size)
{
    unsigned list = list_of(size);
    block->head = size | FREE | (block->head & AFTER_FREE);
    *(uint32_t *)((uintptr_t)block + size - 4) = size;
    at(block, size)->head |= AFTER_FREE;
    block->previous = NULL;
    block->next = lists[list];
    if (block->next)
        block->next->previous = block;
    lists[list] = block;
    idle += size;
    listed[list / 32] |= 1u << (list % 32);
}

static void take_out(Block *block)
{
    unsigned list = list_of(size_of(block));
    idle -= size_of(block);
    if (block->next)
        block->next->previous = block->previous;
    if (block->previous)
        block->previous->next = block->next;
    else
        lists[list] = block->next;
    if (!lists[list])
        listed[list / 32] &= ~(1u << (list % 32));
}

/* The first list from `list` on that is not empty, or LISTS. */
static unsigned next_listed(unsigned list)
{
    if (list >= LISTS)
        return LISTS;
    unsigned word = list / 32;
    uint32_t bits = listed[word] & (UINT32_MAX << (list % 32));
    while (!bits && ++word < LISTS / 32)
        bits = listed[word];
    return bits ? word * 32 + (unsigned)__builtin_ctz(bits) : LISTS;
}

/* A free block of `size` or more, still in its list, or NULL. */
static Block *find(uint32_t size)
{
    uint32_t rounded = size;
    if (size >= 8 * EXACT_LISTS) /* every block of a list has to fit, so start at the list above */
        rounded += (1u << (31 - (unsigned)__builtin_clz(size) - CUTS)) - 1;
    unsigned list = next_listed(list_of(rounded));
    return list < LISTS ? lists[list] : NULL;
}

/* --- the row of blocks ---------------------------------------------------------------------- */

/* Make `block`, which is in no list, a free one, joined with free neighbours. */
static Block *release(Block *block)
{
    uint32_t size = size_of(block);
    Block *next = behind(block);
    if (next->head & FREE) {
        take_out(next);
        size += size_of(next);
    }
    if (block->head & AFTER_FREE) {
        block = before(block);
        take_out(block);
        size += size_of(block);
    }
    insert(block, size);
    return block;
}

/* Make `block`, which is in no list, a used one of `size`; what is left over becomes free. */
static void use(Block *block, uint32_t size)
{
    uint32_t whole = size_of(block);
    bool cut = whole - size >= SMALLEST;
    block->head = (cut ? size : whole) | (block->head & AFTER_FREE);
    Block *next = behind(block);
    if (!cut) {
        next->head &= ~AFTER_FREE;
        return;
    }
    next->head = whole - size;
    release(next);
}

static void start(void)
{
    uintptr_t base = ((uintptr_t)&__heap_base + 7) & ~(uintptr_t)7;
    first = (Block *)(base + 4);
    end = (Block *)(__builtin_wasm_memory_size(0) * PAGE - 4);
    end->head = 0;
    first->head = (uint32_t)((uintptr_t)end - (uintptr_t)first);
    release(first);
}

/* Get memory for a block of `size` from the engine; it joins the last block if that is free. */
static Block *grow(uint32_t size)
{
    uint32_t wanted = (size + PAGE - 1) & ~(PAGE - 1);
    uint32_t more = wanted > GROWTH ? wanted : GROWTH;
    if (__builtin_wasm_memory_grow(0, more / PAGE) == SIZE_MAX) {
        more = wanted;
        if (__builtin_wasm_memory_grow(0, more / PAGE) == SIZE_MAX)
            return NULL;
    }
    Block *fresh = end;
    fresh->head = more | (fresh->head & AFTER_FREE);
    end = at(fresh, more);
    end->head = 0;
    return release(fresh);
}

static uint32_t block_size(size_t payload_size)
{
    uint32_t size = ((uint32_t)payload_size + 4 + 7) & ~7u;
    return size < SMALLEST ? SMALLEST : size;
}

static void *refuse(void)
{
    errno = ENOMEM;
    return NULL;
}

size_t amla_heap_used(void)
{
    return first ? (uintptr_t)end - (uintptr_t)first - idle : 0;
}

/* --- the C library's interface --------------------------------------------------------------- */

void *malloc(size_t size)
{
    if (size > LARGEST)
        return refuse();
    if (!first)
        start();
    uint32_t needed = block_size(size);
    Block *block = find(needed);
    if (!block)
        block = grow(needed);
    if (!block)
        return refuse();
    take_out(block);
    use(block, needed);
    return payload(block);
}

void free(void *memory)
{
    if (memory)
        release(of_payload(memory));
}

void *calloc(size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return refuse();
    void *memory = malloc(total);
    return memory ? memset(memory, 0, total) : NULL;
}

/* Whether `block` now has `needed` bytes, perhaps taken from a free block behind it. */
static bool resize_in_place(Block *block, uint32_t needed)
{
    uint32_t size = size_of(block);
    Block *next = behind(block);
    if (size < needed && next->head & FREE && size + size_of(next) >= needed) {
        take_out(next);
        block->head += size_of(next);
        size = size_of(block);
    }
    if (size < needed)
        return false;
    use(block, needed);
    return true;
}

void *realloc(void *memory, size_t size)
{
    if (!memory)
        return malloc(size);
    if (size > LARGEST)
        return refuse();
    Block *block = of_payload(memory);
    if (resize_in_place(block, block_size(size)))
        return memory;
    void *moved = malloc(size);
    if (!moved)
        return NULL;
    size_t held = size_of(block) - 4;
    memcpy(moved, memory, held < size ? held : size);
    free(memory);
    return moved;
}

void *reallocarray(void *memory, size_t count, size_t size)
{
    size_t total;
    return __builtin_mul_overflow(count, size, &total) ? refuse() : realloc(memory, total);
}

size_t malloc_usable_size(void *memory)
{
    return memory ? size_of(of_payload(memory)) - 4 : 0;
}

/* Alignments above 8: a larger block, whose front is given back. */
void *aligned_alloc(size_t alignment, size_t size)
{
    if (alignment > PAGE || size > LARGEST || (alignment & (alignment - 1)))
        return refuse();
    uint8_t *memory = malloc(alignment <= 8 ? size : size + alignment + SMALLEST);
    if (!memory || alignment <= 8)
        return memory;
    uintptr_t aligned = ((uintptr_t)memory + SMALLEST + alignment - 1) & ~(uintptr_t)(alignment - 1);
    Block *front = of_payload(memory), *block = of_payload((void *)aligned);
    uint32_t skipped = (uint32_t)((uintptr_t)block - (uintptr_t)front);
    block->head = size_of(front) - skipped;
    front->head = skipped | (front->head & AFTER_FREE);
    release(front);
    resize_in_place(block, block_size(size));
    return (void *)aligned;
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = aligned_alloc(alignment, size);
    return *memory ? 0 : ENOMEM;
}

/* --- the build ----------------------------------------------------------------------------- */

/* Build time only: clear what free blocks still hold of earlier data. */
__attribute__((export_name("amla_scrub"))) void amla_scrub(void)
{
    if (!first)
        start();
    for (Block *block = first; block != end; block = behind(block))
        if (block->head & FREE && size_of(block) > SMALLEST)
            memset(at(block, sizeof *block), 0, size_of(block) - sizeof *block - 4);
}
