/* What operators are applied to. */
#include <stdio.h>
#include <string.h>

#include "builtins.h"
#include "ops.h"
#include "parser.h"
#include "vm.h"

static AwkNode *parse_operand_of_step(AwkParser *parser);

static AwkNode *literal(AwkParser *parser, AwkNodeKind kind)
{
    AwkNode *node = awk_node(parser, kind, parser->token.line);
    if (node) {
        node->text = parser->token.text;
        node->number = parser->token.number;
    }
    awk_advance(parser);
    return node;
}

AwkNode *awk_parse_regex(AwkParser *parser, AwkNodeKind kind)
{
    parser->token = awk_lex_regex(&parser->lexer, parser->token.start);
    if (parser->token.kind == TOKEN_FAULT) {
        parser->failed = true;
        return NULL;
    }
    return literal(parser, kind);
}

static AwkNode *named(AwkParser *parser, AwkNodeKind kind, const AwkToken *token)
{
    AwkNode *node = awk_node(parser, kind, token->line);
    if (node)
        node->text = awk_text_create(&parser->vm->pool, token->start, token->length);
    return node;
}

/* Within parentheses or brackets `>` compares again. */
static AwkNode *parse_enclosed(AwkParser *parser, AwkTokenKind close)
{
    const bool in_print = parser->in_print;
    if (!awk_deeper(parser))
        return NULL;
    parser->in_print = false;
    awk_skip_newlines(parser);
    AwkNode *list = awk_parse_list(parser, close);
    awk_skip_newlines(parser);
    parser->in_print = in_print;
    awk_shallower(parser);
    return awk_expect(parser, close) ? list : NULL;
}

static AwkNode *parse_group(AwkParser *parser)
{
    const uint32_t line = parser->token.line;
    awk_advance(parser);
    AwkNode *list = parse_enclosed(parser, TOKEN_END_PAREN);
    if (!list)
        return parser->failed ? NULL : awk_syntax_error(parser, "syntax error");
    if (list->next && parser->token.kind != TOKEN_IN && !parser->in_print)
        return awk_syntax_error(parser, "syntax error");
    return awk_node_with(parser, NODE_GROUP, line, list, NULL);
}

static AwkNode *parse_subscripts(AwkParser *parser, AwkNode *array)
{
    while (array && parser->token.kind == TOKEN_BEGIN_BRACKET) {
        const uint32_t line = parser->token.line;
        awk_advance(parser);
        AwkNode *keys = parse_enclosed(parser, TOKEN_END_BRACKET);
        if (!keys)
            return parser->failed ? NULL : awk_syntax_error(parser, "syntax error");
        array = awk_node_with(parser, NODE_ELEMENT, line, array, keys);
    }
    return array;
}

/* gawk's tables of all variables and functions: empty arrays of that name would only seem to answer. */
static bool is_table_of_names(const AwkNode *name)
{
    return strcmp(name->text->bytes, "SYMTAB") == 0 || strcmp(name->text->bytes, "FUNCTAB") == 0;
}

static AwkNode *parse_name(AwkParser *parser)
{
    AwkNode *name = named(parser, NODE_NAME, &parser->token);
    if (name && is_table_of_names(name))
        return awk_syntax_error(parser, "the arrays `SYMTAB' and `FUNCTAB' are not supported");
    awk_check_name(parser, name);
    awk_advance(parser);
    return parse_subscripts(parser, name);
}

static AwkNode *parse_call(AwkParser *parser)
{
    AwkNode *call = named(parser, NODE_CALL, &parser->token);
    awk_check_call(parser, call);
    awk_advance(parser);
    awk_advance(parser);
    AwkNode *arguments = parse_enclosed(parser, TOKEN_END_PAREN);
    if (call)
        call->a = arguments;
    return awk_node_grown(parser, call);
}

static AwkNode *parse_builtin(AwkParser *parser)
{
    const AwkToken token = parser->token;
    AwkNode *node = awk_node(parser, NODE_BUILTIN, token.line);
    awk_advance(parser);
    if (node)
        node->detail = (int16_t)token.builtin;
    if (awk_accept(parser, TOKEN_BEGIN_PAREN)) {
        AwkNode *arguments = parse_enclosed(parser, TOKEN_END_PAREN);
        if (node)
            node->a = arguments;
    } else if (!awk_builtins[token.builtin].bare) {
        return awk_syntax_error(parser, "syntax error");
    }
    uint32_t count = 0;
    for (const AwkNode *argument = node ? node->a : NULL; argument; argument = argument->next)
        count++;
    if (!parser->failed && (count < awk_builtins[token.builtin].least || count > awk_builtins[token.builtin].most)) {
        char message[80];
        snprintf(message, sizeof message, "%u is invalid as number of arguments for %s", count, awk_builtins[token.builtin].name);
        awk_lex_fault(&parser->lexer, parser->last, token.line, message);
        parser->failed = true;
    }
    return awk_node_grown(parser, node);
}

static AwkNode *step(AwkParser *parser, AwkNode *place, AwkTokenKind kind, bool post)
{
    AwkNode *node = awk_node_with(parser, NODE_STEP, parser->token.line, place, NULL);
    if (node) {
        node->detail = kind == TOKEN_INCREMENT ? 1 : -1;
        node->flag = post;
    }
    return node;
}

/* `++` or `--` behind a place. */
static AwkNode *parse_post_step(AwkParser *parser, AwkNode *place)
{
    const AwkTokenKind kind = parser->token.kind;
    if (parser->failed || !awk_is_place(place) || (kind != TOKEN_INCREMENT && kind != TOKEN_DECREMENT))
        return place;
    awk_advance(parser);
    return step(parser, place, kind, true);
}

static AwkNode *parse_index(AwkParser *parser)
{
    const AwkTokenKind kind = parser->token.kind;
    const bool prefixed = kind == TOKEN_MINUS || kind == TOKEN_PLUS || kind == TOKEN_NOT;
    return prefixed ? awk_parse_prefix(parser) : parse_operand_of_step(parser);
}

/* A `++` behind the index is for the field: $i++ is ($i)++. */
static AwkNode *parse_field(AwkParser *parser)
{
    const uint32_t line = parser->token.line;
    awk_advance(parser);
    if (!awk_deeper(parser))
        return NULL;
    AwkNode *index = parse_index(parser);
    awk_shallower(parser);
    return parse_post_step(parser, awk_node_with(parser, NODE_FIELD, line, index, NULL));
}

static AwkNode *parse_prefix_step(AwkParser *parser)
{
    const AwkTokenKind kind = parser->token.kind;
    awk_advance(parser);
    AwkNode *place = parse_operand_of_step(parser);
    if (!parser->failed && !awk_is_place(place))
        return awk_syntax_error(parser, "syntax error");
    return step(parser, place, kind, false);
}

AwkNode *awk_parse_place(AwkParser *parser)
{
    if (parser->token.kind != TOKEN_NAME && parser->token.kind != TOKEN_DOLLAR)
        return NULL;
    return parse_operand_of_step(parser);
}

/* getline [place] [< file] */
static AwkNode *parse_getline(AwkParser *parser)
{
    const uint32_t line = parser->token.line;
    awk_advance(parser);
    AwkNode *place = awk_parse_place(parser);
    AwkNode *file = !parser->failed && awk_accept(parser, TOKEN_LESS) ? awk_parse_additive(parser) : NULL;
    AwkNode *node = awk_node_with(parser, NODE_GETLINE, line, file, place);
    if (node)
        node->detail = file ? AWK_FROM_FILE : AWK_FROM_MAIN;
    return node;
}

/* @/…/ and @function(…) */
static AwkNode *parse_at(AwkParser *parser)
{
    const uint32_t line = parser->token.line;
    awk_advance(parser);
    if (parser->token.kind == TOKEN_SLASH || parser->token.kind == TOKEN_SLASH_ASSIGN)
        return awk_parse_regex(parser, NODE_TYPED_REGEX);
    if (parser->token.kind != TOKEN_FUNCTION_NAME)
        return awk_syntax_error(parser, "directives such as `@include' are not supported");
    AwkNode *name = named(parser, NODE_NAME, &parser->token);
    awk_advance(parser);
    awk_advance(parser);
    AwkNode *arguments = parse_enclosed(parser, TOKEN_END_PAREN);
    return awk_node_with(parser, NODE_CALL_NAMED, line, name, arguments);
}

/* Without `++` and `--` behind it. */
static AwkNode *parse_operand_of_step(AwkParser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_NUMBER:
        return literal(parser, NODE_NUMBER);
    case TOKEN_STRING:
        return literal(parser, NODE_STRING);
    case TOKEN_SLASH:
    case TOKEN_SLASH_ASSIGN:
        return awk_parse_regex(parser, NODE_REGEX);
    case TOKEN_BEGIN_PAREN:
        return parse_group(parser);
    case TOKEN_DOLLAR:
        return parse_field(parser);
    case TOKEN_INCREMENT:
    case TOKEN_DECREMENT:
        return parse_prefix_step(parser);
    case TOKEN_NAME:
        return parse_name(parser);
    case TOKEN_FUNCTION_NAME:
        return parse_call(parser);
    case TOKEN_BUILTIN:
        return parse_builtin(parser);
    case TOKEN_GETLINE:
        return parse_getline(parser);
    case TOKEN_AT:
        return parse_at(parser);
    default:
        return awk_syntax_error(parser, parser->token.kind == TOKEN_NEWLINE || parser->token.kind == TOKEN_END
                                            ? "unexpected newline or end of string"
                                            : "syntax error");
    }
}

AwkNode *awk_parse_primary(AwkParser *parser)
{
    return parse_post_step(parser, parse_operand_of_step(parser));
}
