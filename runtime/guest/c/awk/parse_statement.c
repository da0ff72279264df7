#include "ops.h"
#include "parser.h"

static bool ends_statement(AwkTokenKind kind)
{
    return kind == TOKEN_SEMICOLON || kind == TOKEN_NEWLINE || kind == TOKEN_END_BRACE || kind == TOKEN_END;
}

/* The end of a simple statement; a `}` stays. */
static bool end_statement(AwkParser *parser)
{
    if (parser->failed)
        return false;
    if (!ends_statement(parser->token.kind)) {
        awk_syntax_error(parser, "syntax error");
        return false;
    }
    if (parser->token.kind == TOKEN_SEMICOLON || parser->token.kind == TOKEN_NEWLINE)
        awk_advance(parser);
    return true;
}

static AwkNode *ended(AwkParser *parser, AwkNode *node)
{
    return end_statement(parser) ? node : NULL;
}

/* Statements up to a `}` or to what ends a case. */
static AwkNode *parse_statements(AwkParser *parser, bool in_switch)
{
    AwkNode *first = NULL, **place = &first;
    for (;;) {
        while (parser->token.kind == TOKEN_NEWLINE || parser->token.kind == TOKEN_SEMICOLON)
            awk_advance(parser);
        const AwkTokenKind kind = parser->token.kind;
        if (parser->failed || kind == TOKEN_END_BRACE || kind == TOKEN_END ||
            (in_switch && (kind == TOKEN_CASE || kind == TOKEN_DEFAULT)))
            return first;
        *place = awk_parse_statement(parser);
        if (!*place)
            return NULL;
        place = &(*place)->next;
    }
}

AwkNode *awk_parse_block(AwkParser *parser)
{
    const uint32_t line = parser->token.line;
    if (!awk_expect(parser, TOKEN_BEGIN_BRACE) || !awk_deeper(parser))
        return NULL;
    AwkNode *statements = parse_statements(parser, false);
    awk_shallower(parser);
    if (parser->failed || !awk_expect(parser, TOKEN_END_BRACE))
        return NULL;
    AwkNode *block = awk_node_with(parser, NODE_BLOCK, line, statements, NULL);
    for (const AwkNode *each = statements; block && each; each = each->next)
        block->depth = block->depth > each->depth ? block->depth : (uint16_t)(each->depth + 1);
    return block;
}

/* --- print ------------------------------------------------------------------------------ */

static AwkRedirection redirection(AwkTokenKind kind)
{
    switch (kind) {
    case TOKEN_GREATER:
        return AWK_TO_FILE;
    case TOKEN_APPEND:
        return AWK_TO_APPEND;
    case TOKEN_PIPE:
        return AWK_TO_COMMAND;
    case TOKEN_PIPE_BOTH:
        return AWK_TO_BOTH;
    default:
        return AWK_TO_STDOUT;
    }
}

/* print (a, b): the parentheses are part of the statement. */
static AwkNode *unwrap_group(AwkNode *values)
{
    return values && !values->next && values->kind == NODE_GROUP ? values->a : values;
}

static AwkNode *parse_print(AwkParser *parser)
{
    const AwkToken token = parser->token;
    AwkNode *node = awk_node(parser, token.kind == TOKEN_PRINT ? NODE_PRINT : NODE_PRINTF, token.line);
    awk_advance(parser);
    parser->in_print = true;
    const AwkTokenKind kind = parser->token.kind;
    AwkNode *values = ends_statement(kind) || redirection(kind) ? NULL : awk_parse_list(parser, TOKEN_END);
    parser->in_print = false;
    if (parser->failed || !node)
        return NULL;
    node->a = unwrap_group(values);
    for (const AwkNode *each = node->a; each; each = each->next)
        if (each->kind == NODE_GROUP && each->a->next)
            return awk_syntax_error(parser, "syntax error");
    node->detail = (int16_t)redirection(parser->token.kind);
    if (node->detail) {
        awk_advance(parser);
        node->b = awk_parse_concatenation(parser);
    }
    return awk_node_grown(parser, node);
}

/* --- simple statements ------------------------------------------------------------------- */

static AwkNode *parse_delete(AwkParser *parser)
{
    const uint32_t line = parser->token.line;
    awk_advance(parser);
    const bool parenthesised = awk_accept(parser, TOKEN_BEGIN_PAREN);
    AwkNode *target = awk_parse_primary(parser);
    if (parenthesised && !awk_expect(parser, TOKEN_END_PAREN))
        return NULL;
    if (!parser->failed && (!target || (target->kind != NODE_NAME && target->kind != NODE_ELEMENT)))
        return awk_syntax_error(parser, "syntax error");
    if (!target || target->kind == NODE_NAME)
        return awk_node_with(parser, NODE_DELETE, line, target, NULL);
    return awk_node_with(parser, NODE_DELETE, line, target->a, target->b);
}

/* What may stand in the head of a for loop. */
static AwkNode *parse_simple(AwkParser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_PRINT:
    case TOKEN_PRINTF:
        return parse_print(parser);
    case TOKEN_DELETE:
        return parse_delete(parser);
    default: {
        const uint32_t line = parser->token.line;
        AwkNode *expression = awk_parse_expression(parser);
        return awk_node_with(parser, NODE_EXPRESSION, line, expression, NULL);
    }
    }
}

/* exit and return, with or without a value. */
static AwkNode *parse_leaving(AwkParser *parser, AwkNodeKind kind)
{
    const uint32_t line = parser->token.line;
    if (kind == NODE_RETURN && !parser->in_function)
        return awk_syntax_error(parser, "`return' used outside function context");
    awk_advance(parser);
    AwkNode *value = ends_statement(parser->token.kind) ? NULL : awk_parse_expression(parser);
    return ended(parser, awk_node_with(parser, kind, line, value, NULL));
}

static AwkNode *parse_jump(AwkParser *parser, AwkNodeKind kind)
{
    const uint32_t line = parser->token.line;
    if (kind == NODE_BREAK && !parser->loops && !parser->switches)
        return awk_syntax_error(parser, "`break' is not allowed outside a loop or switch");
    if ((kind == NODE_NEXT || kind == NODE_NEXT_FILE) && parser->outside) {
        awk_lex_error(&parser->lexer, parser->token.line, "`%s' used in %s action",
                      kind == NODE_NEXT ? "next" : "nextfile", parser->outside);
        parser->failed = true;
        return NULL;
    }
    if (kind == NODE_CONTINUE && !parser->loops)
        return awk_syntax_error(parser, "`continue' is not allowed outside a loop");
    awk_advance(parser);
    return ended(parser, awk_node(parser, kind, line));
}

/* --- compound statements ----------------------------------------------------------------- */

/* A statement behind a head; `;` is an empty one. */
static AwkNode *parse_body(AwkParser *parser)
{
    awk_skip_newlines(parser);
    const uint32_t line = parser->token.line;
    if (awk_accept(parser, TOKEN_SEMICOLON))
        return awk_node(parser, NODE_BLOCK, line);
    return awk_parse_statement(parser);
}

static AwkNode *parse_loop_body(AwkParser *parser)
{
    parser->loops++;
    AwkNode *body = parse_body(parser);
    parser->loops--;
    return body;
}

static AwkNode *parse_head(AwkParser *parser)
{
    awk_advance(parser);
    if (!awk_expect(parser, TOKEN_BEGIN_PAREN))
        return NULL;
    AwkNode *condition = awk_parse_expression(parser);
    return !parser->failed && awk_expect(parser, TOKEN_END_PAREN) ? condition : NULL;
}

/* Whether an else follows, behind newlines and semicolons; they are taken only then. */
static bool else_follows(AwkParser *parser)
{
    const AwkToken token = parser->token;
    const AwkLexer lexer = parser->lexer;
    while (parser->token.kind == TOKEN_NEWLINE || parser->token.kind == TOKEN_SEMICOLON)
        awk_advance(parser);
    if (!parser->failed && parser->token.kind == TOKEN_ELSE)
        return true;
    if (parser->failed)
        return false;
    parser->token = token;
    parser->lexer = lexer;
    return false;
}

static AwkNode *parse_if(AwkParser *parser)
{
    const uint32_t line = parser->token.line;
    AwkNode *condition = parse_head(parser);
    AwkNode *yes = parser->failed ? NULL : parse_body(parser);
    AwkNode *node = awk_node_with(parser, NODE_IF, line, condition, yes);
    if (node && else_follows(parser)) {
        awk_advance(parser);
        node->c = parse_body(parser);
    }
    return awk_node_grown(parser, node);
}

static AwkNode *parse_while(AwkParser *parser)
{
    const uint32_t line = parser->token.line;
    AwkNode *condition = parse_head(parser);
    AwkNode *body = parser->failed ? NULL : parse_loop_body(parser);
    return awk_node_with(parser, NODE_WHILE, line, condition, body);
}

static AwkNode *parse_do(AwkParser *parser)
{
    const uint32_t line = parser->token.line;
    awk_advance(parser);
    AwkNode *body = parse_loop_body(parser);
    while (parser->token.kind == TOKEN_NEWLINE || parser->token.kind == TOKEN_SEMICOLON)
        awk_advance(parser);
    if (parser->failed || parser->token.kind != TOKEN_WHILE)
        return awk_syntax_error(parser, "syntax error");
    AwkNode *condition = parse_head(parser);
    return ended(parser, awk_node_with(parser, NODE_DO, line, condition, body));
}

/* `name in array)`: the head of a loop over keys was read as an expression. */
static bool is_each(const AwkParser *parser, const AwkNode *start)
{
    return start && start->kind == NODE_EXPRESSION && start->a->kind == NODE_IN && start->a->a->kind == NODE_NAME &&
           parser->token.kind == TOKEN_END_PAREN;
}

static AwkNode *finish_for(AwkParser *parser, AwkNode *node)
{
    awk_skip_newlines(parser);
    if (parser->token.kind != TOKEN_SEMICOLON)
        node->b = awk_parse_expression(parser);
    if (parser->failed || !awk_expect(parser, TOKEN_SEMICOLON))
        return NULL;
    awk_skip_newlines(parser);
    if (parser->token.kind != TOKEN_END_PAREN)
        node->c = parse_simple(parser);
    if (parser->failed || !awk_expect(parser, TOKEN_END_PAREN))
        return NULL;
    node->d = parse_loop_body(parser);
    return awk_node_grown(parser, node);
}

static AwkNode *parse_for(AwkParser *parser)
{
    AwkNode *node = awk_node(parser, NODE_FOR, parser->token.line);
    awk_advance(parser);
    if (!awk_expect(parser, TOKEN_BEGIN_PAREN) || !node)
        return NULL;
    if (parser->token.kind != TOKEN_SEMICOLON)
        node->a = parse_simple(parser);
    if (parser->failed)
        return NULL;
    if (is_each(parser, node->a)) {
        AwkNode *in = node->a->a;
        awk_advance(parser);
        node->kind = NODE_EACH;
        node->a = in->a;
        node->b = in->b;
        node->d = parse_loop_body(parser);
        return awk_node_grown(parser, node);
    }
    return awk_expect(parser, TOKEN_SEMICOLON) ? finish_for(parser, node) : NULL;
}

static AwkNode *parse_label(AwkParser *parser)
{
    const bool minus = parser->token.kind == TOKEN_MINUS;
    if (minus || parser->token.kind == TOKEN_PLUS)
        awk_advance(parser);
    AwkNode *label = awk_parse_primary(parser);
    if (label && label->kind == NODE_REGEX)
        label->kind = NODE_TYPED_REGEX;
    if (label && minus)
        label->number = -label->number;
    if (!parser->failed && label && label->kind != NODE_NUMBER && label->kind != NODE_STRING &&
        label->kind != NODE_TYPED_REGEX)
        return awk_syntax_error(parser, "syntax error");
    return label;
}

static AwkNode *parse_case(AwkParser *parser)
{
    AwkNode *node = awk_node(parser, NODE_CASE, parser->token.line);
    if (!awk_accept(parser, TOKEN_DEFAULT)) {
        if (!awk_expect(parser, TOKEN_CASE) || !node)
            return NULL;
        node->a = parse_label(parser);
    }
    if (!node || parser->failed || !awk_expect(parser, TOKEN_COLON))
        return NULL;
    node->b = parse_statements(parser, true);
    for (const AwkNode *each = node->b; each; each = each->next)
        node->depth = node->depth > each->depth ? node->depth : (uint16_t)(each->depth + 1);
    return node;
}

static AwkNode *parse_switch(AwkParser *parser)
{
    const uint32_t line = parser->token.line;
    AwkNode *value = parse_head(parser), *node = awk_node_with(parser, NODE_SWITCH, line, value, NULL);
    awk_skip_newlines(parser);
    if (!node || parser->failed || !awk_expect(parser, TOKEN_BEGIN_BRACE) || !awk_deeper(parser))
        return NULL;
    parser->switches++;
    AwkNode **place = &node->b;
    for (awk_skip_newlines(parser); !parser->failed && parser->token.kind != TOKEN_END_BRACE; place = &(*place)->next)
        if (!(*place = parse_case(parser)))
            return NULL;
    parser->switches--;
    awk_shallower(parser);
    return awk_expect(parser, TOKEN_END_BRACE) ? awk_node_grown(parser, node) : NULL;
}

static AwkNode *parse_one(AwkParser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_BEGIN_BRACE:
        return awk_parse_block(parser);
    case TOKEN_IF:
        return parse_if(parser);
    case TOKEN_WHILE:
        return parse_while(parser);
    case TOKEN_DO:
        return parse_do(parser);
    case TOKEN_FOR:
        return parse_for(parser);
    case TOKEN_SWITCH:
        return parse_switch(parser);
    case TOKEN_EXIT:
        return parse_leaving(parser, NODE_EXIT);
    case TOKEN_RETURN:
        return parse_leaving(parser, NODE_RETURN);
    case TOKEN_BREAK:
        return parse_jump(parser, NODE_BREAK);
    case TOKEN_CONTINUE:
        return parse_jump(parser, NODE_CONTINUE);
    case TOKEN_NEXT:
        return parse_jump(parser, NODE_NEXT);
    case TOKEN_NEXTFILE:
        return parse_jump(parser, NODE_NEXT_FILE);
    default:
        return ended(parser, parse_simple(parser));
    }
}

AwkNode *awk_parse_statement(AwkParser *parser)
{
    if (!awk_deeper(parser))
        return NULL;
    AwkNode *statement = parse_one(parser);
    awk_shallower(parser);
    return parser->failed ? NULL : statement;
}
