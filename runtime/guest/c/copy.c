/* memcpy, memmove and memset, in place of the C library's.
 *
 * With the bulk-memory instructions the engine does these in native code of its
 * own, and an access there to memory that the host has just revoked (the hard
 * stop) takes the whole process down instead of trapping.  So the guest is built
 * without those instructions, and moves its bytes itself, 16 at a time.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wasm_simd128.h>

#define WIDE 16

/* Keeps the compiler from seeing a memcpy in the loops below and calling it. */
#define PLAIN __attribute__((no_builtin("memcpy", "memmove", "memset")))

/* 0 to 15 bytes, by two overlapping moves; both loads come before both stores. */
PLAIN static inline void move_few(uint8_t *to, const uint8_t *from, size_t length)
{
    if (length >= 8) {
        uint64_t head, tail;
        __builtin_memcpy(&head, from, 8);
        __builtin_memcpy(&tail, from + length - 8, 8);
        __builtin_memcpy(to, &head, 8);
        __builtin_memcpy(to + length - 8, &tail, 8);
    } else if (length >= 4) {
        uint32_t head, tail;
        __builtin_memcpy(&head, from, 4);
        __builtin_memcpy(&tail, from + length - 4, 4);
        __builtin_memcpy(to, &head, 4);
        __builtin_memcpy(to + length - 4, &tail, 4);
    } else if (length) {
        uint8_t first = from[0], middle = from[length / 2], last = from[length - 1];
        to[0] = first;
        to[length / 2] = middle;
        to[length - 1] = last;
    }
}

/* 16 bytes or more, upwards; the last 16 are read before anything is written. */
PLAIN static inline void move_up(uint8_t *to, const uint8_t *from, size_t length)
{
    v128_t tail = wasm_v128_load(from + length - WIDE);
    uint8_t *end = to + length - WIDE;
    while (end - to >= 4 * WIDE) {
        v128_t a = wasm_v128_load(from), b = wasm_v128_load(from + WIDE);
        v128_t c = wasm_v128_load(from + 2 * WIDE), d = wasm_v128_load(from + 3 * WIDE);
        wasm_v128_store(to, a);
        wasm_v128_store(to + WIDE, b);
        wasm_v128_store(to + 2 * WIDE, c);
        wasm_v128_store(to + 3 * WIDE, d);
        to += 4 * WIDE;
        from += 4 * WIDE;
    }
    while (to < end) {
        wasm_v128_store(to, wasm_v128_load(from));
        to += WIDE;
        from += WIDE;
    }
    wasm_v128_store(end, tail);
}

/* 16 bytes or more, downwards; the first 16 are read before anything is written. */
PLAIN static inline void move_down(uint8_t *to, const uint8_t *from, size_t length)
{
    v128_t head = wasm_v128_load(from);
    size_t left = length;
    while (left > WIDE) {
        left -= WIDE;
        wasm_v128_store(to + left, wasm_v128_load(from + left));
    }
    wasm_v128_store(to, head);
}

PLAIN void *memcpy(void *restrict to, const void *restrict from, size_t length)
{
    if (length < WIDE)
        move_few(to, from, length);
    else
        move_up(to, from, length);
    return to;
}

PLAIN void *memmove(void *to, const void *from, size_t length)
{
    if (length < WIDE)
        move_few(to, from, length);
    else if ((uintptr_t)to - (uintptr_t)from >= length)
        move_up(to, from, length);
    else
        move_down(to, from, length);
    return to;
}

PLAIN void *memset(void *to, int value, size_t length)
{
    uint8_t *at = to, byte = (uint8_t)value;
    if (length < WIDE) {
        for (volatile uint8_t *each = at; length; length--)
            *each++ = byte;
        return to;
    }
    v128_t wide = wasm_u8x16_splat(byte);
    uint8_t *end = at + length - WIDE;
    for (; at < end; at += WIDE)
        wasm_v128_store(at, wide);
    wasm_v128_store(end, wide);
    return to;
}
