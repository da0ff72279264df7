#include "utf8.h"

#include "charset.h"

static bool continues(uint8_t byte)
{
    return (byte & 0xc0) == 0x80;
}

static size_t announced(uint8_t lead)
{
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

size_t rx_decode(const uint8_t *text, size_t left, uint32_t *c)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const size_t length = announced(text[0]);
    *c = RX_RAW + text[0];
    if (length == 1)
        *c = text[0];
    if (length < 2 || length > left)
        return 1;
    uint32_t value = text[0] & (0x7f >> length);
    for (size_t i = 1; i < length; i++) {
        if (!continues(text[i]))
            return 1;
        value = value << 6 | (text[i] & 0x3f);
    }
    if (value < least[length] || value > RX_LAST || (value >= 0xd800 && value < 0xe000))
        return 1;
    *c = value;
    return length;
}

size_t rx_character_around(const uint8_t *text, size_t length, size_t at, size_t *end)
{
    size_t start = at;
    for (unsigned back = 0; back < 3 && start > 0 && continues(text[start]); back++)
        start--;
    uint32_t c;
    *end = start + rx_decode(text + start, length - start, &c);
    if (*end <= at) {
        *end = at + 1;
        return at;
    }
    return start;
}
