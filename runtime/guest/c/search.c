/* memchr and memcmp, in place of the C library's, which look at one byte at a time.  Nearly every command that reads
 * lines spends its time in them.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wasm_simd128.h>

#define WIDE 16

/* Keeps the compiler from seeing a call of these functions in their own loops. */
#define PLAIN __attribute__((no_builtin("memchr", "memcmp", "bcmp")))

/* A bit for each of 16 bytes that is `wanted`. */
static inline uint32_t hits(const uint8_t *at, v128_t wanted)
{
    return wasm_i8x16_bitmask(wasm_i8x16_eq(wasm_v128_load(at), wanted));
}

PLAIN static void *find_few(const uint8_t *at, uint8_t byte, const uint8_t *end)
{
    for (; at < end; at++)
        if (*at == byte)
            return (void *)(uintptr_t)at;
    return NULL;
}

PLAIN void *memchr(const void *bytes, int value, size_t length)
{
    const uint8_t *at = bytes, *const end = at + length;
    if (length < WIDE)
        return find_few(at, (uint8_t)value, end);
    const v128_t wanted = wasm_u8x16_splat((uint8_t)value);
    for (const uint8_t *const last = end - WIDE;; at += WIDE) {
        if (at > last)
            at = last; /* some bytes twice */
        const uint32_t found = hits(at, wanted);
        if (found)
            return (void *)(uintptr_t)(at + __builtin_ctz(found));
        if (at == last)
            return NULL;
    }
}

PLAIN static int compare_few(const uint8_t *left, const uint8_t *right, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (left[i] != right[i])
            return left[i] - right[i];
    return 0;
}

PLAIN int memcmp(const void *a, const void *b, size_t length)
{
    const uint8_t *left = a, *right = b;
    size_t at = 0;
    for (; length - at >= WIDE; at += WIDE) {
        const uint32_t same = hits(left + at, wasm_v128_load(right + at));
        if (same != 0xffff) {
            at += (size_t)__builtin_ctz(~same);
            return left[at] - right[at];
        }
    }
    return compare_few(left + at, right + at, length - at);
}
