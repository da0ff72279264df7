/* Calls of groups in Perl's syntax: (?R), (?1), (?-1), (?&name), \\g<name>; and (?|, (?(DEFINE). */
#include <string.h>

#include "perl.h"

struct RxNamedCall {
    RxNode *node;
    const uint8_t *name;
    size_t length;
    RxNamedCall *older;
};

static RxNode *call(RxParser *parser, long number)
{
    if (number < 0 || number > 9999)
        return rx_fail(parser, "reference to non-existent subpattern");
    if (parser->highest_backref < (unsigned)number)
        parser->highest_backref = (unsigned)number;
    return rx_perl_leaf(parser, RX_CALL, (unsigned)number);
}

static RxNode *number_call(RxParser *parser)
{
    const bool ahead = rx_perl_take(parser, "+"), back = !ahead && rx_perl_take(parser, "-");
    const long number = rx_perl_number(parser, 10, 5);
    if ((ahead || back) && number < 1)
        return rx_fail(parser, "reference to non-existent subpattern");
    if (ahead)
        return call(parser, (long)parser->groups + number);
    return call(parser, back ? (long)parser->groups + 1 - number : number ? number + (long)parser->base : 0);
}

RxNode *rx_perl_named_call(RxParser *parser, char end)
{
    RxNode *node = rx_perl_leaf(parser, RX_CALL, 0);
    RxNamedCall *named = node ? rx_alloc(parser->arena, sizeof *named) : NULL;
    if (!named)
        return rx_checked(parser, NULL);
    named->node = node;
    named->name = rx_perl_name(parser, end, &named->length);
    named->older = parser->named_calls;
    parser->named_calls = named;
    return parser->error ? NULL : node;
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

bool rx_perl_is_call(const RxParser *parser)
{
    const int first = rx_perl_peek(parser, 1);
    if (rx_perl_peek(parser, 0) != '?')
        return false;
    return first == 'R' || is_digit(first) || ((first == '+' || first == '-') && is_digit(rx_perl_peek(parser, 2)));
}

RxNode *rx_perl_call(RxParser *parser)
{
    parser->at++;
    return rx_perl_take(parser, "R") ? call(parser, 0) : number_call(parser);
}

RxNode *rx_perl_g_call(RxParser *parser, char end)
{
    const int c = rx_perl_peek(parser, 0);
    if (!is_digit(c) && c != '+' && c != '-')
        return rx_perl_named_call(parser, end);
    RxNode *node = number_call(parser);
    if (node && rx_perl_peek(parser, 0) != end)
        return rx_fail(parser, "a numbered reference is not terminated");
    parser->at++;
    return node;
}

bool rx_perl_resolve(RxParser *parser)
{
    for (const RxNamedCall *named = parser->named_calls; named; named = named->older) {
        const RxName *name = parser->names;
        while (name && (name->length != named->length || memcmp(name->text, named->name, name->length)))
            name = name->older;
        if (!name)
            return rx_fail(parser, "reference to non-existent subpattern");
        named->node->index = name->index;
    }
    return true;
}

RxNode *rx_perl_branch_reset(RxParser *parser)
{
    const unsigned first = parser->groups;
    unsigned most = first;
    RxNode *alternatives = rx_node(parser->arena, RX_ALT);
    do {
        parser->groups = first;
        alternatives = alternatives ? rx_append(alternatives, rx_perl_branch(parser)) : NULL;
        most = parser->groups > most ? parser->groups : most;
    } while (alternatives && !parser->error && rx_perl_take(parser, "|"));
    parser->groups = most;
    return parser->error ? NULL : rx_checked(parser, alternatives);
}

RxNode *rx_perl_define(RxParser *parser)
{
    RxNode *never = rx_wrap(parser->arena, RX_REPEAT, rx_perl_branch(parser));
    return parser->error ? NULL : rx_checked(parser, never);
}
