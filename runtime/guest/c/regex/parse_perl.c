/* Perl's syntax, as far as grep -P is used. */
#include <string.h>

#include "perl.h"

RxNode *rx_perl_leaf(RxParser *parser, RxKind kind, unsigned index)
{
    RxNode *node = rx_node(parser->arena, kind);
    if (node)
        node->index = index;
    return rx_checked(parser, node);
}

static bool many_lines(const RxParser *parser)
{
    return parser->flags & (AMLA_REGEX_LINES | AMLA_REGEX_MULTILINE) || parser->syntax & RX_P_LINES;
}

static const struct {
    char letter;
    RxAssert one_text, lines;
} anchors[] = {
    { 'A', RX_TEXT_START, RX_LINE_START }, { 'z', RX_TEXT_END, RX_LINE_END }, { 'Z', RX_TEXT_END_LINE, RX_LINE_END },
    { 'b', RX_WORD_EDGE, RX_WORD_EDGE },   { 'B', RX_NO_WORD_EDGE, RX_NO_WORD_EDGE },
};

/* Behind a backslash. */
static RxNode *parse_escape(RxParser *parser)
{
    long number;
    RxSet set = { 0 };
    const int letter = rx_perl_peek(parser, 0);
    for (size_t i = 0; i < sizeof anchors / sizeof *anchors; i++)
        if (letter == anchors[i].letter) {
            parser->at++;
            return rx_assert_node(parser, parser->flags & AMLA_REGEX_LINES ? anchors[i].lines : anchors[i].one_text);
        }
    if (rx_perl_class_escape(parser, &set))
        return parser->error ? NULL : rx_set_node(parser, &set);
    if (rx_perl_take(parser, "K"))
        return rx_perl_leaf(parser, RX_KEEP, 0);
    if (rx_perl_take(parser, "k<"))
        return rx_perl_named_backref(parser, '>');
    if (rx_perl_take(parser, "k'"))
        return rx_perl_named_backref(parser, '\'');
    if (rx_perl_take(parser, "k{"))
        return rx_perl_named_backref(parser, '}');
    if (rx_perl_take(parser, "g<"))
        return rx_perl_g_call(parser, '>');
    if (rx_perl_take(parser, "g'"))
        return rx_perl_g_call(parser, '\'');
    if (rx_perl_take(parser, "g"))
        return rx_perl_g(parser);
    if (rx_perl_is_backref(parser, &number))
        return rx_perl_backref(parser, number + (long)parser->base);
    const uint32_t c = rx_perl_char_escape(parser);
    return parser->error ? NULL : rx_char_node(parser, c);
}

/* One character, class, anchor or group; parser->at < length. */
static RxNode *parse_atom(RxParser *parser)
{
    uint32_t c;
    const bool quoted = parser->syntax & RX_P_QUOTED;
    parser->at += rx_pattern_char(parser, parser->at, &c);
    switch (quoted ? 0 : c) {
    case '\\': return parse_escape(parser);
    case '[': return rx_perl_bracket(parser);
    case '(': return rx_perl_group(parser);
    case '.': return rx_any_node(parser, parser->syntax & RX_P_DOT_ALL ? RX_NOTHING : '\n');
    case '^': return rx_assert_node(parser, many_lines(parser) ? RX_LINE_START : RX_TEXT_START);
    case '$': return rx_assert_node(parser, many_lines(parser) ? RX_LINE_END : RX_TEXT_END_LINE);
    case '*': case '+': case '?': return rx_fail(parser, "quantifier does not follow a repeatable item");
    default: return rx_char_node(parser, c);
    }
}

/* {n}, {n,} or {n,m}; otherwise nothing is read, and { is ordinary. */
static bool read_bounds(RxParser *parser, int *min, int *max)
{
    const size_t start = parser->at;
    long least = -1, most = -1;
    if (rx_perl_take(parser, "{") && (least = rx_perl_number(parser, 10, 6)) >= 0) {
        most = rx_perl_take(parser, ",") ? rx_perl_number(parser, 10, 6) : least;
        if (rx_perl_take(parser, "}")) {
            if (least > 65535 || most > 65535)
                rx_fail(parser, "number too big in {} quantifier");
            else if (most >= 0 && most < least)
                rx_fail(parser, "numbers out of order in {} quantifier");
            *min = (int)least;
            *max = most < 0 ? RX_NO_LIMIT : (int)most;
            return true;
        }
    }
    parser->at = start;
    return false;
}

static bool read_quantifier(RxParser *parser, int *min, int *max)
{
    *min = 0;
    *max = RX_NO_LIMIT;
    if (parser->syntax & RX_P_QUOTED)
        return false;
    if (rx_perl_take(parser, "*"))
        return true;
    if (rx_perl_take(parser, "+"))
        return *min = 1;
    if (rx_perl_take(parser, "?"))
        return *max = 1;
    return read_bounds(parser, min, max);
}

/* In (?x), blanks and comments; anywhere, \Q and \E. */
static void skip_ignored(RxParser *parser)
{
    for (bool more = true; more && parser->at < parser->length;) {
        const int c = rx_perl_peek(parser, 0);
        more = false;
        if (parser->syntax & RX_P_QUOTED) {
            more = rx_perl_take(parser, "\\E");
            if (more)
                parser->syntax &= ~(unsigned)RX_P_QUOTED;
        } else if (rx_perl_take(parser, "\\Q")) {
            parser->syntax |= RX_P_QUOTED;
            more = true;
        } else if (rx_perl_take(parser, "\\E")) {
            more = true;
        } else if (parser->syntax & RX_P_SPACED && c > 0 && strchr(" \t\n\v\f\r", c)) {
            parser->at++;
            more = true;
        } else if (parser->syntax & RX_P_SPACED && c == '#') {
            while (parser->at < parser->length && parser->text[parser->at++] != '\n')
                ;
            more = true;
        }
    }
}

static RxNode *parse_quantified(RxParser *parser)
{
    int min, max;
    RxNode *node = parse_atom(parser);
    for (skip_ignored(parser); node && read_quantifier(parser, &min, &max); skip_ignored(parser)) {
        if (parser->error)
            return NULL;
        node = rx_wrap(parser->arena, RX_REPEAT, node);
        if (!node)
            return rx_checked(parser, node);
        node->min = min;
        node->max = max;
        if (rx_perl_take(parser, "?"))
            node->greed = RX_LAZY;
        else if (rx_perl_take(parser, "+"))
            node = rx_wrap(parser->arena, RX_ATOMIC, node);
        if (!(node = rx_checked(parser, node)))
            return NULL;
        const int next = rx_perl_peek(parser, 0);
        if (next == '*' || next == '+' || next == '?')
            return rx_fail(parser, "quantifier does not follow a repeatable item");
    }
    return node;
}

static bool branch_ends(const RxParser *parser)
{
    const int c = rx_perl_peek(parser, 0);
    return c < 0 || (!(parser->syntax & RX_P_QUOTED) && (c == '|' || c == ')'));
}

RxNode *rx_perl_branch(RxParser *parser)
{
    RxNode *branch = NULL, *sequence = NULL;
    for (skip_ignored(parser); !branch_ends(parser) && !parser->error; skip_ignored(parser)) {
        RxNode *part = parse_quantified(parser);
        if (branch && !sequence)
            sequence = rx_wrap(parser->arena, RX_CAT, branch);
        branch = branch ? rx_checked(parser, rx_append(sequence, part)) : part;
    }
    if (!branch && !parser->error)
        branch = rx_node(parser->arena, RX_EMPTY);
    return parser->error ? NULL : rx_checked(parser, branch);
}

RxNode *rx_perl_alternatives(RxParser *parser)
{
    RxNode *node = rx_perl_branch(parser);
    if (rx_perl_peek(parser, 0) != '|')
        return node;
    RxNode *alternatives = rx_wrap(parser->arena, RX_ALT, node);
    while (alternatives && rx_perl_take(parser, "|"))
        alternatives = rx_append(alternatives, rx_perl_branch(parser));
    return parser->error ? NULL : rx_checked(parser, alternatives);
}

RxNode *rx_parse_perl(RxParser *parser)
{
    const unsigned flags = parser->flags;
    parser->syntax = 0;
    parser->nesting = 0;
    parser->names = NULL;
    parser->named_calls = NULL;
    parser->highest_backref = 0;
    RxNode *node = rx_perl_alternatives(parser);
    parser->flags = flags;
    if (node && parser->at < parser->length)
        return rx_fail(parser, "unmatched closing parenthesis");
    if (node && parser->highest_backref > parser->groups)
        return rx_fail(parser, "reference to non-existent subpattern");
    return node && rx_perl_resolve(parser) ? node : NULL;
}
