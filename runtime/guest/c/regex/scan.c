#include "scan.h"

#include <string.h>

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include "rarity.h"

/* How many of ten thousand bytes can be at that place. */
static unsigned frequency_at(const RxScan *scan, size_t place)
{
    unsigned sum = 0;
    for (unsigned byte = 0; byte < 256; byte++)
        if (scan->places[byte] >> place & 1)
            sum += rx_frequency((uint8_t)byte);
    return sum;
}

static void set_spot(RxSpot *spot, const RxScan *scan, size_t place)
{
    *spot = (RxSpot){ .place = place };
    for (unsigned byte = 0; byte < 256; byte++)
        if (scan->places[byte] >> place & 1)
            spot->rows[byte >> 7][byte & 15] |= (uint8_t)(1u << (byte >> 4 & 7));
}

unsigned rx_scan_init(RxScan *scan)
{
    unsigned least = UINT32_MAX, second = UINT32_MAX;
    size_t rarest = 0, rare = 0;
    for (size_t place = 0; place < scan->depth; place++) {
        const unsigned frequency = frequency_at(scan, place);
        if (frequency < least) {
            second = least;
            rare = rarest;
            least = frequency;
            rarest = place;
        } else if (frequency < second) {
            second = frequency;
            rare = place;
        }
    }
    set_spot(&scan->rarest, scan, rarest);
    set_spot(&scan->rare, scan, rare);
    return least / 10;
}

static bool can_begin(const RxScan *scan, const uint8_t *text)
{
    for (size_t place = 0; place < scan->depth; place++)
        if (!(scan->places[text[place]] >> place & 1))
            return false;
    return true;
}

#ifdef __wasm_simd128__
/* For which of sixteen bytes the spot has a bit: the low half of a byte picks a row, the high half a bit in it. */
static uint32_t hits(const RxSpot *spot, const uint8_t *bytes)
{
    const v128_t bits = wasm_i8x16_const(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
    const v128_t zero = wasm_i8x16_const_splat(0);
    const v128_t text = wasm_v128_load(bytes), low = wasm_v128_and(text, wasm_i8x16_const_splat(15));
    const v128_t ascii = wasm_i8x16_swizzle(wasm_v128_load(spot->rows[0]), low);
    const v128_t beyond = wasm_i8x16_swizzle(wasm_v128_load(spot->rows[1]), low);
    const v128_t row = wasm_v128_bitselect(beyond, ascii, wasm_i8x16_lt(text, zero));
    const v128_t hit = wasm_v128_and(row, wasm_i8x16_swizzle(bits, wasm_u8x16_shr(text, 4)));
    return wasm_i8x16_bitmask(wasm_i8x16_eq(hit, zero)) ^ 0xffff;
}

/* Sixteen places at a time up to near `stop`, or to where a match can begin. */
static size_t scan_blocks(const RxScan *scan, const uint8_t *text, size_t at, size_t stop)
{
    const RxSpot rarest = scan->rarest, rare = scan->rare;
    for (; at + 16 <= stop; at += 16) {
        uint32_t places = hits(&rarest, text + at + rarest.place);
        if (places)
            places &= hits(&rare, text + at + rare.place);
        for (; places; places &= places - 1) {
            const size_t place = at + (size_t)__builtin_ctz(places);
            if (can_begin(scan, text + place))
                return place;
        }
    }
    return at;
}
#else
static size_t scan_blocks(const RxScan *scan, const uint8_t *text, size_t at, size_t stop)
{
    (void)scan, (void)text, (void)stop;
    return at;
}
#endif

size_t rx_scan(const RxScan *scan, const uint8_t *text, size_t length, size_t at, size_t stop)
{
    const size_t places = length < scan->depth ? 0 : length - scan->depth + 1, last = places < stop ? places : stop;
    if (at < last)
        at = scan_blocks(scan, text, at, last);
    while (at < last && !can_begin(scan, text + at))
        at++;
    return at < last ? at : stop;
}
