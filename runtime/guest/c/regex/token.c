#include "parser.h"

static const struct {
    char letter;
    RxTokenType type;
    unsigned value;
} gnu_operators[] = {
    { '<', RX_T_ANCHOR, RX_WORD_START }, { '>', RX_T_ANCHOR, RX_WORD_END },
    { 'b', RX_T_ANCHOR, RX_WORD_EDGE },  { 'B', RX_T_ANCHOR, RX_NO_WORD_EDGE },
    { '`', RX_T_ANCHOR, RX_TEXT_START }, { '\'', RX_T_ANCHOR, RX_TEXT_END },
    { 'w', RX_T_CLASS, RX_WORD },        { 'W', RX_T_NOT_CLASS, RX_WORD },
    { 's', RX_T_CLASS, RX_SPACE },       { 'S', RX_T_NOT_CLASS, RX_SPACE },
};

/* Operators that are bare in ERE and have a backslash in BRE. */
static RxTokenType braces_and_bars(uint32_t c)
{
    switch (c) {
    case '(': return RX_T_OPEN;
    case ')': return RX_T_CLOSE;
    case '{': return RX_T_OPEN_BRACE;
    case '}': return RX_T_CLOSE_BRACE;
    case '|': return RX_T_ALT;
    case '+': return RX_T_PLUS;
    case '?': return RX_T_QUESTION;
    default: return RX_T_CHAR;
    }
}

static RxToken escaped(const RxParser *parser, size_t at)
{
    RxToken token = { .type = RX_T_BACKSLASH, .c = '\\', .length = 1 };
    if (at + 1 == parser->length)
        return token;
    token.length = 1 + rx_pattern_char(parser, at + 1, &token.c);
    token.type = parser->syntax & RX_BARE ? RX_T_CHAR : braces_and_bars(token.c);
    if (token.c >= '1' && token.c <= '9' && !(parser->flags & AMLA_REGEX_AWK))
        return (RxToken){ RX_T_BACKREF, token.c - '0', token.length };
    for (size_t i = 0; i < sizeof gnu_operators / sizeof *gnu_operators; i++)
        if (token.c == (uint32_t)gnu_operators[i].letter)
            return (RxToken){ gnu_operators[i].type, gnu_operators[i].value, token.length };
    return token;
}

static RxToken peek(const RxParser *parser, size_t at, bool anchored);

/* In BRE, $ is an anchor at the end of the pattern and before \) and \|. */
static bool ends_here(const RxParser *parser, size_t at)
{
    if (parser->syntax & RX_BARE || at + 1 == parser->length)
        return true;
    const RxTokenType next = parser->text[at + 1] == '$' ? RX_T_CHAR : peek(parser, at + 1, false).type;
    return next == RX_T_ALT || next == RX_T_CLOSE;
}

static RxAssert line_assert(const RxParser *parser, bool start)
{
    if (parser->flags & (AMLA_REGEX_LINES | AMLA_REGEX_MULTILINE))
        return start ? RX_LINE_START : RX_LINE_END;
    return start ? RX_TEXT_START : RX_TEXT_END;
}

static RxToken peek(const RxParser *parser, size_t at, bool anchored)
{
    RxToken token = { .type = RX_T_END };
    if (at >= parser->length)
        return token;
    token.length = rx_pattern_char(parser, at, &token.c);
    token.type = parser->syntax & RX_BARE ? braces_and_bars(token.c) : RX_T_CHAR;
    switch (token.c) {
    case '\\': return escaped(parser, at);
    case '*': token.type = RX_T_STAR; break;
    case '[': token.type = RX_T_BRACKET; break;
    case '.': token.type = RX_T_DOT; break;
    case '^':
        if (parser->syntax & RX_BARE || anchored || at == 0)
            return (RxToken){ RX_T_ANCHOR, line_assert(parser, true), token.length };
        break;
    case '$':
        if (ends_here(parser, at))
            return (RxToken){ RX_T_ANCHOR, line_assert(parser, false), token.length };
        break;
    default: break;
    }
    return token;
}

void rx_next_token(RxParser *parser, bool anchored)
{
    parser->token = peek(parser, parser->at, anchored);
    parser->at += parser->token.length;
}
