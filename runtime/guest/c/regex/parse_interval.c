/* Intervals of BRE and ERE. */
#include "parser.h"

enum { NO_NUMBER = -1, WRONG = -2 };

/* A number of an interval and the token behind it: NO_NUMBER if there are no digits, WRONG if there is anything else. */
static int parse_number(RxParser *parser)
{
    int number = NO_NUMBER;
    for (;;) {
        rx_next_token(parser, false);
        const RxToken token = parser->token;
        if (token.type == RX_T_END)
            return WRONG;
        if (token.type == RX_T_CLOSE_BRACE || token.c == ',')
            return number;
        if (token.type != RX_T_CHAR || token.c < '0' || token.c > '9' || number == WRONG) {
            number = WRONG;
            continue;
        }
        number = (number == NO_NUMBER ? 0 : number * 10) + (int)(token.c - '0');
        if (number > RX_DUP_MAX)
            number = RX_DUP_MAX + 1;
    }
}

/* Behind {: false with min WRONG or max WRONG when there is no interval. */
static void parse_bounds(RxParser *parser, int *min, int *max)
{
    *min = parse_number(parser);
    *max = WRONG;
    const bool comma = parser->token.type == RX_T_CHAR && parser->token.c == ',';
    if (*min == NO_NUMBER && comma)
        *min = 0;
    if (*min < 0)
        return;
    if (parser->token.type == RX_T_CLOSE_BRACE)
        *max = *min;
    else if (comma)
        *max = parse_number(parser); /* NO_NUMBER is RX_NO_LIMIT */
}

RxInterval rx_parse_interval(RxParser *parser, int *min, int *max)
{
    const size_t start = parser->at;
    const RxToken brace = parser->token;
    parse_bounds(parser, min, max);
    if (*min != NO_NUMBER && (*min == WRONG || *max == WRONG)) {
        if (!(parser->syntax & RX_BRACE_ORDINARY)) {
            rx_fail(parser, parser->token.type == RX_T_END ? "Unmatched \\{" : "Invalid content of \\{\\}");
            return RX_INTERVAL_FAILED;
        }
        parser->at = start;
        parser->token = brace;
        parser->token.type = RX_T_CHAR;
        return RX_INTERVAL_ORDINARY;
    }
    if (*min == NO_NUMBER || (*max != RX_NO_LIMIT && *min > *max) || parser->token.type != RX_T_CLOSE_BRACE)
        rx_fail(parser, "Invalid content of \\{\\}");
    else if ((*max == RX_NO_LIMIT ? *min : *max) > RX_DUP_MAX)
        rx_fail(parser, "Regular expression too big");
    return parser->error ? RX_INTERVAL_FAILED : RX_INTERVAL_READ;
}
