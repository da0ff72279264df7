#include "compiler.h"
#include "vm.h"

static void compile_each(AwkCompiler *c, const AwkNode *first, uint32_t *count)
{
    *count = 0;
    for (const AwkNode *node = first; node; node = node->next, ++*count)
        awk_compile_expression(c, node);
}

static bool is_constant_field(const AwkNode *node)
{
    return node->kind == NODE_FIELD && node->a->kind == NODE_NUMBER && node->a->number >= 0 && node->a->number < 1e6;
}

/* For operands that are taken as numbers. */
static void compile_number(AwkCompiler *c, const AwkNode *node)
{
    if (is_constant_field(node))
        awk_emit_with(c, AWK_OP_field_number, (uint32_t)node->a->number);
    else
        awk_compile_expression(c, node);
}

/* --- variables and places ----------------------------------------------------------------- */

void awk_compile_keys(AwkCompiler *c, const AwkNode *keys)
{
    uint32_t count;
    if (keys->kind == NODE_GROUP && !keys->next)
        keys = keys->a;
    compile_each(c, keys, &count);
    if (count > 1)
        awk_emit_with(c, AWK_OP_join, count);
}

void awk_compile_array(AwkCompiler *c, const AwkNode *node)
{
    if (node->kind == NODE_ELEMENT) {
        awk_compile_array(c, node->a);
        awk_compile_keys(c, node->b);
        awk_emit(c, AWK_OP_subarray);
        return;
    }
    const AwkVariable variable = awk_resolve(c, node);
    awk_emit_with(c, variable.kind == AWK_IN_LOCAL ? AWK_OP_local_array : AWK_OP_global_array, variable.index);
}

static void compile_name(AwkCompiler *c, const AwkNode *node)
{
    static const AwkOp ops[] = { [AWK_IN_GLOBAL] = AWK_OP_global, [AWK_IN_LOCAL] = AWK_OP_local, [AWK_IN_SPECIAL] = AWK_OP_special };
    const AwkVariable variable = awk_resolve(c, node);
    awk_emit_with(c, ops[variable.kind], variable.index);
}

static void compile_field(AwkCompiler *c, const AwkNode *node)
{
    if (is_constant_field(node)) {
        awk_emit_with(c, AWK_OP_field_at, (uint32_t)node->a->number);
        return;
    }
    awk_compile_expression(c, node->a);
    awk_emit(c, AWK_OP_field);
}

static void compile_element(AwkCompiler *c, const AwkNode *node)
{
    awk_compile_array(c, node->a);
    awk_compile_keys(c, node->b);
    awk_emit(c, AWK_OP_element);
}

void awk_compile_place(AwkCompiler *c, const AwkNode *place)
{
    if (place->kind == NODE_FIELD) {
        awk_compile_expression(c, place->a);
    } else if (place->kind == NODE_ELEMENT) {
        awk_compile_array(c, place->a);
        awk_compile_keys(c, place->b);
    }
}

void awk_emit_place(AwkCompiler *c, const AwkNode *place)
{
    AwkVariable variable = { place->kind == NODE_FIELD ? AWK_IN_FIELD : AWK_IN_ELEMENT, 0 };
    if (place->kind == NODE_NAME)
        variable = awk_resolve(c, place);
    awk_emit(c, variable.kind);
    awk_emit(c, variable.index);
}

/* --- assignment ---------------------------------------------------------------------------- */

/* Whether the expression changes nothing. */
static bool is_pure(const AwkNode *node)
{
    for (; node; node = node->next) {
        switch (node->kind) {
        case NODE_NUMBER:
        case NODE_STRING:
        case NODE_NAME:
            break;
        case NODE_FIELD:
        case NODE_ELEMENT:
        case NODE_GROUP:
        case NODE_BINARY:
        case NODE_UNARY:
            if (!is_pure(node->a) || !is_pure(node->b))
                return false;
            break;
        default:
            return false;
        }
    }
    return true;
}

/* s = s a b: the variable's text grows in place. */
static bool compile_append(AwkCompiler *c, const AwkNode *node)
{
    const AwkNode *place = node->a, *value = node->b;
    uint32_t count;
    if (place->kind != NODE_NAME || value->kind != NODE_CONCATENATE || value->a->kind != NODE_NAME ||
        strcmp(value->a->text->bytes, place->text->bytes) || !is_pure(value->a))
        return false;
    const AwkVariable variable = awk_resolve(c, place);
    if (variable.kind == AWK_IN_SPECIAL)
        return false;
    compile_each(c, value->a->next, &count);
    awk_emit_with(c, AWK_OP_append, variable.kind);
    awk_emit(c, variable.index);
    awk_emit(c, count);
    return true;
}

static void compile_assign(AwkCompiler *c, const AwkNode *node)
{
    if (compile_append(c, node))
        return;
    awk_compile_expression(c, node->b);
    awk_compile_place(c, node->a);
    awk_emit(c, AWK_OP_store);
    awk_emit_place(c, node->a);
}

static void compile_modify(AwkCompiler *c, const AwkNode *node)
{
    compile_number(c, node->b);
    awk_compile_place(c, node->a);
    awk_emit(c, AWK_OP_modify);
    awk_emit_place(c, node->a);
    awk_emit(c, (uint32_t)node->detail);
}

static void compile_step(AwkCompiler *c, const AwkNode *node)
{
    awk_compile_place(c, node->a);
    awk_emit(c, AWK_OP_step);
    awk_emit_place(c, node->a);
    awk_emit(c, (uint32_t)(int32_t)node->detail);
    awk_emit(c, node->flag);
}

/* --- operators ----------------------------------------------------------------------------- */

static void compile_unary(AwkCompiler *c, const AwkNode *node)
{
    if (node->detail == AWK_OP_minus && node->a->kind == NODE_NUMBER) {
        awk_emit_number(c, -node->a->number);
        return;
    }
    compile_number(c, node->a);
    awk_emit(c, (uint32_t)node->detail);
}

static bool is_arithmetic(int op)
{
    return op >= AWK_OP_add && op <= AWK_OP_power;
}

/* Without the parentheses around it. */
static const AwkNode *bare(const AwkNode *node)
{
    while (node->kind == NODE_GROUP && !node->a->next)
        node = node->a;
    return node;
}

/* gawk computes what is constant, and finds this mistake before the program starts, unless the zero has parentheses. */
static void check_division(AwkCompiler *c, const AwkNode *node)
{
    const bool divides = node->detail == AWK_OP_divide || node->detail == AWK_OP_remainder;
    if (divides && bare(node->a)->kind == NODE_NUMBER && node->b->kind == NODE_NUMBER && node->b->number == 0)
        awk_compile_error(c, node, node->detail == AWK_OP_divide ? "division by zero attempted"
                                                                 : "division by zero attempted in `%'");
}

static void compile_binary(AwkCompiler *c, const AwkNode *node)
{
    check_division(c, node);
    void (*const part)(AwkCompiler *c, const AwkNode *node) = is_arithmetic(node->detail) ? compile_number : awk_compile_expression;
    part(c, node->a);
    part(c, node->b);
    awk_mark_line(c, node);
    awk_emit(c, (uint32_t)node->detail);
}

static void compile_not(AwkCompiler *c, const AwkNode *node)
{
    awk_compile_expression(c, node->a);
    awk_emit(c, AWK_OP_not);
}

static void compile_concatenation(AwkCompiler *c, const AwkNode *node)
{
    uint32_t count;
    compile_each(c, node->a, &count);
    awk_emit_with(c, AWK_OP_concatenate, count);
}

/* A truth value from jumps. */
static void compile_logical(AwkCompiler *c, const AwkNode *node)
{
    const uint32_t no = awk_compile_condition(c, node, false, 0);
    awk_emit_number(c, 1);
    const uint32_t end = awk_emit_jump(c, AWK_OP_jump, 0);
    awk_patch(c, no, awk_here(c));
    awk_emit_number(c, 0);
    awk_patch(c, end, awk_here(c));
}

static void compile_choice(AwkCompiler *c, const AwkNode *node)
{
    const uint32_t no = awk_compile_condition(c, node->a, false, 0);
    awk_compile_expression(c, node->b);
    const uint32_t end = awk_emit_jump(c, AWK_OP_jump, 0);
    awk_patch(c, no, awk_here(c));
    awk_compile_expression(c, node->c);
    awk_patch(c, end, awk_here(c));
}

uint32_t awk_compile_condition(AwkCompiler *c, const AwkNode *node, bool sense, uint32_t chain)
{
    if (node->kind == NODE_GROUP && !node->a->next)
        return awk_compile_condition(c, node->a, sense, chain);
    if (node->kind == NODE_NOT)
        return awk_compile_condition(c, node->a, !sense, chain);
    if (node->kind != NODE_AND && node->kind != NODE_OR) {
        awk_compile_expression(c, node);
        return awk_emit_jump(c, sense ? AWK_OP_jump_true : AWK_OP_jump_false, chain);
    }
    const bool decisive = node->kind == NODE_OR; /* the truth of the left side that decides */
    if (sense == decisive)
        return awk_compile_condition(c, node->b, sense, awk_compile_condition(c, node->a, sense, chain));
    const uint32_t skip = awk_compile_condition(c, node->a, decisive, 0);
    chain = awk_compile_condition(c, node->b, sense, chain);
    awk_patch(c, skip, awk_here(c));
    return chain;
}

/* --- matching ------------------------------------------------------------------------------ */

static void compile_regex(AwkCompiler *c, const AwkNode *node)
{
    awk_emit_with(c, AWK_OP_match_record, awk_add_pattern(c, node));
}

static void compile_pattern(AwkCompiler *c, const AwkNode *node)
{
    awk_emit_constant(c, (AwkValue){ .kind = AWK_REGEX,
                                     .text = awk_text_share(node->text),
                                     .number = awk_add_pattern(c, node) + 1 });
}

static bool is_pattern(const AwkNode *node)
{
    return node->kind == NODE_REGEX || node->kind == NODE_TYPED_REGEX || node->kind == NODE_STRING;
}

static void compile_match(AwkCompiler *c, const AwkNode *node)
{
    if (is_constant_field(node->a) && node->a->a->number == 0 && is_pattern(node->b)) {
        compile_regex(c, node->b);
    } else {
        awk_compile_expression(c, node->a);
        (is_pattern(node->b) ? compile_pattern : awk_compile_expression)(c, node->b);
        awk_emit(c, AWK_OP_match);
    }
    if (node->flag)
        awk_emit(c, AWK_OP_not);
}

static void compile_in(AwkCompiler *c, const AwkNode *node)
{
    awk_compile_array(c, node->b);
    awk_compile_keys(c, node->a);
    awk_emit(c, AWK_OP_in);
}

static void compile_getline(AwkCompiler *c, const AwkNode *node)
{
    if (node->b)
        awk_compile_place(c, node->b);
    if (node->a)
        awk_compile_expression(c, node->a);
    awk_emit(c, AWK_OP_getline);
    awk_emit(c, (uint32_t)node->detail);
    awk_emit(c, node->b != NULL);
    if (node->b) {
        awk_emit(c, AWK_OP_keep);
        awk_emit_place(c, node->b);
    }
}

static void compile_literal(AwkCompiler *c, const AwkNode *node)
{
    awk_emit_constant(c, node->kind == NODE_NUMBER ? awk_number(node->number) : awk_text(awk_text_share(node->text)));
}

static void compile_group(AwkCompiler *c, const AwkNode *node)
{
    awk_compile_expression(c, node->a);
}

static void (*const compilers[])(AwkCompiler *c, const AwkNode *node) = {
    [NODE_NUMBER] = compile_literal,     [NODE_STRING] = compile_literal,
    [NODE_REGEX] = compile_regex,        [NODE_TYPED_REGEX] = compile_pattern,
    [NODE_NAME] = compile_name,          [NODE_FIELD] = compile_field,
    [NODE_ELEMENT] = compile_element,    [NODE_GROUP] = compile_group,
    [NODE_ASSIGN] = compile_assign,      [NODE_MODIFY] = compile_modify,
    [NODE_STEP] = compile_step,          [NODE_CONDITION] = compile_choice,
    [NODE_AND] = compile_logical,        [NODE_OR] = compile_logical,
    [NODE_NOT] = compile_not,            [NODE_UNARY] = compile_unary,
    [NODE_BINARY] = compile_binary,      [NODE_CONCATENATE] = compile_concatenation,
    [NODE_MATCH] = compile_match,        [NODE_IN] = compile_in,
    [NODE_CALL] = awk_compile_call,      [NODE_CALL_NAMED] = awk_compile_call,
    [NODE_BUILTIN] = awk_compile_builtin, [NODE_GETLINE] = compile_getline,
};

void awk_compile_expression(AwkCompiler *c, const AwkNode *node)
{
    if (!c->failed)
        compilers[node->kind](c, node);
}
