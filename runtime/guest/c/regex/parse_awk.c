/* awk's escapes, which come before those of regular expressions. */
#include <string.h>

#include "parser.h"

static unsigned digit_of(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const uint8_t letter = c | 32;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10u : 99;
}

/* Up to `most` digits of that base at *at. */
static uint8_t number(const uint8_t **at, const uint8_t *end, unsigned base, unsigned most)
{
    unsigned value = 0;
    for (; most && *at < end && digit_of(**at) < base; most--)
        value = value * base + digit_of(*(*at)++);
    return (uint8_t)value;
}

/* The escape whose letter is at *at, moved behind; writes one or two bytes. */
static uint8_t *replace(const uint8_t **at, const uint8_t *end, uint8_t *out)
{
    static const char letters[] = "abfnrtv", meanings[] = "\a\b\f\n\r\t\v";
    const uint8_t letter = **at;
    const char *known = letter ? strchr(letters, letter) : NULL;
    if (known) {
        ++*at;
        *out++ = (uint8_t)meanings[known - letters];
    } else if (letter >= '0' && letter <= '7') {
        *out++ = number(at, end, 8, 3);
    } else if (letter == 'x' && *at + 1 < end && digit_of((*at)[1]) < 16) {
        ++*at;
        *out++ = number(at, end, 16, 2);
    } else {
        ++*at;
        if (letter != '8' && letter != '9' && letter != '/' && letter != '"')
            *out++ = '\\';
        *out++ = letter == 'y' ? 'b' : letter;
    }
    return out;
}

bool rx_replace_awk_escapes(RxParser *parser)
{
    uint8_t *const replaced = rx_alloc(parser->arena, parser->length + 1), *out = replaced;
    if (!replaced) {
        rx_fail(parser, "Memory exhausted");
        return false;
    }
    const uint8_t *const end = parser->text + parser->length;
    for (const uint8_t *at = parser->text; at < end;) {
        const uint8_t byte = *at++;
        if (byte == '\\' && at < end)
            out = replace(&at, end, out);
        else
            *out++ = byte;
    }
    parser->text = replaced;
    parser->length = (size_t)(out - replaced);
    return true;
}
