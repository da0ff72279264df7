#include "compiler.h"
#include "vm.h"

static void compile_statement(AwkCompiler *c, const AwkNode *node);

static void compile_plain(AwkCompiler *c, const AwkNode *node)
{
    awk_compile_expression(c, node->a);
    awk_emit(c, AWK_OP_pop);
}

static uint32_t compile_values(AwkCompiler *c, const AwkNode *first)
{
    uint32_t count = 0;
    for (const AwkNode *node = first; node; node = node->next, count++)
        awk_compile_expression(c, node);
    return count;
}

static bool is_record(const AwkNode *values)
{
    return !values || (!values->next && values->kind == NODE_FIELD && values->a->kind == NODE_NUMBER && values->a->number == 0);
}

static void compile_print(AwkCompiler *c, const AwkNode *node)
{
    if (node->kind == NODE_PRINT && is_record(node->a) && !node->b) {
        awk_emit(c, AWK_OP_print_record);
        return;
    }
    uint32_t count = compile_values(c, node->a);
    if (!count && node->kind == NODE_PRINT) {
        awk_emit_with(c, AWK_OP_field_at, 0);
        count = 1;
    }
    if (node->b)
        awk_compile_expression(c, node->b);
    awk_emit_with(c, node->kind == NODE_PRINT ? AWK_OP_print : AWK_OP_printf, count);
    awk_emit(c, (uint32_t)node->detail);
}

static void compile_block(AwkCompiler *c, const AwkNode *node)
{
    awk_compile_statements(c, node->a);
}

static void compile_if(AwkCompiler *c, const AwkNode *node)
{
    const uint32_t no = awk_compile_condition(c, node->a, false, 0);
    compile_statement(c, node->b);
    if (!node->c) {
        awk_patch(c, no, awk_here(c));
        return;
    }
    const uint32_t end = awk_emit_jump(c, AWK_OP_jump, 0);
    awk_patch(c, no, awk_here(c));
    compile_statement(c, node->c);
    awk_patch(c, end, awk_here(c));
}

/* --- loops ------------------------------------------------------------------------------- */

static void compile_body(AwkCompiler *c, AwkLoop *loop, const AwkNode *body)
{
    *loop = (AwkLoop){ .outer = c->loop };
    c->loop = loop;
    compile_statement(c, body);
    c->loop = loop->outer;
}

/* The condition stands at the end, so that a turn has one jump. */
static void compile_while(AwkCompiler *c, const AwkNode *node)
{
    AwkLoop loop;
    const uint32_t enter = node->kind == NODE_WHILE ? awk_emit_jump(c, AWK_OP_jump, 0) : 0;
    const uint32_t start = awk_here(c);
    compile_body(c, &loop, node->b);
    awk_patch(c, enter, awk_here(c));
    awk_patch(c, loop.continues, awk_here(c));
    awk_mark_line(c, node);
    awk_patch(c, awk_compile_condition(c, node->a, true, 0), start);
    awk_patch(c, loop.breaks, awk_here(c));
}

static void compile_for(AwkCompiler *c, const AwkNode *node)
{
    AwkLoop loop;
    if (node->a)
        compile_statement(c, node->a);
    const uint32_t enter = node->b ? awk_emit_jump(c, AWK_OP_jump, 0) : 0, start = awk_here(c);
    compile_body(c, &loop, node->d);
    awk_patch(c, loop.continues, awk_here(c));
    if (node->c)
        compile_statement(c, node->c);
    awk_patch(c, enter, awk_here(c));
    if (node->b)
        awk_patch(c, awk_compile_condition(c, node->b, true, 0), start);
    else
        awk_emit_with(c, AWK_OP_jump, start);
    awk_patch(c, loop.breaks, awk_here(c));
}

static void compile_each(AwkCompiler *c, const AwkNode *node)
{
    AwkLoop loop;
    awk_compile_array(c, node->b);
    awk_emit(c, AWK_OP_each);
    awk_emit(c, AWK_OP_each_sorted);
    const uint32_t start = awk_here(c), end = awk_emit_jump(c, AWK_OP_each_next, 0);
    awk_emit(c, AWK_OP_store);
    awk_emit_place(c, node->a);
    awk_emit(c, AWK_OP_pop);
    compile_body(c, &loop, node->d);
    awk_patch(c, loop.continues, start);
    awk_emit_with(c, AWK_OP_jump, start);
    awk_patch(c, end, awk_here(c));
    awk_patch(c, loop.breaks, awk_here(c));
    awk_emit(c, AWK_OP_pop);
}

/* Labels are compared in order, whatever stands between; bodies follow one another. */
static void compile_switch(AwkCompiler *c, const AwkNode *node)
{
    AwkLoop loop = { .outer = c->loop, .is_switch = true };
    uint32_t otherwise = 0, body = 0, fall = 0;
    awk_compile_expression(c, node->a);
    c->loop = &loop;
    uint32_t next = awk_emit_jump(c, AWK_OP_jump, 0);
    for (const AwkNode *each = node->b; each; each = each->next) {
        uint32_t enter = 0;
        if (each->a) {
            awk_patch(c, next, awk_here(c));
            awk_compile_expression(c, each->a);
            awk_emit(c, AWK_OP_same_case);
            enter = awk_emit_jump(c, AWK_OP_jump_true, 0);
            next = awk_emit_jump(c, AWK_OP_jump, 0);
        }
        body = awk_here(c);
        otherwise = each->a ? otherwise : body;
        awk_patch(c, enter, body);
        awk_patch(c, fall, body);
        awk_compile_statements(c, each->b);
        fall = awk_emit_jump(c, AWK_OP_jump, 0);
    }
    awk_patch(c, next, otherwise ? otherwise : awk_here(c));
    awk_patch(c, fall, awk_here(c));
    awk_patch(c, loop.breaks, awk_here(c));
    awk_emit(c, AWK_OP_pop);
    c->loop = loop.outer;
}

static void compile_break(AwkCompiler *c, const AwkNode *node)
{
    (void)node;
    c->loop->breaks = awk_emit_jump(c, AWK_OP_jump, c->loop->breaks);
}

/* The values of the switches on the way out go. */
static void compile_continue(AwkCompiler *c, const AwkNode *node)
{
    (void)node;
    AwkLoop *loop = c->loop;
    for (; loop->is_switch; loop = loop->outer)
        awk_emit(c, AWK_OP_pop);
    loop->continues = awk_emit_jump(c, AWK_OP_jump, loop->continues);
}

/* --- leaving ------------------------------------------------------------------------------ */

static void compile_next(AwkCompiler *c, const AwkNode *node)
{
    awk_emit(c, node->kind == NODE_NEXT ? AWK_OP_next : AWK_OP_next_file);
}

static void compile_exit(AwkCompiler *c, const AwkNode *node)
{
    if (node->a)
        awk_compile_expression(c, node->a);
    awk_emit_with(c, AWK_OP_exit, node->a != NULL);
}

static void compile_return(AwkCompiler *c, const AwkNode *node)
{
    if (node->a)
        awk_compile_expression(c, node->a);
    else
        awk_emit_constant(c, (AwkValue){ .kind = AWK_ABSENT });
    awk_emit(c, AWK_OP_give);
}

static void compile_delete(AwkCompiler *c, const AwkNode *node)
{
    awk_compile_array(c, node->a);
    if (node->b)
        awk_compile_keys(c, node->b);
    awk_emit(c, node->b ? AWK_OP_delete : AWK_OP_delete_all);
}

static void (*const compilers[])(AwkCompiler *c, const AwkNode *node) = {
    [NODE_EXPRESSION] = compile_plain, [NODE_PRINT] = compile_print,   [NODE_PRINTF] = compile_print,
    [NODE_BLOCK] = compile_block,      [NODE_IF] = compile_if,         [NODE_WHILE] = compile_while,
    [NODE_DO] = compile_while,         [NODE_FOR] = compile_for,       [NODE_EACH] = compile_each,
    [NODE_SWITCH] = compile_switch,    [NODE_BREAK] = compile_break,   [NODE_CONTINUE] = compile_continue,
    [NODE_NEXT] = compile_next,        [NODE_NEXT_FILE] = compile_next, [NODE_EXIT] = compile_exit,
    [NODE_RETURN] = compile_return,    [NODE_DELETE] = compile_delete,
};

static void compile_statement(AwkCompiler *c, const AwkNode *node)
{
    awk_mark_line(c, node);
    if (!c->failed)
        compilers[node->kind](c, node);
}

void awk_compile_statements(AwkCompiler *c, const AwkNode *first)
{
    for (const AwkNode *node = first; node; node = node->next)
        compile_statement(c, node);
}
