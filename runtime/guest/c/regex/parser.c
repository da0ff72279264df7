#include "parser.h"

#include <string.h>

#include "utf8.h"

RxNode *rx_fail(RxParser *parser, const char *error)
{
    if (!parser->error)
        parser->error = error;
    return NULL;
}

RxNode *rx_checked(RxParser *parser, RxNode *node)
{
    if (!node)
        return rx_fail(parser, "Memory exhausted");
    return node->depth > RX_DEPTH_MAX ? rx_fail(parser, "Regular expression too big") : node;
}

size_t rx_pattern_char(const RxParser *parser, size_t at, uint32_t *c)
{
    if (!(parser->flags & AMLA_REGEX_BYTES))
        return rx_decode(parser->text + at, parser->length - at, c);
    *c = parser->text[at];
    return 1;
}

uint32_t rx_line_end(unsigned flags)
{
    if (!(flags & AMLA_REGEX_LINES))
        return RX_NOTHING;
    return flags & AMLA_REGEX_NUL_LINES ? '\0' : '\n';
}

RxNode *rx_set_node(RxParser *parser, RxSet *set)
{
    RxNode *node = rx_node(parser->arena, RX_SET);
    rx_set_tidy(set);
    const uint32_t line_end = rx_line_end(parser->flags);
    if (line_end != RX_NOTHING)
        rx_set_remove(parser->arena, set, line_end);
    if (node)
        node->set = *set;
    return rx_checked(parser, parser->arena->failed ? NULL : node);
}

RxNode *rx_char_node(RxParser *parser, uint32_t c)
{
    RxSet set = { 0 };
    rx_set_add(parser->arena, &set, c, c);
    if (parser->flags & AMLA_REGEX_IGNORE_CASE)
        rx_set_fold(parser->arena, &set, parser->flags & AMLA_REGEX_PERL ? RX_FOLD_FULL : RX_FOLD_UPPER,
                    parser->flags & AMLA_REGEX_BYTES);
    return rx_set_node(parser, &set);
}

RxNode *rx_any_node(RxParser *parser, uint32_t not)
{
    RxSet set = { 0 };
    if (not != RX_NOTHING)
        rx_set_add(parser->arena, &set, not, not);
    rx_set_invert(parser->arena, &set, parser->flags & AMLA_REGEX_BYTES);
    return rx_set_node(parser, &set);
}

RxNode *rx_class_node(RxParser *parser, RxClass class, bool negated)
{
    RxSet set = { 0 };
    rx_set_add_class(parser->arena, &set, class, parser->flags & (AMLA_REGEX_BYTES | AMLA_REGEX_PERL));
    if (negated)
        rx_set_invert(parser->arena, &set, parser->flags & AMLA_REGEX_BYTES);
    return rx_set_node(parser, &set);
}

RxNode *rx_assert_node(RxParser *parser, RxAssert kind)
{
    RxNode *node = rx_node(parser->arena, RX_ASSERT);
    if (node)
        node->index = kind;
    return rx_checked(parser, node);
}

static RxNode *parse_one(RxParser *parser)
{
    if (parser->flags & AMLA_REGEX_LITERAL)
        return rx_parse_literals(parser);
    return parser->flags & AMLA_REGEX_PERL ? rx_parse_perl(parser) : rx_parse_posix(parser);
}

/* Each line of the pattern on its own: its parentheses are balanced, its \1 is its own first group. */
static RxNode *parse_list(RxParser *parser)
{
    const uint8_t *const text = parser->text, *const end = text + parser->length;
    RxNode *list = rx_node(parser->arena, RX_ALT);
    for (const uint8_t *line = text; list && !parser->error;) {
        const uint8_t *newline = memchr(line, '\n', (size_t)(end - line));
        parser->text = line;
        parser->length = (size_t)((newline ? newline : end) - line);
        parser->at = 0;
        parser->base = parser->groups;
        parser->closed = 0;
        RxNode *pattern = parse_one(parser);
        if (!newline && !list->first)
            return pattern;
        list = rx_append(list, pattern);
        if (!newline)
            break;
        line = newline + 1;
    }
    return parser->error ? NULL : rx_checked(parser, list);
}

static RxNode *surround(RxParser *parser, RxNode *node, RxAssert before, RxAssert after)
{
    RxNode *whole = rx_append(rx_node(parser->arena, RX_CAT), rx_assert_node(parser, before));
    whole = rx_append(whole, node);
    return rx_checked(parser, rx_append(whole, rx_assert_node(parser, after)));
}

RxNode *rx_parse(RxParser *parser)
{
    const bool list = parser->flags & AMLA_REGEX_NEWLINE_LIST && !(parser->flags & AMLA_REGEX_LITERAL);
    RxNode *node = list ? parse_list(parser) : parse_one(parser);
    if (node && parser->flags & AMLA_REGEX_WHOLE_LINE) {
        const bool lines = parser->flags & (AMLA_REGEX_LINES | AMLA_REGEX_MULTILINE);
        return surround(parser, node, lines ? RX_LINE_START : RX_TEXT_START, lines ? RX_LINE_END : RX_TEXT_END);
    }
    if (node && parser->flags & AMLA_REGEX_WHOLE_WORD)
        return surround(parser, node, RX_NO_WORD_BEFORE, RX_NO_WORD_AFTER);
    return node;
}
