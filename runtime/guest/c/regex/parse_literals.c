/* Fixed strings, one a line, as one trie. */
#include <string.h>

#include "parser.h"

static size_t read_keys(RxParser *parser, size_t at, size_t end, uint32_t *keys)
{
    size_t count = 0;
    while (at < end) {
        uint32_t c;
        at += rx_pattern_char(parser, at, &c);
        keys[count++] = parser->flags & AMLA_REGEX_IGNORE_CASE ? rx_upper(c) : c;
    }
    return count;
}

/* A single string: what is known of sequences then helps to find it. */
static RxNode *parse_one(RxParser *parser)
{
    RxNode *sequence = rx_node(parser->arena, RX_CAT);
    while (parser->at < parser->length && sequence) {
        uint32_t c;
        parser->at += rx_pattern_char(parser, parser->at, &c);
        sequence = rx_append(sequence, rx_char_node(parser, c));
    }
    return rx_checked(parser, sequence);
}

RxNode *rx_parse_literals(RxParser *parser)
{
    if (!memchr(parser->text, '\n', parser->length))
        return parse_one(parser);
    RxNode *node = rx_node(parser->arena, RX_TRIE);
    RxTrie *trie = rx_alloc(parser->arena, sizeof *trie);
    uint32_t *keys = rx_alloc(parser->arena, (parser->length + 1) * sizeof *keys);
    if (!node || !trie || !keys)
        return rx_checked(parser, NULL);
    node->trie = trie;
    trie->fold = parser->flags & AMLA_REGEX_IGNORE_CASE;
    trie->bytes = parser->flags & AMLA_REGEX_BYTES;
    for (size_t at = 0; at <= parser->length;) {
        const uint8_t *newline = memchr(parser->text + at, '\n', parser->length - at);
        const size_t end = newline ? (size_t)(newline - parser->text) : parser->length;
        if (!rx_trie_add(parser->arena, trie, keys, read_keys(parser, at, end, keys)))
            return rx_checked(parser, NULL);
        at = end + 1;
    }
    return node;
}
