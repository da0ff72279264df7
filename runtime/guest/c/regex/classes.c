#include <string.h>

#include "charset.h"
#include "unicode_tables.h"

typedef struct {
    const char *name;
    const uint8_t *data; /* see derive/unicode.py; NULL for what add_parts() puts together */
    size_t size;
} Table;

#define TABLE(name) { #name, rx_table_##name, sizeof rx_table_##name }

static const Table classes[RX_CLASSES] = {
    [RX_ALPHA] = TABLE(alpha), [RX_DIGIT] = { "digit", NULL, 0 }, [RX_ALNUM] = { "alnum", NULL, 0 },
    [RX_UPPER] = TABLE(upper), [RX_LOWER] = TABLE(lower), [RX_PUNCT] = TABLE(punct), [RX_GRAPH] = TABLE(graph),
    [RX_PRINT] = TABLE(print), [RX_SPACE] = TABLE(space), [RX_BLANK] = TABLE(blank), [RX_CNTRL] = TABLE(cntrl),
    [RX_XDIGIT] = { "xdigit", NULL, 0 }, [RX_WORD] = { "word", NULL, 0 },
};

static const Table properties[] = {
    TABLE(L), TABLE(Ll), TABLE(Lt), TABLE(Lu), TABLE(M), TABLE(N), TABLE(Nd), TABLE(P), TABLE(S), TABLE(Z),
};

/* Scripts by their main blocks. */
static const struct {
    const char *name;
    RxRange ranges[6];
} scripts[] = {
    { "Any", { { 0, 0xd7ff }, { 0xe000, RX_LAST } } },
    { "Arabic", { { 0x600, 0x604 }, { 0x606, 0x60b }, { 0x60d, 0x61a }, { 0x61c, 0x6ff }, { 0x750, 0x77f } } },
    { "Cyrillic", { { 0x400, 0x52f }, { 0x1c80, 0x1c88 }, { 0x2de0, 0x2dff }, { 0xa640, 0xa69f } } },
    { "Greek", { { 0x370, 0x373 }, { 0x375, 0x37d }, { 0x37f, 0x3e1 }, { 0x3f0, 0x3ff }, { 0x1f00, 0x1ffe } } },
    { "Han", { { 0x2e80, 0x2fd5 }, { 0x3005, 0x3007 }, { 0x3021, 0x3029 }, { 0x3400, 0x4dbf }, { 0x4e00, 0x9fff },
               { 0x20000, 0x323af } } },
    { "Hangul", { { 0x1100, 0x11ff }, { 0x3131, 0x318e }, { 0xac00, 0xd7a3 } } },
    { "Hebrew", { { 0x591, 0x5f4 }, { 0xfb1d, 0xfb4f } } },
    { "Hiragana", { { 0x3041, 0x3096 }, { 0x309d, 0x309f } } },
    { "Katakana", { { 0x30a1, 0x30fa }, { 0x30fd, 0x30ff }, { 0x31f0, 0x31ff }, { 0xff66, 0xff9d } } },
    { "Latin", { { 'A', 'Z' }, { 'a', 'z' }, { 0xaa, 0xaa }, { 0xba, 0xba }, { 0xc0, 0x24f }, { 0x1e00, 0x1eff } } },
};

static uint32_t number(const uint8_t **at)
{
    uint32_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = *(*at)++;
        value |= (uint32_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

static void add_table(RxArena *arena, RxSet *set, const Table *table, uint32_t last)
{
    const uint8_t *at = table->data, *end = at + table->size;
    for (uint32_t code = 0; at < end && code <= last;) {
        code += number(&at);
        const uint32_t length = number(&at), hi = code + length - 1;
        if (code <= last)
            rx_set_add(arena, set, code, hi < last ? hi : last);
        code += length;
    }
}

void rx_set_add_class(RxArena *arena, RxSet *set, RxClass class, bool ascii)
{
    const Table *table = &classes[class];
    if (table->data)
        add_table(arena, set, table, ascii ? 0x7f : RX_LAST);
    else
        rx_set_add(arena, set, '0', '9');
    if (class == RX_ALNUM || class == RX_WORD)
        add_table(arena, set, &classes[RX_ALPHA], ascii ? 0x7f : RX_LAST);
    if (class == RX_WORD)
        rx_set_add(arena, set, '_', '_');
    if (class == RX_XDIGIT)
        rx_set_add(arena, set, 'A', 'F'), rx_set_add(arena, set, 'a', 'f');
    rx_set_tidy(set);
}

static bool named(const char *known, const char *name, size_t length)
{
    return strlen(known) == length && !memcmp(known, name, length);
}

RxClass rx_class_named(const char *name, size_t length)
{
    unsigned class = 0;
    while (class < RX_WORD && !named(classes[class].name, name, length))
        class++;
    return class < RX_WORD ? (RxClass)class : RX_CLASSES;
}

bool rx_set_add_property(RxArena *arena, RxSet *set, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        if (named(properties[i].name, name, length)) {
            add_table(arena, set, &properties[i], RX_LAST);
            return true;
        }
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (named(scripts[i].name, name, length)) {
            for (size_t k = 0; k < 6 && scripts[i].ranges[k].hi; k++)
                rx_set_add(arena, set, scripts[i].ranges[k].lo, scripts[i].ranges[k].hi);
            return true;
        }
    return false;
}
