#include "literal.h"

#include <string.h>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include "cells.h"

enum { STRETCH = 1 << 20, LANES = 16 };

static bool is_here(const RxLiteral *literal, const uint8_t *at)
{
    for (size_t i = 0; i < literal->length; i++)
        if ((at[i] | literal->masks[i]) != literal->bytes[i])
            return false;
    return true;
}

/* The first place in from..stop - 1; stop if none.  All of the string may be read at each. */
static size_t find_slowly(const RxLiteral *literal, const uint8_t *text, size_t from, size_t stop)
{
    const size_t place = literal->rarest;
    const uint8_t byte = literal->bytes[place], mask = literal->masks[place];
    while (from < stop && ((text[from + place] | mask) != byte || !is_here(literal, text + from)))
        from++;
    return from;
}

#ifdef __wasm_simd128__
/* Sixteen places at a time: both rare bytes must be right. */
static size_t find(const RxLiteral *literal, const uint8_t *text, size_t from, size_t stop)
{
    const size_t one = literal->rarest, two = literal->rare;
    const v128_t byte_one = wasm_u8x16_splat(literal->bytes[one]), byte_two = wasm_u8x16_splat(literal->bytes[two]);
    const v128_t mask_one = wasm_u8x16_splat(literal->masks[one]), mask_two = wasm_u8x16_splat(literal->masks[two]);
    for (; from + LANES <= stop; from += LANES) {
        const v128_t at_one = wasm_v128_or(wasm_v128_load(text + from + one), mask_one);
        const v128_t at_two = wasm_v128_or(wasm_v128_load(text + from + two), mask_two);
        const v128_t both = wasm_v128_and(wasm_i8x16_eq(at_one, byte_one), wasm_i8x16_eq(at_two, byte_two));
        for (uint32_t bits = wasm_i8x16_bitmask(both); bits; bits &= bits - 1) {
            const size_t at = from + (size_t)__builtin_ctz(bits);
            if (is_here(literal, text + at))
                return at;
        }
    }
    return find_slowly(literal, text, from, stop);
}
#else
static size_t find(const RxLiteral *literal, const uint8_t *text, size_t from, size_t stop)
{
    return find_slowly(literal, text, from, stop);
}
#endif

size_t rx_literal_find(const RxLiteral *literal, const uint8_t *text, size_t length, size_t from, bool *interrupted)
{
    *interrupted = false;
    if (length < literal->length)
        return SIZE_MAX;
    const size_t places = length - literal->length + 1;
    while (from < places) {
        const size_t stop = places - from > STRETCH ? from + STRETCH : places;
        from = find(literal, text, from, stop);
        if (from < stop)
            return from;
        if (from < places && amla_interrupted()) {
            *interrupted = true;
            break;
        }
    }
    return SIZE_MAX;
}
