/* Bracket expressions of Perl's syntax. */
#include <string.h>

#include "perl.h"

/* [:name:] or [:^name:], if that comes next. */
static bool add_named(RxParser *parser, RxSet *set)
{
    const size_t left = parser->length - parser->at;
    const char *text = (const char *)parser->text + parser->at;
    if (left < 4 || text[0] != '[' || text[1] != ':')
        return false;
    const bool negated = text[2] == '^';
    const char *name = text + 2 + negated, *end = memchr(name, ':', left - 2 - negated);
    if (!end || end + 1 >= text + left || end[1] != ']')
        return false;
    RxSet class = { 0 };
    const size_t length = (size_t)(end - name);
    const RxClass found = length == 4 && !memcmp(name, "word", 4) ? RX_WORD : rx_class_named(name, length);
    parser->at += (size_t)(end + 2 - text);
    if (found == RX_CLASSES) {
        rx_fail(parser, "unknown POSIX class name");
        return true;
    }
    rx_set_add_class(parser->arena, &class, found, true);
    if (negated)
        rx_set_invert(parser->arena, &class, parser->flags & AMLA_REGEX_BYTES);
    rx_set_add_all(parser->arena, set, &class);
    return true;
}

/* One character that may begin or end a range; false, with what it stands for added, if it was a class. */
static bool read_char(RxParser *parser, RxSet *set, uint32_t *c)
{
    if (add_named(parser, set))
        return false;
    parser->at += rx_pattern_char(parser, parser->at, c);
    if (*c != '\\')
        return true;
    if (rx_perl_class_escape(parser, set))
        return false;
    *c = rx_perl_take(parser, "b") ? '\b' : rx_perl_char_escape(parser);
    return true;
}

static void add_part(RxParser *parser, RxSet *set)
{
    uint32_t lo, hi;
    if (!read_char(parser, set, &lo))
        return;
    hi = lo;
    if (rx_perl_peek(parser, 0) == '-' && rx_perl_peek(parser, 1) != ']' && rx_perl_peek(parser, 1) >= 0) {
        parser->at++;
        if (!read_char(parser, set, &hi)) {
            rx_set_add(parser->arena, set, '-', '-');
            hi = lo;
        } else if (hi < lo) {
            rx_fail(parser, "range out of order in character class");
            return;
        }
    }
    rx_set_add(parser->arena, set, lo, hi);
}

RxNode *rx_perl_bracket(RxParser *parser)
{
    RxSet set = { 0 };
    const bool negated = rx_perl_take(parser, "^");
    for (bool first = true; first || rx_perl_peek(parser, 0) != ']'; first = false) {
        if (parser->at >= parser->length)
            return rx_fail(parser, "missing terminating ] for character class");
        add_part(parser, &set);
        if (parser->error)
            return NULL;
    }
    parser->at++;
    rx_set_tidy(&set);
    if (parser->flags & AMLA_REGEX_IGNORE_CASE)
        rx_set_fold(parser->arena, &set, RX_FOLD_FULL, parser->flags & AMLA_REGEX_BYTES);
    if (negated)
        rx_set_invert(parser->arena, &set, parser->flags & AMLA_REGEX_BYTES);
    return rx_set_node(parser, &set);
}
