/* Items of a program: rules and functions; and what all parts of the parser share. */
#include "parser.h"

#include "error.h"
#include "vm.h"

AwkNode *awk_node(AwkParser *parser, AwkNodeKind kind, uint32_t line)
{
    AwkNode *node = parser->failed ? NULL : awk_pool_take(&parser->vm->pool, sizeof *node);
    if (!node) {
        parser->failed = true;
        return NULL;
    }
    *node = (AwkNode){ .kind = kind, .line = line, .source = parser->lexer.source };
    return node;
}

/* Several expressions in parentheses are no value: they stand before `in`, or are all that is printed. */
static bool misplaced_group(const AwkNode *node, const AwkNode *below)
{
    const bool allowed = node->kind == NODE_IN || node->kind == NODE_PRINT || node->kind == NODE_PRINTF;
    return !allowed && below->kind == NODE_GROUP && below->a && below->a->next;
}

AwkNode *awk_node_grown(AwkParser *parser, AwkNode *node)
{
    if (!node || parser->failed)
        return NULL;
    const AwkNode *below[] = { node->a, node->b, node->c, node->d };
    for (int i = 0; i < 4; i++)
        for (const AwkNode *each = below[i]; each; each = each->next) {
            if (misplaced_group(node, each))
                return awk_syntax_error(parser, "syntax error");
            if (node->depth <= each->depth)
                node->depth = (uint16_t)(each->depth + 1);
        }
    return node->depth < AWK_DEPTH_MAX ? node : awk_syntax_error(parser, "the program is nested too deeply");
}

AwkNode *awk_node_with(AwkParser *parser, AwkNodeKind kind, uint32_t line, AwkNode *a, AwkNode *b)
{
    AwkNode *node = awk_node(parser, kind, line);
    if (!node)
        return NULL;
    node->a = a;
    node->b = b;
    return awk_node_grown(parser, node);
}

void awk_advance(AwkParser *parser)
{
    parser->last = parser->token.start;
    parser->token = awk_lex(&parser->lexer);
    if (parser->token.kind == TOKEN_FAULT)
        parser->failed = true;
}

bool awk_accept(AwkParser *parser, AwkTokenKind kind)
{
    if (parser->token.kind != kind)
        return false;
    awk_advance(parser);
    return true;
}

AwkNode *awk_syntax_error(AwkParser *parser, const char *message)
{
    if (!parser->failed)
        awk_lex_fault(&parser->lexer, parser->token.start, parser->token.line, message);
    parser->failed = true;
    return NULL;
}

bool awk_expect(AwkParser *parser, AwkTokenKind kind)
{
    if (parser->failed)
        return false;
    if (awk_accept(parser, kind))
        return true;
    const bool over = parser->token.kind == TOKEN_END || parser->token.kind == TOKEN_NEWLINE;
    awk_syntax_error(parser, over ? "unexpected newline or end of string" : "syntax error");
    return false;
}

void awk_skip_newlines(AwkParser *parser)
{
    while (parser->token.kind == TOKEN_NEWLINE)
        awk_advance(parser);
}

bool awk_deeper(AwkParser *parser)
{
    if (++parser->nesting <= AWK_NESTING_MAX)
        return !parser->failed;
    awk_syntax_error(parser, "the program is nested too deeply");
    return false;
}

void awk_shallower(AwkParser *parser)
{
    parser->nesting--;
}

/* --- functions --------------------------------------------------------------------------- */

static bool add_parameter(AwkParser *parser, AwkFunction *function, uint32_t *room)
{
    AwkVm *vm = parser->vm;
    if (parser->token.kind != TOKEN_NAME && parser->token.kind != TOKEN_FUNCTION_NAME) {
        awk_syntax_error(parser, "syntax error");
        return false;
    }
    if (!awk_make_room(&vm->pool, &function->names, room, function->parameters, sizeof *function->names))
        return false;
    AwkText *name = awk_text_create(&vm->pool, parser->token.start, parser->token.length);
    if (!strcmp(function->name->bytes, name->bytes)) {
        awk_lex_error(&parser->lexer, parser->token.line, "function `%s': cannot use function name as parameter name",
                      name->bytes);
        parser->failed = true;
        return false;
    }
    for (uint32_t i = 0; i < function->parameters; i++)
        if (!strcmp(function->names[i]->bytes, name->bytes)) {
            awk_lex_error(&parser->lexer, parser->token.line, "function `%s': parameter #%u, `%s', duplicates parameter #%u",
                           function->name->bytes, function->parameters + 1, name->bytes, i + 1);
            parser->failed = true;
            return false;
        }
    function->names[function->parameters++] = name;
    awk_advance(parser);
    return !parser->failed;
}

static bool parse_parameters(AwkParser *parser, AwkFunction *function)
{
    uint32_t room = 0;
    if (!awk_expect(parser, TOKEN_BEGIN_PAREN))
        return false;
    awk_skip_newlines(parser);
    if (parser->token.kind != TOKEN_END_PAREN)
        do {
            awk_skip_newlines(parser);
            if (!add_parameter(parser, function, &room))
                return false;
            awk_skip_newlines(parser);
        } while (awk_accept(parser, TOKEN_COMMA));
    return awk_expect(parser, TOKEN_END_PAREN);
}

static bool is_known(const AwkVm *vm, const AwkText *name)
{
    for (uint32_t i = 0; i < vm->program.function_count; i++)
        if (!strcmp(vm->program.functions[i].name->bytes, name->bytes))
            return true;
    return false;
}

static bool is_parameter(const AwkParser *parser, const AwkText *name)
{
    const AwkProgram *program = &parser->vm->program;
    const AwkFunction *function = parser->in_function ? &program->functions[program->function_count - 1] : NULL;
    for (uint32_t i = 0; function && i < function->parameters; i++)
        if (!strcmp(function->names[i]->bytes, name->bytes))
            return true;
    return false;
}

void awk_check_call(AwkParser *parser, const AwkNode *call)
{
    if (parser->failed || !call || !is_parameter(parser, call->text))
        return;
    awk_lex_error(&parser->lexer, call->line, "attempt to use non-function `%s' in function call", call->text->bytes);
    parser->lexer.failed = false;
    parser->refused = true;
}

void awk_check_name(AwkParser *parser, const AwkNode *name)
{
    if (parser->failed || !name || !is_known(parser->vm, name->text) || is_parameter(parser, name->text))
        return;
    awk_lex_error(&parser->lexer, name->line,
                  "function `%s' called with space between name and `(',\nor used as a variable or an array", name->text->bytes);
    parser->lexer.failed = false;
    parser->refused = true;
}

static void parse_function(AwkParser *parser)
{
    AwkVm *vm = parser->vm;
    AwkProgram *program = &vm->program;
    AwkFunction function = { .defined = true };
    awk_advance(parser);
    if (parser->token.kind != TOKEN_NAME && parser->token.kind != TOKEN_FUNCTION_NAME) {
        awk_syntax_error(parser, "syntax error");
        return;
    }
    function.name = awk_text_create(&vm->pool, parser->token.start, parser->token.length);
    if (is_known(vm, function.name)) {
        awk_lex_error(&parser->lexer, parser->token.line, "function name `%s' previously defined", function.name->bytes);
        parser->failed = true;
    }
    awk_advance(parser);
    if (parser->failed || !parse_parameters(parser, &function))
        return;
    awk_skip_newlines(parser);
    AwkFunctionNode *node = awk_pool_take(&vm->pool, sizeof *node);
    if (!node || !awk_make_room(&vm->pool, &program->functions, &program->function_room, program->function_count,
                                sizeof *program->functions)) {
        parser->failed = true;
        return;
    }
    program->functions[program->function_count] = function;
    *node = (AwkFunctionNode){ parser->tree->functions, program->function_count++, NULL };
    parser->in_function = true;
    node->body = awk_parse_block(parser);
    parser->in_function = false;
    parser->tree->functions = node;
}

/* --- rules ------------------------------------------------------------------------------- */

static AwkRuleKind rule_kind(AwkTokenKind kind)
{
    switch (kind) {
    case TOKEN_KEYWORD_BEGIN:
        return AWK_RULE_BEGIN;
    case TOKEN_KEYWORD_END:
        return AWK_RULE_END;
    case TOKEN_BEGINFILE:
        return AWK_RULE_BEGINFILE;
    case TOKEN_ENDFILE:
        return AWK_RULE_ENDFILE;
    default:
        return AWK_RULE_PATTERN;
    }
}

static void parse_pattern(AwkParser *parser, AwkNode *rule)
{
    rule->a = awk_parse_expression(parser);
    if (!parser->failed && awk_accept(parser, TOKEN_COMMA)) {
        awk_skip_newlines(parser);
        rule->b = awk_parse_expression(parser);
    }
}

static AwkNode *parse_rule(AwkParser *parser)
{
    AwkNode *rule = awk_node(parser, NODE_RULE, parser->token.line);
    if (!rule)
        return NULL;
    rule->detail = (int16_t)rule_kind(parser->token.kind);
    parser->outside = rule->detail == AWK_RULE_BEGIN ? "BEGIN" : rule->detail == AWK_RULE_END ? "END" : NULL;
    if (rule->detail != AWK_RULE_PATTERN)
        awk_advance(parser);
    else if (parser->token.kind != TOKEN_BEGIN_BRACE)
        parse_pattern(parser, rule);
    if (parser->failed)
        return NULL;
    if (parser->token.kind == TOKEN_BEGIN_BRACE)
        rule->c = awk_parse_block(parser);
    else if (rule->detail != AWK_RULE_PATTERN)
        return awk_syntax_error(parser, "syntax error");
    parser->outside = NULL;
    return rule;
}

static bool parse_source(AwkParser *parser, AwkNode ***place)
{
    for (;;) {
        while (parser->token.kind == TOKEN_NEWLINE || parser->token.kind == TOKEN_SEMICOLON)
            awk_advance(parser);
        if (parser->failed || parser->token.kind == TOKEN_END)
            return !parser->failed;
        const bool braced = parser->token.kind == TOKEN_FUNCTION;
        AwkNode *rule = NULL;
        if (braced)
            parse_function(parser);
        else if ((rule = parse_rule(parser))) {
            **place = rule;
            *place = &rule->next;
        }
        if (parser->failed)
            return false;
        const AwkTokenKind after = parser->token.kind;
        if (!braced && !rule->c && after != TOKEN_NEWLINE && after != TOKEN_SEMICOLON && after != TOKEN_END) {
            awk_syntax_error(parser, "syntax error");
            return false;
        }
    }
}

bool awk_parse(AwkVm *vm, AwkTree *tree)
{
    AwkNode **place = &tree->rules;
    *tree = (AwkTree){ 0 };
    for (uint32_t i = 0; i < vm->program.source_count; i++) {
        const AwkSource *source = &vm->program.sources[i];
        AwkParser parser = {
            .vm = vm,
            .tree = tree,
            .lexer = { .vm = vm, .source = (uint16_t)i, .at = source->text, .end = source->text + source->length, .line = 1 },
        };
        awk_advance(&parser);
        if (!parse_source(&parser, &place) || parser.refused)
            return false;
    }
    return true;
}
