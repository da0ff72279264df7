/* Operators, from the loosest to the tightest. */
#include "ops.h"
#include "parser.h"

bool awk_is_place(const AwkNode *node)
{
    return node && (node->kind == NODE_NAME || node->kind == NODE_FIELD || node->kind == NODE_ELEMENT);
}

static AwkNode *detailed(AwkNode *node, int detail)
{
    if (node)
        node->detail = (int16_t)detail;
    return node;
}

static bool assignment(AwkTokenKind kind, int *arithmetic)
{
    switch (kind) {
    case TOKEN_ASSIGN:
        *arithmetic = -1;
        return true;
    case TOKEN_PLUS_ASSIGN:
        *arithmetic = AWK_ADD;
        return true;
    case TOKEN_MINUS_ASSIGN:
        *arithmetic = AWK_SUBTRACT;
        return true;
    case TOKEN_TIMES_ASSIGN:
        *arithmetic = AWK_MULTIPLY;
        return true;
    case TOKEN_SLASH_ASSIGN:
        *arithmetic = AWK_DIVIDE;
        return true;
    case TOKEN_PERCENT_ASSIGN:
        *arithmetic = AWK_REMAINDER;
        return true;
    case TOKEN_POWER_ASSIGN:
        *arithmetic = AWK_POWER;
        return true;
    default:
        return false;
    }
}

/* `place = value`, wherever an operand that is a place has the operator behind it: `a && b = 1` assigns b. */
static AwkNode *parse_assignment(AwkParser *parser, AwkNode *place)
{
    int arithmetic;
    if (!awk_is_place(place) || !assignment(parser->token.kind, &arithmetic))
        return place;
    const uint32_t line = parser->token.line;
    awk_advance(parser);
    awk_skip_newlines(parser);
    if (!awk_deeper(parser))
        return NULL;
    AwkNode *value = awk_parse_expression(parser);
    awk_shallower(parser);
    return detailed(awk_node_with(parser, arithmetic < 0 ? NODE_ASSIGN : NODE_MODIFY, line, place, value), arithmetic);
}

static AwkNode *parse_unary(AwkParser *parser);

/* -a and !a bind tighter than products, but looser than powers. */
AwkNode *awk_parse_prefix(AwkParser *parser)
{
    const AwkToken sign = parser->token;
    awk_advance(parser);
    if (!awk_deeper(parser))
        return NULL;
    AwkNode *operand = parse_unary(parser);
    awk_shallower(parser);
    if (sign.kind == TOKEN_NOT)
        return awk_node_with(parser, NODE_NOT, sign.line, operand, NULL);
    return detailed(awk_node_with(parser, NODE_UNARY, sign.line, operand, NULL),
                    sign.kind == TOKEN_MINUS ? AWK_OP_minus : AWK_OP_plus);
}

static bool is_prefix(AwkTokenKind kind)
{
    return kind == TOKEN_MINUS || kind == TOKEN_PLUS || kind == TOKEN_NOT;
}

static AwkNode *parse_power(AwkParser *parser)
{
    AwkNode *base = awk_parse_primary(parser);
    const uint32_t line = parser->token.line;
    if (parser->failed || !awk_accept(parser, TOKEN_POWER))
        return base;
    if (!awk_deeper(parser))
        return NULL;
    AwkNode *exponent = is_prefix(parser->token.kind) ? awk_parse_prefix(parser) : parse_power(parser);
    awk_shallower(parser);
    return detailed(awk_node_with(parser, NODE_BINARY, line, base, exponent), AWK_OP_power);
}

static AwkNode *parse_unary(AwkParser *parser)
{
    return is_prefix(parser->token.kind) ? awk_parse_prefix(parser) : parse_power(parser);
}

/* Operators of one level, and their instructions. */
typedef struct {
    AwkTokenKind token;
    AwkOp op;
} Operator;

static const Operator *find_operator(const Operator *operators, size_t count, AwkTokenKind kind)
{
    for (size_t i = 0; i < count; i++)
        if (operators[i].token == kind)
            return &operators[i];
    return NULL;
}

static AwkNode *continue_left(AwkParser *parser, const Operator *operators, size_t count,
                              AwkNode *(*part)(AwkParser *parser), AwkNode *left)
{
    for (const Operator *found; !parser->failed && (found = find_operator(operators, count, parser->token.kind));) {
        const uint32_t line = parser->token.line;
        awk_advance(parser);
        AwkNode *right = part(parser);
        left = detailed(awk_node_with(parser, NODE_BINARY, line, left, right), found->op);
    }
    return left;
}

static const Operator products[] = {
    { TOKEN_TIMES, AWK_OP_multiply }, { TOKEN_SLASH, AWK_OP_divide }, { TOKEN_PERCENT, AWK_OP_remainder }
};
static const Operator sums[] = { { TOKEN_PLUS, AWK_OP_add }, { TOKEN_MINUS, AWK_OP_subtract } };

static AwkNode *parse_product(AwkParser *parser)
{
    return continue_left(parser, products, 3, parse_unary, parse_unary(parser));
}

AwkNode *awk_parse_additive(AwkParser *parser)
{
    return continue_left(parser, sums, 2, parse_product, parse_product(parser));
}

/* Whether a token begins an operand that may be concatenated; `+` and `-` are taken for operators. */
static bool begins_operand(const AwkParser *parser)
{
    switch (parser->token.kind) {
    case TOKEN_NUMBER:
    case TOKEN_STRING:
    case TOKEN_NAME:
    case TOKEN_FUNCTION_NAME:
    case TOKEN_BUILTIN:
    case TOKEN_DOLLAR:
    case TOKEN_NOT:
    case TOKEN_BEGIN_PAREN:
    case TOKEN_MINUS:
    case TOKEN_PLUS:
    case TOKEN_INCREMENT:
    case TOKEN_DECREMENT:
    case TOKEN_AT:
        return true;
    default:
        return false;
    }
}

/* `/=` behind what cannot be assigned begins a regular expression. */
static bool begins_regex(const AwkParser *parser, const AwkNode *before)
{
    return parser->token.kind == TOKEN_SLASH_ASSIGN && !awk_is_place(before);
}

/* "command" | getline, as often as it comes. */
static AwkNode *continue_arithmetic(AwkParser *parser, AwkNode *left);

static AwkNode *parse_pipes(AwkParser *parser, AwkNode *left)
{
    while (!parser->failed && (parser->token.kind == TOKEN_PIPE || parser->token.kind == TOKEN_PIPE_BOTH)) {
        const AwkToken pipe = parser->token;
        AwkLexer ahead = parser->lexer;
        if (awk_lex(&ahead).kind != TOKEN_GETLINE)
            return left;
        awk_advance(parser);
        awk_advance(parser);
        AwkNode *place = awk_parse_place(parser);
        const AwkSourceKind kind = pipe.kind == TOKEN_PIPE ? AWK_FROM_COMMAND : AWK_FROM_BOTH;
        left = detailed(awk_node_with(parser, NODE_GETLINE, pipe.line, left, place), kind);
        left = continue_arithmetic(parser, left);
    }
    return left;
}

/* "command" | getline + 1: arithmetic goes on behind it. */
static AwkNode *continue_arithmetic(AwkParser *parser, AwkNode *left)
{
    left = continue_left(parser, products, 3, parse_unary, left);
    return continue_left(parser, sums, 2, parse_product, left);
}

AwkNode *awk_parse_concatenation(AwkParser *parser)
{
    AwkNode *first = awk_parse_additive(parser), *last = first, *all = NULL;
    while (!parser->failed && (begins_operand(parser) || begins_regex(parser, all ? all : first))) {
        AwkNode *more = awk_parse_additive(parser);
        if (!more)
            break;
        if (!all)
            all = awk_node_with(parser, NODE_CONCATENATE, first->line, first, NULL);
        if (!all)
            return NULL;
        if (more->kind == NODE_GROUP && more->a->next)
            return awk_syntax_error(parser, "syntax error");
        last->next = more;
        last = more;
        all->depth = all->depth > more->depth ? all->depth : (uint16_t)(more->depth + 1);
    }
    return all ? all : first;
}

/* An operand of the operators below; a place may be assigned here. */
static AwkNode *parse_operand(AwkParser *parser)
{
    AwkNode *plain = awk_parse_concatenation(parser), *operand = parse_pipes(parser, plain);
    const bool was_piped = operand != plain;
    while (!parser->failed && operand && was_piped && begins_operand(parser)) {
        AwkNode *more = awk_parse_additive(parser); /* "cmd" | getline "text" */
        if (!more)
            return NULL;
        operand->next = more;
        operand = parse_pipes(parser, awk_node_with(parser, NODE_CONCATENATE, operand->line, operand, NULL));
    }
    return parser->failed ? NULL : parse_assignment(parser, operand);
}

/* Comparisons do not associate. */
static AwkNode *parse_comparison(AwkParser *parser)
{
    static const Operator operators[] = {
        { TOKEN_LESS, AWK_OP_less },           { TOKEN_LESS_EQUAL, AWK_OP_less_equal }, { TOKEN_EQUAL, AWK_OP_equal },
        { TOKEN_NOT_EQUAL, AWK_OP_not_equal }, { TOKEN_GREATER, AWK_OP_greater },
        { TOKEN_GREATER_EQUAL, AWK_OP_greater_equal },
    };
    AwkNode *left = parse_operand(parser);
    const Operator *found = find_operator(operators, 6, parser->token.kind);
    if (parser->failed || !found || (parser->in_print && found->token == TOKEN_GREATER))
        return left;
    const uint32_t line = parser->token.line;
    awk_advance(parser);
    AwkNode *right = parse_operand(parser);
    AwkNode *node = detailed(awk_node_with(parser, NODE_BINARY, line, left, right), found->op);
    found = find_operator(operators, 6, parser->token.kind);
    if (found && !(parser->in_print && found->token == TOKEN_GREATER))
        return awk_syntax_error(parser, "syntax error");
    return node;
}

static AwkNode *parse_match(AwkParser *parser)
{
    AwkNode *left = parse_comparison(parser);
    while (!parser->failed && (parser->token.kind == TOKEN_MATCH || parser->token.kind == TOKEN_NO_MATCH)) {
        const AwkToken operator = parser->token;
        awk_advance(parser);
        AwkNode *right = parse_comparison(parser);
        left = awk_node_with(parser, NODE_MATCH, operator.line, left, right);
        if (left)
            left->flag = operator.kind == TOKEN_NO_MATCH;
    }
    return left;
}

static AwkNode *parse_in(AwkParser *parser)
{
    AwkNode *left = parse_match(parser);
    while (!parser->failed && parser->token.kind == TOKEN_IN) {
        const uint32_t line = parser->token.line;
        awk_advance(parser);
        AwkNode *array = awk_parse_primary(parser);
        if (!parser->failed && (!array || (array->kind != NODE_NAME && array->kind != NODE_ELEMENT)))
            return awk_syntax_error(parser, "syntax error");
        left = awk_node_with(parser, NODE_IN, line, left, array);
    }
    return left;
}

static AwkNode *parse_logical(AwkParser *parser, AwkTokenKind operator, AwkNodeKind kind, AwkNode *(*part)(AwkParser *parser))
{
    AwkNode *left = part(parser);
    while (!parser->failed && parser->token.kind == operator) {
        const uint32_t line = parser->token.line;
        awk_advance(parser);
        awk_skip_newlines(parser);
        AwkNode *right = part(parser);
        left = awk_node_with(parser, kind, line, left, right);
    }
    return left;
}

static AwkNode *parse_and(AwkParser *parser)
{
    return parse_logical(parser, TOKEN_AND, NODE_AND, parse_in);
}

static AwkNode *parse_or(AwkParser *parser)
{
    return parse_logical(parser, TOKEN_OR, NODE_OR, parse_and);
}

AwkNode *awk_parse_expression(AwkParser *parser)
{
    AwkNode *condition = parse_or(parser);
    const uint32_t line = parser->token.line;
    if (parser->failed || !awk_accept(parser, TOKEN_QUESTION))
        return condition;
    if (!awk_deeper(parser))
        return NULL;
    awk_skip_newlines(parser);
    AwkNode *yes = awk_parse_expression(parser);
    awk_skip_newlines(parser);
    if (!awk_expect(parser, TOKEN_COLON))
        return NULL;
    awk_skip_newlines(parser);
    AwkNode *no = awk_parse_expression(parser);
    awk_shallower(parser);
    AwkNode *node = awk_node_with(parser, NODE_CONDITION, line, condition, yes);
    if (node)
        node->c = no;
    return awk_node_grown(parser, node);
}

AwkNode *awk_parse_list(AwkParser *parser, AwkTokenKind close)
{
    AwkNode *first = NULL, **place = &first;
    if (parser->token.kind == close)
        return NULL;
    for (;;) {
        AwkNode *item = awk_parse_expression(parser);
        if (!item || parser->failed)
            return NULL;
        *place = item;
        place = &item->next;
        if (!awk_accept(parser, TOKEN_COMMA))
            return first;
        awk_skip_newlines(parser);
    }
}
