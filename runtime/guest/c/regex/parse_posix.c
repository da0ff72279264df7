/* Basic and extended regular expressions, in the grammar that the GNU C library's parser has in effect. */
#include "parser.h"

static RxNode *parse_alternatives(RxParser *parser);

static RxNode *parse_group(RxParser *parser)
{
    const unsigned index = ++parser->groups;
    if (++parser->nesting > RX_DEPTH_MAX)
        return rx_fail(parser, "Regular expression too big");
    rx_next_token(parser, true);
    RxNode *body = parser->token.type == RX_T_CLOSE ? rx_checked(parser, rx_node(parser->arena, RX_EMPTY))
                                                    : parse_alternatives(parser);
    if (!body)
        return NULL;
    if (parser->token.type != RX_T_CLOSE)
        return rx_fail(parser, "Unmatched ( or \\(");
    parser->nesting--;
    if (index - parser->base <= 9)
        parser->closed |= 1u << (index - parser->base);
    RxNode *group = rx_wrap(parser->arena, RX_GROUP, body);
    if (group)
        group->index = index;
    return rx_checked(parser, group);
}

static RxNode *parse_backref(RxParser *parser)
{
    const unsigned number = parser->token.c;
    if (!(parser->closed >> number & 1))
        return rx_fail(parser, "Invalid back reference");
    RxNode *node = rx_node(parser->arena, RX_BACKREF);
    if (node) {
        node->index = parser->base + number;
        node->fold = parser->flags & AMLA_REGEX_IGNORE_CASE;
    }
    parser->backrefs = true;
    return rx_checked(parser, node);
}

static RxNode *repeat(RxParser *parser, RxNode *part, int min, int max)
{
    if (max == 0 || part->kind == RX_EMPTY)
        return rx_checked(parser, rx_node(parser->arena, RX_EMPTY));
    const bool star = part->kind == RX_REPEAT && part->min == 0 && part->max == RX_NO_LIMIT;
    if (star && min <= 1 && max == RX_NO_LIMIT)
        return part; /* a** is a* */
    RxNode *node = rx_wrap(parser->arena, RX_REPEAT, part);
    if (node) {
        node->min = min;
        node->max = max;
    }
    return rx_checked(parser, node);
}

static RxNode *parse_repetition(RxParser *parser, RxNode *part)
{
    int min = parser->token.type == RX_T_PLUS, max = parser->token.type == RX_T_QUESTION ? 1 : RX_NO_LIMIT;
    if (parser->token.type == RX_T_OPEN_BRACE)
        switch (rx_parse_interval(parser, &min, &max)) {
        case RX_INTERVAL_READ: break;
        case RX_INTERVAL_ORDINARY: return part;
        case RX_INTERVAL_FAILED: return NULL;
        }
    rx_next_token(parser, false);
    return repeat(parser, part, min, max);
}

static bool repeats(RxTokenType type)
{
    return type == RX_T_STAR || type == RX_T_PLUS || type == RX_T_QUESTION || type == RX_T_OPEN_BRACE;
}

static RxNode *parse_repetitions(RxParser *parser, RxNode *part)
{
    while (part && repeats(parser->token.type)) {
        part = parse_repetition(parser, part);
        if (part && parser->syntax & RX_REFUSE_DOUBLE &&
            (parser->token.type == RX_T_STAR || parser->token.type == RX_T_OPEN_BRACE))
            return rx_fail(parser, "Invalid preceding regular expression");
    }
    return part;
}

static RxNode *parse_anchor(RxParser *parser)
{
    RxAssert kind = (RxAssert)parser->token.c;
    if (parser->flags & AMLA_REGEX_LINES && kind <= RX_TEXT_END)
        kind = kind == RX_TEXT_START ? RX_LINE_START : RX_LINE_END; /* each line is a text */
    RxNode *node = rx_assert_node(parser, kind);
    rx_next_token(parser, false);
    /* No repetition applies to it, but for grep -E, whose own automaton has `^*` as any number of anchors. */
    return kind <= RX_LINE_END && parser->syntax & RX_SKIP_STRAY ? parse_repetitions(parser, node) : node;
}

/* A token that is one character, or one set of them. */
static RxNode *parse_single(RxParser *parser)
{
    switch (parser->token.type) {
    case RX_T_OPEN: return parse_group(parser);
    case RX_T_BACKREF: return parse_backref(parser);
    case RX_T_BRACKET: return rx_parse_bracket(parser);
    case RX_T_DOT: return rx_any_node(parser, parser->flags & AMLA_REGEX_MULTILINE ? '\n' : RX_NOTHING);
    case RX_T_CLASS: return rx_class_node(parser, (RxClass)parser->token.c, false);
    case RX_T_NOT_CLASS: return rx_class_node(parser, (RxClass)parser->token.c, true);
    case RX_T_BACKSLASH: return rx_fail(parser, "Trailing backslash");
    case RX_T_CLOSE:
        if (!(parser->syntax & RX_PAREN_ORDINARY))
            return rx_fail(parser, "Unmatched ) or \\)");
        /* fallthrough */
    default: return rx_char_node(parser, parser->token.c);
    }
}

static bool branch_ends(const RxParser *parser)
{
    const RxTokenType type = parser->token.type;
    return type == RX_T_ALT || type == RX_T_END || (parser->nesting && type == RX_T_CLOSE);
}

/* Pass over repetitions of nothing, if that is how they are taken; *stray: there were some. */
static bool skip_stray(RxParser *parser, bool *stray)
{
    for (*stray = false; repeats(parser->token.type); *stray = true) {
        const bool brace = parser->token.type == RX_T_OPEN_BRACE;
        int min, max;
        if (parser->syntax & RX_REFUSE_STRAY || (brace && parser->syntax & RX_REFUSE_DOUBLE))
            rx_fail(parser, "Invalid preceding regular expression");
        if (parser->error || !(parser->syntax & RX_SKIP_STRAY) ||
            (brace && rx_parse_interval(parser, &min, &max) != RX_INTERVAL_READ))
            break;
        rx_next_token(parser, false);
    }
    return !parser->error;
}

static RxNode *parse_expression(RxParser *parser)
{
    bool stray;
    if (!skip_stray(parser, &stray))
        return NULL;
    if (parser->token.type == RX_T_ANCHOR)
        return parse_anchor(parser);
    if (stray ? branch_ends(parser) : parser->token.type == RX_T_ALT || parser->token.type == RX_T_END)
        return rx_checked(parser, rx_node(parser->arena, RX_EMPTY));
    RxNode *part = parse_single(parser);
    if (!part)
        return NULL;
    rx_next_token(parser, false);
    return parse_repetitions(parser, part);
}

static RxNode *parse_branch(RxParser *parser)
{
    RxNode *branch = parse_expression(parser), *sequence = NULL;
    while (branch && !branch_ends(parser)) {
        RxNode *part = parse_expression(parser);
        if (!part || part->kind == RX_EMPTY) {
            branch = part ? branch : NULL;
        } else if (branch->kind == RX_EMPTY) {
            branch = part;
        } else {
            if (!sequence)
                sequence = rx_wrap(parser->arena, RX_CAT, branch);
            branch = rx_checked(parser, rx_append(sequence, part));
        }
    }
    return branch;
}

static RxNode *parse_alternatives(RxParser *parser)
{
    const uint32_t closed_before = parser->closed;
    RxNode *node = parse_branch(parser), *alternatives = NULL;
    while (node && parser->token.type == RX_T_ALT) {
        rx_next_token(parser, true);
        const uint32_t closed = parser->closed;
        parser->closed = closed_before; /* a back-reference cannot mean a group of another alternative */
        RxNode *branch = branch_ends(parser) ? rx_node(parser->arena, RX_EMPTY) : parse_branch(parser);
        parser->closed |= closed;
        if (!branch)
            return rx_checked(parser, NULL);
        if (!alternatives)
            alternatives = rx_wrap(parser->arena, RX_ALT, node);
        node = rx_checked(parser, rx_append(alternatives, branch));
    }
    return node;
}

static unsigned syntax_of(unsigned flags)
{
    const bool grep = flags & AMLA_REGEX_NEWLINE_LIST;
    if (flags & AMLA_REGEX_AWK)
        return RX_BARE | RX_BRACE_ORDINARY | RX_PAREN_ORDINARY | RX_LIST_ESCAPES;
    if (!(flags & AMLA_REGEX_EXTENDED))
        return grep ? 0 : RX_REFUSE_DOUBLE;
    if (grep)
        return RX_BARE | RX_SKIP_STRAY | RX_BRACE_ORDINARY | RX_PAREN_ORDINARY;
    return RX_BARE | RX_REFUSE_STRAY | (flags & AMLA_REGEX_LONE_PAREN ? RX_PAREN_ORDINARY : 0);
}

RxNode *rx_parse_posix(RxParser *parser)
{
    parser->syntax = syntax_of(parser->flags);
    if (parser->flags & AMLA_REGEX_AWK && !rx_replace_awk_escapes(parser))
        return NULL;
    parser->nesting = 0;
    rx_next_token(parser, true);
    return parse_alternatives(parser);
}
