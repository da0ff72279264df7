#include "text_codec.h"

#include <string.h>

#define HIGH_BITS 0x8080808080808080u

static const uint8_t replacement[3] = {0xEF, 0xBF, 0xBD};

size_t amla_ascii_prefix(const uint8_t *bytes, size_t length)
{
    size_t at = 0;
    uint64_t words[4];
    while (length - at >= sizeof words) {
        memcpy(words, bytes + at, sizeof words);
        if ((words[0] | words[1] | words[2] | words[3]) & HIGH_BITS)
            break;
        at += sizeof words;
    }
    while (at < length && bytes[at] < 0x80)
        at++;
    return at;
}

/* The bounds of the second byte tell apart overlong forms, surrogates and what lies past U+10FFFF. */
static bool second_byte_fits(uint8_t lead, uint8_t second)
{
    uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high;
}

static size_t sequence_size(uint8_t lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* Bytes that belong together at `at`: a whole sequence (*whole is true) or a maximal ill-formed part. */
static size_t next_part(const uint8_t *at, size_t left, bool *whole)
{
    size_t size = sequence_size(at[0]);
    size_t have = 1;
    if (size > 1 && left > 1 && second_byte_fits(at[0], at[1])) {
        have = 2;
        while (have < size && have < left && (at[have] & 0xC0) == 0x80)
            have++;
    }
    *whole = have == size;
    return have;
}

size_t amla_utf8_valid_prefix(const uint8_t *bytes, size_t length)
{
    size_t at = 0;
    bool whole = true;
    while (at < length) {
        if (bytes[at] < 0x80) {
            at += amla_ascii_prefix(bytes + at, length - at);
            continue;
        }
        size_t size = next_part(bytes + at, length - at, &whole);
        if (!whole)
            return at;
        at += size;
    }
    return length;
}

size_t amla_utf8_repair(const uint8_t *bytes, size_t length, uint8_t *out)
{
    uint8_t *start = out;
    size_t at = 0;
    while (at < length) {
        size_t valid = amla_utf8_valid_prefix(bytes + at, length - at);
        memcpy(out, bytes + at, valid);
        out += valid;
        at += valid;
        if (at == length)
            break;
        bool whole;
        at += next_part(bytes + at, length - at, &whole);
        memcpy(out, replacement, sizeof replacement);
        out += sizeof replacement;
    }
    return (size_t)(out - start);
}

void amla_utf8_replace_surrogates(uint8_t *bytes, size_t length)
{
    uint8_t *end = bytes + length;
    uint8_t *at = bytes;
    while ((at = memchr(at, 0xED, (size_t)(end - at))) != NULL && end - at >= 3) {
        if (at[1] >= 0xA0)
            memcpy(at, replacement, sizeof replacement);
        at += 3;
    }
}

size_t amla_latin1_to_utf8(const uint8_t *bytes, size_t length, uint8_t *out)
{
    uint8_t *start = out;
    for (size_t at = 0; at < length; at++) {
        uint8_t byte = bytes[at];
        if (byte < 0x80) {
            *out++ = byte;
        } else {
            *out++ = (uint8_t)(0xC0 | byte >> 6);
            *out++ = (uint8_t)(0x80 | (byte & 0x3F));
        }
    }
    return (size_t)(out - start);
}
