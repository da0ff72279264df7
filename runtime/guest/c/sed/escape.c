#include "parser.h"

static int digit_of(uint8_t c, int base)
{
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
    return digit < base ? digit : -1;
}

/* Up to `most` digits behind the letter; the letter itself when there is none. */
static int number(const uint8_t *text, size_t length, size_t *at, int base, size_t most)
{
    const uint8_t letter = text[(*at)++];
    const size_t start = *at;
    int value = 0;
    for (int digit; *at < length && *at - start < most && (digit = digit_of(text[*at], base)) >= 0; ++*at)
        value = value * base + digit;
    return *at == start ? letter : value & 255;
}

static int control(const uint8_t *text, size_t length, size_t *at)
{
    if (*at + 1 >= length)
        return -1;
    uint8_t c = text[*at + 1];
    if (c >= 'a' && c <= 'z')
        c = (uint8_t)(c - 32);
    *at += 2;
    return c ^ 0x40;
}

int sed_escape(const uint8_t *text, size_t length, size_t *at)
{
    static const char letters[] = "afnrtv", meanings[] = "\a\f\n\r\t\v";
    switch (text[*at]) {
    case 'c': return control(text, length, at);
    case 'd': return number(text, length, at, 10, 3);
    case 'o': return number(text, length, at, 8, 3);
    case 'x': return number(text, length, at, 16, 2);
    default: break;
    }
    const char *letter = text[*at] ? strchr(letters, text[*at]) : NULL;
    if (!letter)
        return -1;
    ++*at;
    return meanings[letter - letters];
}
