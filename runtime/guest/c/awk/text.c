#include "text.h"

#include <string.h>

/* With room for the NUL. */
static union {
    AwkText text;
    char room[sizeof(AwkText) + 1];
} empty = { .text = { .references = 1 << 30 } };



AwkText *awk_text_empty(void)
{
    return &empty.text;
}

static size_t size_of(size_t length)
{
    return sizeof(AwkText) + length + 1;
}

static AwkText *fail(AwkPool *pool)
{
    pool->exhausted = true;
    pool->fuel = 0;
    return &empty.text;
}

static AwkText *allocate(AwkPool *pool, size_t length, size_t room)
{
    AwkText *text = room < AWK_TEXT_MAX ? awk_pool_take(pool, size_of(room)) : NULL;
    if (!text)
        return fail(pool);
    *text = (AwkText){ .references = 1, .length = (uint32_t)length, .characters = AWK_UNCOUNTED, .room = (uint32_t)room };
    text->bytes[length] = 0;
    return text;
}

AwkText *awk_text_room(AwkPool *pool, size_t length)
{
    empty.text.references = 1 << 30;
    return length ? allocate(pool, length, length) : &empty.text;
}

AwkText *awk_text_append(AwkPool *pool, AwkText *text, const char *bytes, size_t length)
{
    const size_t old = text->length;
    if (!length)
        return text;
    if (text->references > 1 || text->room - old < length) {
        const size_t wanted = old + length, room = wanted < 128 ? wanted : wanted + wanted / 2;
        AwkText *grown = allocate(pool, wanted, room < AWK_TEXT_MAX ? room : wanted);
        memcpy(grown->bytes, text->bytes, grown->length ? old : 0);
        awk_text_release(pool, text);
        text = grown;
    }
    if (!text->room)
        return text;
    memcpy(text->bytes + old, bytes, length);
    text->length = (uint32_t)(old + length);
    text->characters = AWK_UNCOUNTED;
    text->bytes[text->length] = 0;
    return text;
}

AwkText *awk_text_create(AwkPool *pool, const char *bytes, size_t length)
{
    AwkText *text = awk_text_room(pool, length);
    memcpy(text->bytes, bytes, text->length);
    return text;
}

void awk_text_destroy(AwkPool *pool, AwkText *text)
{
    if (text != &empty.text)
        awk_pool_give(pool, text, size_of(text->room));
}

static bool bytewise;

void awk_text_locale(bool bytes)
{
    bytewise = bytes;
}

uint32_t awk_text_characters(AwkText *text)
{
    if (text->characters == AWK_UNCOUNTED)
        text->characters = (uint32_t)awk_count_characters(text->bytes, text->length);
    return text->characters;
}

/* How many bytes a character has that begins with `lead`; 0 when none does. */
static size_t expected_size(uint8_t lead)
{
    return lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
}

/* Overlong forms, surrogates and what lies above U+10FFFF show in the second byte. */
static bool second_fits(uint8_t lead, uint8_t second)
{
    switch (lead) {
    case 0xE0:
        return second >= 0xA0;
    case 0xED:
        return second < 0xA0;
    case 0xF0:
        return second >= 0x90;
    case 0xF4:
        return second < 0x90;
    default:
        return true;
    }
}

size_t awk_character_size(const char *bytes, size_t length, size_t at)
{
    const uint8_t *lead = (const uint8_t *)bytes + at;
    const size_t size = bytewise ? 1 : expected_size(*lead);
    if (size <= 1 || length - at < size || !second_fits(lead[0], lead[1]))
        return 1;
    for (size_t i = 1; i < size; i++)
        if ((lead[i] & 0xC0) != 0x80)
            return 1;
    return size;
}

/* Length of the run of plain ASCII that starts at `at`. */
static size_t ascii_run(const char *bytes, size_t length, size_t at)
{
    size_t end = at;
    for (uint64_t word; length - end >= sizeof word; end += sizeof word) {
        memcpy(&word, bytes + end, sizeof word);
        if (word & 0x8080808080808080u)
            break;
    }
    while (end < length && !(bytes[end] & 0x80))
        end++;
    return end - at;
}

size_t awk_count_characters(const char *bytes, size_t length)
{
    size_t count = bytewise ? length : 0;
    for (size_t at = count; at < length;) {
        const size_t run = ascii_run(bytes, length, at);
        count += run;
        at += run;
        if (at < length) {
            at += awk_character_size(bytes, length, at);
            count++;
        }
    }
    return count;
}

size_t awk_skip_characters(const char *bytes, size_t length, size_t from, size_t index)
{
    size_t at = from;
    for (; index && at < length; index--)
        at += awk_character_size(bytes, length, at);
    return at;
}

int32_t awk_code_point(const char *bytes, size_t length, size_t at)
{
    const uint8_t *p = (const uint8_t *)bytes + at;
    switch (awk_character_size(bytes, length, at)) {
    case 2:
        return (p[0] & 0x1F) << 6 | (p[1] & 0x3F);
    case 3:
        return (p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F);
    case 4:
        return (p[0] & 0x07) << 18 | (p[1] & 0x3F) << 12 | (p[2] & 0x3F) << 6 | (p[3] & 0x3F);
    default:
        return p[0] < 0x80 ? p[0] : -1;
    }
}

size_t awk_encode(uint32_t c, char *bytes)
{
    if (c < 0x80 || bytewise) {
        bytes[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        bytes[0] = (char)(0xC0 | c >> 6);
        bytes[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    const size_t size = c < 0x10000 ? 3 : 4;
    bytes[0] = (char)(size == 3 ? 0xE0 | c >> 12 : 0xF0 | c >> 18);
    for (size_t i = 1; i < size; i++)
        bytes[i] = (char)(0x80 | (c >> 6 * (size - 1 - i) & 0x3F));
    return size;
}

int awk_compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length)
{
    const size_t shared = a_length < b_length ? a_length : b_length;
    const int order = shared ? memcmp(a, b, shared) : 0;
    return order ? order : (a_length > b_length) - (a_length < b_length);
}
