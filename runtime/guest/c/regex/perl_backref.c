/* Names of groups, and references back to groups, in Perl's syntax. */
#include <string.h>

#include "perl.h"

RxNode *rx_perl_backref(RxParser *parser, long number)
{
    RxNode *node = rx_perl_leaf(parser, RX_BACKREF, (unsigned)number);
    if (number < 1 || number > 9999)
        return rx_fail(parser, "reference to non-existent subpattern");
    if (node)
        node->fold = parser->flags & AMLA_REGEX_IGNORE_CASE;
    parser->backrefs = true;
    if (parser->highest_backref < (unsigned)number)
        parser->highest_backref = (unsigned)number;
    return node;
}

const uint8_t *rx_perl_name(RxParser *parser, char end, size_t *length)
{
    const uint8_t *name = parser->text + parser->at, *stop = memchr(name, end, parser->length - parser->at);
    if (!stop || stop == name) {
        rx_fail(parser, "syntax error in subpattern name (missing terminator?)");
        return NULL;
    }
    *length = (size_t)(stop - name);
    parser->at += *length + 1;
    return name;
}

RxNode *rx_perl_named_backref(RxParser *parser, char end)
{
    size_t length;
    const uint8_t *name = rx_perl_name(parser, end, &length);
    for (RxName *known = name ? parser->names : NULL; known; known = known->older)
        if (known->length == length && !memcmp(known->text, name, length))
            return rx_perl_backref(parser, known->index);
    return rx_fail(parser, "reference to non-existent subpattern");
}

/* Behind \g: n, -n, {n}, {-n} or {name}. */
RxNode *rx_perl_g(RxParser *parser)
{
    const bool braces = rx_perl_take(parser, "{");
    const bool relative = rx_perl_take(parser, "-");
    const long number = rx_perl_number(parser, 10, 5);
    if (number < 0)
        return braces && !relative ? rx_perl_named_backref(parser, '}')
                                   : rx_fail(parser, "a numbered reference must not be zero");
    if (braces && !rx_perl_take(parser, "}"))
        return rx_fail(parser, "\\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain "
                               "number");
    return rx_perl_backref(parser, relative ? (long)parser->groups + 1 - number : number + (long)parser->base);
}

/* \1 to \9, and \10 and up if there are so many groups; false for an octal escape. */
bool rx_perl_is_backref(RxParser *parser, long *number)
{
    const size_t start = parser->at;
    if (rx_perl_peek(parser, 0) < '1' || rx_perl_peek(parser, 0) > '9')
        return false;
    *number = rx_perl_number(parser, 10, 5);
    if (*number < 10 || *number <= (long)(parser->groups - parser->base))
        return true;
    parser->at = start;
    return false;
}
