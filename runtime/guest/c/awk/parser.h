/* The parser's state, and what its parts offer each other. */
#ifndef AWK_PARSER_H
#define AWK_PARSER_H

#include "node.h"
#include "token.h"

typedef struct {
    AwkVm *vm;
    AwkLexer lexer;
    AwkToken token; /* the next one */
    bool failed;
    bool in_print;    /* `>` redirects */
    bool refused;     /* there was an error that parsing goes on behind */
    bool in_function; /* `return` has a meaning */
    const char *outside; /* BEGIN or END while in such a rule, where `next` has none */
    const char *last;    /* where the token that was taken last begins */
    uint32_t nesting, loops, switches;
    AwkTree *tree;
} AwkParser;

/* The node is without memory NULL, and then the parser has failed. */
AwkNode *awk_node(AwkParser *parser, AwkNodeKind kind, uint32_t line);

AwkNode *awk_node_with(AwkParser *parser, AwkNodeKind kind, uint32_t line, AwkNode *a, AwkNode *b);

/* Note how deep the tree below is; an error when it is too deep. */
AwkNode *awk_node_grown(AwkParser *parser, AwkNode *node);

/* Take the next token. */
void awk_advance(AwkParser *parser);

bool awk_accept(AwkParser *parser, AwkTokenKind kind);

/* Take a token of that kind, else a syntax error. */
bool awk_expect(AwkParser *parser, AwkTokenKind kind);

/* Tell of an error at the next token; NULL. */
AwkNode *awk_syntax_error(AwkParser *parser, const char *message);

void awk_skip_newlines(AwkParser *parser);

/* One level of nesting deeper, and back.  False when that is too deep. */
bool awk_deeper(AwkParser *parser);
void awk_shallower(AwkParser *parser);

AwkNode *awk_parse_expression(AwkParser *parser);

/* Expressions with commas between; possibly none, up to `close`. */
AwkNode *awk_parse_list(AwkParser *parser, AwkTokenKind close);

/* What may follow a redirection: no comparison. */
AwkNode *awk_parse_concatenation(AwkParser *parser);

AwkNode *awk_parse_primary(AwkParser *parser);

/* A place behind getline, if there is one. */
AwkNode *awk_parse_place(AwkParser *parser);

/* At a sign or `!`. */
AwkNode *awk_parse_prefix(AwkParser *parser);

AwkNode *awk_parse_additive(AwkParser *parser);

AwkNode *awk_parse_statement(AwkParser *parser);

/* { … } */
AwkNode *awk_parse_block(AwkParser *parser);

/* Tell of a name that is a function's; parsing goes on. */
void awk_check_name(AwkParser *parser, const AwkNode *name);

/* Likewise of a call of a parameter. */
void awk_check_call(AwkParser *parser, const AwkNode *call);

/* Whether the node can be assigned. */
bool awk_is_place(const AwkNode *node);

/* Regular expression at the next token, a `/`. */
AwkNode *awk_parse_regex(AwkParser *parser, AwkNodeKind kind);

#endif
