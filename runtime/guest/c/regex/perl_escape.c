/* Escapes of Perl's syntax that stand for characters. */
#include <string.h>

#include "perl.h"

int rx_perl_peek(const RxParser *parser, size_t ahead)
{
    return parser->at + ahead < parser->length ? parser->text[parser->at + ahead] : -1;
}

bool rx_perl_take(RxParser *parser, const char *expected)
{
    const size_t length = strlen(expected);
    if (parser->length - parser->at < length || memcmp(parser->text + parser->at, expected, length) != 0)
        return false;
    parser->at += length;
    return true;
}

static unsigned digit_of(int c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)c - '0';
    const int letter = c | 32;
    return c > 0 && letter >= 'a' && letter <= 'f' ? (unsigned)letter - 'a' + 10 : 99;
}

long rx_perl_number(RxParser *parser, unsigned base, unsigned most)
{
    long value = -1;
    for (; most && digit_of(rx_perl_peek(parser, 0)) < base; most--, parser->at++) {
        value = (value < 0 ? 0 : value * (long)base) + (long)digit_of(rx_perl_peek(parser, 0));
        if (value > (long)RX_LAST)
            value = RX_LAST + 1;
    }
    return value;
}

static const RxRange horizontal[] = { { '\t', '\t' }, { ' ', ' ' }, { 0xa0, 0xa0 }, { 0x1680, 0x1680 },
                                      { 0x180e, 0x180e }, { 0x2000, 0x200a }, { 0x202f, 0x202f },
                                      { 0x205f, 0x205f }, { 0x3000, 0x3000 } };
static const RxRange vertical[] = { { 0xa, 0xd }, { 0x85, 0x85 }, { 0x2028, 0x2029 } };
static const RxRange newline[] = { { '\n', '\n' } };

static void add_ranges(RxParser *parser, RxSet *set, const RxRange *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ranges[i].hi < 0x100 || !(parser->flags & AMLA_REGEX_BYTES))
            rx_set_add(parser->arena, set, ranges[i].lo, ranges[i].hi);
}

/* Behind \p or \P: {name}, {^name} or one letter; true if it was negated. */
static bool add_property(RxParser *parser, RxSet *set)
{
    size_t length = 1;
    const bool braces = rx_perl_take(parser, "{"), negated = braces && rx_perl_take(parser, "^");
    const char *name = (const char *)parser->text + parser->at;
    if (braces) {
        const char *end = memchr(name, '}', parser->length - parser->at);
        length = end ? (size_t)(end - name) : 0;
    }
    if (parser->at + length + braces > parser->length || !length ||
        !rx_set_add_property(parser->arena, set, name, length)) {
        rx_fail(parser, "unknown property after \\P or \\p");
        return false;
    }
    parser->at += length + braces;
    return negated;
}

static bool add_class(RxParser *parser, RxSet *set, uint8_t letter, bool *negated)
{
    switch (letter) {
    case 'd': rx_set_add_class(parser->arena, set, RX_DIGIT, true); return true;
    case 'w': rx_set_add_class(parser->arena, set, RX_WORD, true); return true;
    case 's': rx_set_add_class(parser->arena, set, RX_SPACE, true); return true;
    case 'h': add_ranges(parser, set, horizontal, sizeof horizontal / sizeof *horizontal); return true;
    case 'v': add_ranges(parser, set, vertical, sizeof vertical / sizeof *vertical); return true;
    case 'n': add_ranges(parser, set, newline, 1); return true;
    case 'p': *negated ^= add_property(parser, set); return true;
    default: return false;
    }
}

bool rx_perl_class_escape(RxParser *parser, RxSet *set)
{
    const int letter = rx_perl_peek(parser, 0);
    if (letter < 0 || !strchr("dwshvpDWSHVPN", letter) || !letter)
        return false;
    parser->at++;
    RxSet class = { 0 };
    bool negated = letter < 'a';
    add_class(parser, &class, (uint8_t)(letter | 32), &negated);
    rx_set_tidy(&class);
    if (negated)
        rx_set_invert(parser->arena, &class, parser->flags & AMLA_REGEX_BYTES);
    rx_set_add_all(parser->arena, set, &class);
    return true;
}

static uint32_t checked(RxParser *parser, long value)
{
    const long last = parser->flags & AMLA_REGEX_BYTES ? 0xff : (long)RX_LAST;
    if (value > last)
        rx_fail(parser, "character code point value in \\x{} or \\o{} is too large");
    return value < 0 || value > last ? 0 : (uint32_t)value;
}

static uint32_t in_braces(RxParser *parser, unsigned base)
{
    const long value = rx_perl_number(parser, base, 12);
    if (!rx_perl_take(parser, "}"))
        rx_fail(parser, "missing terminating } or wrong digit in \\x{} or \\o{}");
    return checked(parser, value);
}

uint32_t rx_perl_char_escape(RxParser *parser)
{
    static const char letters[] = "aefnrt", meanings[] = "\a\033\f\n\r\t";
    if (rx_perl_take(parser, "x{"))
        return in_braces(parser, 16);
    if (rx_perl_take(parser, "o{"))
        return in_braces(parser, 8);
    uint32_t c = 0;
    if (parser->at >= parser->length) {
        rx_fail(parser, "\\ at end of pattern");
        return 0;
    }
    if (rx_perl_peek(parser, 0) >= '0' && rx_perl_peek(parser, 0) <= '7')
        return checked(parser, rx_perl_number(parser, 8, 3));
    parser->at += rx_pattern_char(parser, parser->at, &c);
    if (c == 'x')
        return checked(parser, rx_perl_number(parser, 16, 2));
    if (c == 'c' && rx_perl_peek(parser, 0) > 0) {
        const uint32_t control = rx_upper((uint8_t)parser->text[parser->at++]);
        return control ^ 64;
    }
    const char *known = c && c < 0x80 ? strchr(letters, (int)c) : NULL;
    if (known)
        return (uint32_t)meanings[known - letters];
    if (c < 0x80 && (c | 32) - 'a' < 26)
        rx_fail(parser, "unrecognized character follows \\");
    return c;
}
