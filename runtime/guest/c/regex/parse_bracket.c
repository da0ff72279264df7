/* Bracket expressions of BRE and ERE. */
#include <string.h>

#include "parser.h"

enum { NAME_MAX_LENGTH = 32 };

static const char unmatched[] = "Unmatched [, [^, [:, [., or [=";

typedef enum { B_END, B_CHAR, B_NAMED, B_RANGE, B_CLOSE } BracketType;

typedef struct {
    BracketType type;
    uint32_t c; /* of B_NAMED: one of . = : */
    size_t length;
} BracketToken;

/* A part of the list: a character that may begin or end a range, or a class that stands for itself. */
typedef struct {
    bool is_class;
    uint32_t c;
    RxClass class;
} Element;

/* Three hyphens in a row stand for one as a character, as in the awk of old. */
static bool three_hyphens(const RxParser *parser)
{
    return parser->flags & AMLA_REGEX_AWK && parser->at + 2 < parser->length && !memcmp(parser->text + parser->at, "---", 3);
}

static BracketToken peek(const RxParser *parser)
{
    if (parser->at >= parser->length)
        return (BracketToken){ B_END, 0, 0 };
    BracketToken token = { .type = B_CHAR };
    token.length = rx_pattern_char(parser, parser->at, &token.c);
    const bool more = parser->at + 1 < parser->length;
    if (token.c == '\\' && more && parser->syntax & RX_LIST_ESCAPES) {
        token.length = 1 + rx_pattern_char(parser, parser->at + 1, &token.c);
    } else if (token.c == '[' && more && strchr(".=:", parser->text[parser->at + 1]) && parser->text[parser->at + 1]) {
        token = (BracketToken){ B_NAMED, parser->text[parser->at + 1], 2 };
    } else if (token.c == '-' && three_hyphens(parser)) {
        token.length = 3;
    } else if (token.c == '-') {
        token.type = B_RANGE;
    } else if (token.c == ']') {
        token.type = B_CLOSE;
    }
    return token;
}

/* Behind [: [= or [. : the name up to its end; NULL with the error noted. */
static const char *parse_name(RxParser *parser, uint32_t delimiter, size_t *length)
{
    const size_t start = parser->at;
    for (size_t at = start; at + 1 < parser->length && at - start < NAME_MAX_LENGTH; at++)
        if (parser->text[at] == delimiter && parser->text[at + 1] == ']') {
            *length = at - start;
            parser->at = at + 2;
            return (const char *)parser->text + start;
        }
    rx_fail(parser, unmatched);
    return NULL;
}

static bool parse_named(RxParser *parser, uint32_t delimiter, Element *element)
{
    size_t length;
    const char *name = parse_name(parser, delimiter, &length);
    if (!name)
        return false;
    if (delimiter == ':') {
        element->is_class = true;
        element->class = rx_class_named(name, length);
        if (parser->flags & AMLA_REGEX_IGNORE_CASE && (element->class == RX_UPPER || element->class == RX_LOWER))
            element->class = RX_ALPHA;
        if (element->class == RX_CLASSES)
            rx_fail(parser, "Invalid character class name");
    } else {
        element->is_class = delimiter == '='; /* it ends no range either */
        element->class = RX_CLASSES;
        element->c = (uint8_t)name[0];
        if (length != 1)
            rx_fail(parser, "Invalid collation character");
    }
    return !parser->error;
}

static bool parse_element(RxParser *parser, BracketToken token, bool hyphen_allowed, Element *element)
{
    *element = (Element){ .c = token.c };
    parser->at += token.length;
    if (token.type == B_NAMED)
        return parse_named(parser, token.c, element);
    if (token.type == B_RANGE && !hyphen_allowed && peek(parser).type != B_CLOSE)
        rx_fail(parser, "Invalid range end");
    return !parser->error;
}

/* Whether a range's hyphen comes next and not the last one of the list; moves behind it. */
static bool range_follows(RxParser *parser)
{
    const BracketToken hyphen = peek(parser);
    if (hyphen.type != B_RANGE)
        return false;
    parser->at += hyphen.length;
    const BracketType next = peek(parser).type;
    if (next == B_END)
        rx_fail(parser, unmatched);
    if (next == B_CLOSE)
        parser->at -= hyphen.length;
    return next != B_CLOSE && next != B_END;
}

static void add_range(RxParser *parser, RxSet *set, const Element *start, const Element *end)
{
    uint32_t lo = start->c, hi = end->c;
    if (parser->flags & AMLA_REGEX_IGNORE_CASE) {
        lo = rx_upper(lo);
        hi = rx_upper(hi);
    }
    if (start->is_class || end->is_class || lo > hi)
        rx_fail(parser, "Invalid range end");
    else
        rx_set_add(parser->arena, set, lo, hi);
}

static void add_element(RxParser *parser, RxSet *set, const Element *element)
{
    if (element->is_class && element->class != RX_CLASSES)
        rx_set_add_class(parser->arena, set, element->class, parser->flags & AMLA_REGEX_BYTES);
    else
        rx_set_add(parser->arena, set, element->c, element->c);
}

/* grep refuses [:space:], which nobody means as a list of characters. */
static bool forgot_brackets(const RxParser *parser, size_t start)
{
    if (!(parser->flags & AMLA_REGEX_NEWLINE_LIST) || parser->at < start + 4)
        return false;
    const uint8_t *list = parser->text + start;
    const size_t length = parser->at - 1 - start;
    return list[0] == ':' && list[length - 1] == ':' && !memchr(list, '-', length) && !memchr(list, '[', length) &&
           memchr(list + 1, ':', length - 2) == NULL;
}

static void parse_list(RxParser *parser, RxSet *set)
{
    BracketToken token = peek(parser);
    if (token.type == B_CLOSE)
        token.type = B_CHAR;
    for (bool first = true; token.type != B_CLOSE && !parser->error; first = false) {
        Element start, end;
        if (token.type == B_END)
            rx_fail(parser, unmatched);
        else if (!parse_element(parser, token, first, &start))
            return;
        else if (!start.is_class && range_follows(parser)) {
            if (parse_element(parser, peek(parser), true, &end))
                add_range(parser, set, &start, &end);
        } else {
            add_element(parser, set, &start);
        }
        token = peek(parser);
    }
    parser->at += token.length;
}

RxNode *rx_parse_bracket(RxParser *parser)
{
    RxSet set = { 0 };
    BracketToken token = peek(parser);
    const bool negated = token.type == B_CHAR && token.c == '^' && token.length == 1;
    if (negated) {
        parser->at += token.length;
        token = peek(parser);
    }
    if (token.type == B_END)
        return rx_fail(parser, "Invalid regular expression");
    const size_t start = parser->at;
    parse_list(parser, &set);
    if (!parser->error && forgot_brackets(parser, start))
        rx_fail(parser, "character class syntax is [[:space:]], not [:space:]");
    if (parser->error)
        return NULL;
    if (negated && parser->flags & AMLA_REGEX_MULTILINE)
        rx_set_add(parser->arena, &set, '\n', '\n');
    rx_set_tidy(&set);
    if (parser->flags & AMLA_REGEX_IGNORE_CASE)
        rx_set_fold(parser->arena, &set, RX_FOLD_UPPER, parser->flags & AMLA_REGEX_BYTES);
    if (negated)
        rx_set_invert(parser->arena, &set, parser->flags & AMLA_REGEX_BYTES);
    return rx_set_node(parser, &set);
}
