#include "jq_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <wasm_simd128.h>

#define STEP 16

/* Which of 16 bytes end a run, and whether one does. */
typedef v128_t Wide(v128_t bytes);
typedef bool Narrow(uint8_t byte);

static inline size_t run(const char *text, size_t length, Wide *wide, Narrow *narrow)
{
    size_t at = 0;
    for (; length - at >= STEP; at += STEP) {
        const uint32_t ends = wasm_i8x16_bitmask(wide(wasm_v128_load(text + at)));
        if (ends)
            return at + (size_t)__builtin_ctz(ends);
    }
    while (at < length && !narrow((uint8_t)text[at]))
        at++;
    return at;
}

static inline v128_t are(v128_t bytes, uint8_t byte)
{
    return wasm_i8x16_eq(bytes, wasm_u8x16_splat(byte));
}

static inline v128_t are_quoted(v128_t bytes)
{
    const v128_t marks = wasm_v128_or(are(bytes, '"'), are(bytes, '\\'));
    return wasm_v128_or(marks, wasm_u8x16_lt(bytes, wasm_u8x16_splat(' ')));
}

static inline bool is_quoted(uint8_t byte)
{
    return byte < ' ' || byte == '"' || byte == '\\';
}

static inline v128_t are_unprintable(v128_t bytes)
{
    return wasm_v128_or(are_quoted(bytes), wasm_u8x16_gt(bytes, wasm_u8x16_splat('~')));
}

static inline bool is_unprintable(uint8_t byte)
{
    return byte > '~' || is_quoted(byte);
}

static inline v128_t are_wide(v128_t bytes)
{
    return bytes; /* their highest bits are what is asked for */
}

static inline bool is_wide(uint8_t byte)
{
    return byte >= 0x80;
}

size_t amla_jq_unquoted(const char *text, size_t length)
{
    return run(text, length, are_quoted, is_quoted);
}

size_t amla_jq_printable(const char *text, size_t length)
{
    return run(text, length, are_unprintable, is_unprintable);
}

size_t amla_jq_ascii(const char *text, size_t length)
{
    return run(text, length, are_wide, is_wide);
}
