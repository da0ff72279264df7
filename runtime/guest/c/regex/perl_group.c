/* What begins with a parenthesis in Perl's syntax. */
#include <string.h>

#include "perl.h"

static RxNode *parse_capture(RxParser *parser, char name_end)
{
    const unsigned index = ++parser->groups;
    if (name_end) {
        RxName *name = rx_alloc(parser->arena, sizeof *name);
        if (!name)
            return rx_checked(parser, NULL);
        name->text = rx_perl_name(parser, name_end, &name->length);
        name->index = index;
        name->older = parser->names;
        parser->names = name;
    }
    RxNode *part = parser->error ? NULL : rx_perl_alternatives(parser);
    RxNode *group = part ? rx_wrap(parser->arena, RX_GROUP, part) : NULL;
    if (group)
        group->index = index;
    return group;
}

static RxNode *parse_look(RxParser *parser, bool behind, bool negative)
{
    RxNode *part = rx_perl_alternatives(parser);
    if (part && behind)
        part = rx_perl_behind(parser, part);
    RxNode *look = part ? rx_wrap(parser->arena, RX_LOOK, part) : NULL;
    if (look)
        look->negative = negative;
    return look;
}

static void set_option(RxParser *parser, int letter, bool on)
{
    unsigned *word = letter == 'i' ? &parser->flags : &parser->syntax;
    const unsigned bit = letter == 'i' ? AMLA_REGEX_IGNORE_CASE : letter == 'm' ? RX_P_LINES
                         : letter == 's' ? RX_P_DOT_ALL : RX_P_SPACED;
    *word = on ? *word | bit : *word & ~bit;
}

/* Behind (?: letters up to ) or :. NULL without an error means that they hold for the rest of this group. */
static RxNode *parse_options(RxParser *parser, bool *rest)
{
    bool on = true;
    for (int letter; (letter = rx_perl_peek(parser, 0)) > 0; parser->at++) {
        if (letter == ')') {
            *rest = true;
            return rx_checked(parser, rx_node(parser->arena, RX_EMPTY));
        }
        if (letter == ':') {
            parser->at++;
            return rx_perl_alternatives(parser);
        }
        if (letter == '-' || letter == '^')
            on = false;
        else if (strchr("imsx", letter))
            set_option(parser, letter, on);
        else
            return rx_fail(parser, "unrecognized character after (? or (?-");
    }
    return rx_fail(parser, "missing closing parenthesis");
}

/* Behind (: what kind of group it is, and what is in it. */
static RxNode *parse_group_body(RxParser *parser, bool *rest)
{
    if (rx_perl_take(parser, "?:"))
        return rx_perl_alternatives(parser);
    if (rx_perl_take(parser, "?="))
        return parse_look(parser, false, false);
    if (rx_perl_take(parser, "?!"))
        return parse_look(parser, false, true);
    if (rx_perl_take(parser, "?<="))
        return parse_look(parser, true, false);
    if (rx_perl_take(parser, "?<!"))
        return parse_look(parser, true, true);
    if (rx_perl_take(parser, "?>"))
        return rx_wrap(parser->arena, RX_ATOMIC, rx_perl_alternatives(parser));
    if (rx_perl_take(parser, "?P=")) {
        RxNode *backref = rx_perl_named_backref(parser, ')');
        parser->at -= backref != NULL;
        return backref;
    }
    if (rx_perl_is_call(parser))
        return rx_perl_call(parser);
    if (rx_perl_take(parser, "?&") || rx_perl_take(parser, "?P>")) {
        RxNode *call = rx_perl_named_call(parser, ')');
        parser->at -= call != NULL;
        return call;
    }
    if (rx_perl_take(parser, "?|"))
        return rx_perl_branch_reset(parser);
    if (rx_perl_take(parser, "?(DEFINE)"))
        return rx_perl_define(parser);
    if (rx_perl_take(parser, "?P<") || rx_perl_take(parser, "?<"))
        return parse_capture(parser, '>');
    if (rx_perl_take(parser, "?'"))
        return parse_capture(parser, '\'');
    if (rx_perl_take(parser, "?"))
        return parse_options(parser, rest);
    if (rx_perl_peek(parser, 0) == '*')
        return rx_fail(parser, "(*VERB) not recognized or malformed");
    return parse_capture(parser, '\0');
}

RxNode *rx_perl_group(RxParser *parser)
{
    const unsigned flags = parser->flags, syntax = parser->syntax;
    bool rest = false;
    if (rx_perl_take(parser, "?#")) {
        const uint8_t *end = memchr(parser->text + parser->at, ')', parser->length - parser->at);
        if (!end)
            return rx_fail(parser, "missing ) after (?# comment");
        parser->at = (size_t)(end + 1 - parser->text);
        return rx_checked(parser, rx_node(parser->arena, RX_EMPTY));
    }
    if (++parser->nesting > RX_DEPTH_MAX)
        return rx_fail(parser, "parentheses are too deeply nested");
    RxNode *node = parse_group_body(parser, &rest);
    parser->nesting--;
    if (node && !rx_perl_take(parser, ")"))
        return rx_fail(parser, "missing closing parenthesis");
    if (!rest) {
        parser->flags = flags;
        parser->syntax = syntax;
    }
    return parser->error ? NULL : rx_checked(parser, node);
}
