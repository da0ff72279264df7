/* Looks behind. */
#include "perl.h"

enum { VARIES = -1, WIDTH_MAX = 65535 };

static int width_of(const RxNode *node);

static int same_width(const RxNode *node)
{
    const int width = width_of(node->first);
    for (const RxNode *part = node->first->next; part; part = part->next)
        if (width_of(part) != width)
            return VARIES;
    return width;
}

static int total_width(const RxNode *node)
{
    long total = 0;
    for (const RxNode *part = node->first; part; part = part->next) {
        const int width = width_of(part);
        total += width;
        if (width == VARIES || total > WIDTH_MAX)
            return VARIES;
    }
    return (int)total;
}

static int repeated_width(const RxNode *node)
{
    const long width = width_of(node->first);
    return node->min == node->max && width >= 0 && width * node->min <= WIDTH_MAX ? (int)(width * node->min) : VARIES;
}

/* How many characters every match has; VARIES if that depends. */
static int width_of(const RxNode *node)
{
    switch (node->kind) {
    case RX_EMPTY: case RX_ASSERT: case RX_LOOK: case RX_KEEP: case RX_BACK: return 0;
    case RX_SET: return 1;
    case RX_CAT: return total_width(node);
    case RX_ALT: return same_width(node);
    case RX_REPEAT: return repeated_width(node);
    case RX_GROUP: case RX_ATOMIC: return width_of(node->first);
    case RX_BACKREF: case RX_CALL: case RX_TRIE: break;
    }
    return VARIES;
}

static RxNode *step_back(RxParser *parser, RxNode *part)
{
    const int width = width_of(part);
    if (width == VARIES)
        return rx_fail(parser, "lookbehind assertion is not fixed length");
    RxNode *back = rx_node(parser->arena, RX_BACK);
    if (back)
        back->index = (unsigned)width;
    return rx_append(rx_wrap(parser->arena, RX_CAT, back), part);
}

RxNode *rx_perl_behind(RxParser *parser, RxNode *part)
{
    if (part->kind != RX_ALT)
        return rx_checked(parser, step_back(parser, part));
    RxNode *alternatives = rx_node(parser->arena, RX_ALT);
    for (RxNode *each = part->first, *next; each && alternatives && !parser->error; each = next) {
        next = each->next;
        each->next = each->previous = NULL;
        alternatives = rx_append(alternatives, step_back(parser, each));
    }
    return parser->error ? NULL : rx_checked(parser, alternatives);
}
