/* Characters of UTF-8 text in byte streams (RFC 3629). */
#ifndef AMLA_FILTER_CHARACTERS_H
#define AMLA_FILTER_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the valid sequence at `at`, or 0; its code point in *code. */
static inline size_t amla_character(const uint8_t *at, size_t left, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const uint8_t lead = at[0];
    const size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    uint32_t value = length == 1 ? lead : lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (at[i] & 0x3f);
    }
    *code = value;
    return value < least[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? 0 : length;
}

/* Whether the bytes are the start of a sequence that the next bytes may complete. */
static inline bool amla_character_cut(const uint8_t *at, size_t left)
{
    const uint8_t lead = at[0];
    const size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (left >= length)
        return false;
    for (size_t i = 1; i < left; i++)
        if ((at[i] & 0xc0) != 0x80)
            return false;
    return true;
}

#endif
