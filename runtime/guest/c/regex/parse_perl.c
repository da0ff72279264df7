#include "parser.h"

RxNode *rx_parse_perl(RxParser *parser)
{
    return rx_fail(parser, "Perl syntax is not supported yet");
}
