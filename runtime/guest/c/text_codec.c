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

bool amla_change_case(uint8_t *out, const uint8_t *text, size_t length, bool lower)
{
    if (amla_ascii_prefix(text, length) < length)
        return false;
    const uint8_t first = lower ? 'A' : 'a';
    for (size_t at = 0; at < length; at++)
        out[at] = text[at] ^ (uint8_t)((uint8_t)(text[at] - first) < 26 ? 0x20 : 0);
    return true;
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

size_t amla_utf16_size(const uint8_t *bytes, size_t length)
{
    size_t units = 0;
    for (size_t at = 0; at < length;) {
        size_t end = length - at < 4096 ? length : at + 4096;
        uint16_t some = 0; /* narrow counters, so that the loop runs on vectors */
        for (; at < end; at++)
            some = (uint16_t)(some + ((bytes[at] & 0xC0) != 0x80) + (bytes[at] >= 0xF0));
        units += some;
    }
    return units;
}

static uint16_t *widen_ascii(const uint8_t *bytes, size_t length, uint16_t *out)
{
    for (size_t at = 0; at < length; at++)
        out[at] = bytes[at];
    return out + length;
}

/* One whole sequence of 2 to 4 bytes. */
static uint16_t *decode_sequence(const uint8_t *at, size_t size, uint16_t *out)
{
    if (size == 2) {
        *out++ = (uint16_t)((at[0] & 0x1F) << 6 | (at[1] & 0x3F));
    } else if (size == 3) {
        *out++ = (uint16_t)((at[0] & 0x0F) << 12 | (at[1] & 0x3F) << 6 | (at[2] & 0x3F));
    } else {
        uint32_t point = (at[0] & 7u) << 18 | (at[1] & 0x3Fu) << 12 | (at[2] & 0x3Fu) << 6 | (at[3] & 0x3Fu);
        *out++ = (uint16_t)(0xD7C0 + (point >> 10));
        *out++ = (uint16_t)(0xDC00 + (point & 0x3FF));
    }
    return out;
}

size_t amla_utf8_to_utf16(const uint8_t *bytes, size_t length, uint16_t *out)
{
    size_t at = 0;
    bool whole;
    while (at < length) {
        size_t size;
        if (bytes[at] < 0x80) {
            size = amla_ascii_prefix(bytes + at, length - at);
            out = widen_ascii(bytes + at, size, out);
        } else {
            size = next_part(bytes + at, length - at, &whole);
            if (!whole)
                return at;
            out = decode_sequence(bytes + at, size, out);
        }
        at += size;
    }
    return at;
}

static bool has_byte(const uint8_t *bytes, size_t length, uint8_t wanted)
{
    uint8_t found = 0;
    for (size_t at = 0; at < length; at++)
        found |= bytes[at] == wanted;
    return found;
}

/* A sequence may cross the end of a chunk, so what follows the chunk is looked at too. */
void amla_utf8_replace_surrogates(uint8_t *bytes, size_t length)
{
    for (size_t from = 0; from < length; from += 1024) {
        size_t to = length - from < 1024 ? length : from + 1024;
        if (!has_byte(bytes + from, to - from, 0xED))
            continue;
        for (size_t at = from; at < to && length - at >= 3; at++)
            if (bytes[at] == 0xED && bytes[at + 1] >= 0xA0)
                memcpy(bytes + at, replacement, sizeof replacement);
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
