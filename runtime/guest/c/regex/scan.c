#include "scan.h"

#include <string.h>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

void rx_scan_init(RxScan *scan, const bool *has)
{
    *scan = (RxScan){ 0 };
    memcpy(scan->has, has, sizeof scan->has);
    for (unsigned byte = 0; byte < 256; byte++)
        if (has[byte])
            scan->rows[byte >> 7][byte & 15] |= (uint8_t)(1u << (byte >> 4 & 7));
}

#ifdef __wasm_simd128__
/* Sixteen bytes at a time: the low half of a byte picks a row of bits, the high half a bit in it. */
static size_t scan_blocks(const RxScan *scan, const uint8_t *bytes, size_t at, size_t stop)
{
    const v128_t low_rows = wasm_v128_load(scan->rows[0]), high_rows = wasm_v128_load(scan->rows[1]);
    const v128_t bits = wasm_i8x16_make(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
    const v128_t low_half = wasm_i8x16_splat(15);
    for (; at + 16 <= stop; at += 16) {
        const v128_t text = wasm_v128_load(bytes + at), low = wasm_v128_and(text, low_half);
        const v128_t is_high = wasm_i8x16_shr(text, 7);
        const v128_t row = wasm_v128_bitselect(wasm_i8x16_swizzle(high_rows, low), wasm_i8x16_swizzle(low_rows, low),
                                               is_high);
        const v128_t hit = wasm_v128_and(row, wasm_i8x16_swizzle(bits, wasm_u8x16_shr(text, 4)));
        const uint32_t hits = wasm_i8x16_bitmask(wasm_i8x16_ne(hit, wasm_i8x16_splat(0)));
        if (hits)
            return at + (size_t)__builtin_ctz(hits);
    }
    return at;
}
#else
static size_t scan_blocks(const RxScan *scan, const uint8_t *bytes, size_t at, size_t stop)
{
    (void)scan, (void)bytes, (void)stop;
    return at;
}
#endif

size_t rx_scan(const RxScan *scan, const uint8_t *bytes, size_t at, size_t stop)
{
    for (at = scan_blocks(scan, bytes, at, stop); at < stop && !scan->has[bytes[at]]; at++)
        ;
    return at;
}
