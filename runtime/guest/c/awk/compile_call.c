/* Calls of the program's functions and of awk's own. */
#include "builtins.h"
#include "compiler.h"
#include "vm.h"

/* Without taking the value of a variable that may be an array. */
static void compile_passed(AwkCompiler *c, const AwkNode *node)
{
    if (node->kind == NODE_ELEMENT) {
        awk_compile_array(c, node->a);
        awk_compile_keys(c, node->b);
        awk_emit(c, AWK_OP_pass_element);
        return;
    }
    const AwkVariable variable = node->kind == NODE_NAME ? awk_resolve(c, node) : (AwkVariable){ AWK_IN_SPECIAL, 0 };
    if (variable.kind == AWK_IN_LOCAL)
        awk_emit_with(c, AWK_OP_pass_local, variable.index);
    else if (node->kind == NODE_NAME && (variable.kind == AWK_IN_GLOBAL || variable.index >= AWK_ENVIRON))
        awk_emit_with(c, AWK_OP_pass_global, variable.index);
    else
        awk_compile_expression(c, node);
}

static uint32_t find_function(const AwkCompiler *c, const AwkText *name)
{
    uint32_t i = 0;
    while (i < c->vm->program.function_count && strcmp(c->vm->program.functions[i].name->bytes, name->bytes))
        i++;
    return i;
}

static uint32_t compile_arguments(AwkCompiler *c, const AwkNode *first)
{
    uint32_t count = 0;
    for (const AwkNode *node = first; node; node = node->next, count++)
        compile_passed(c, node);
    return count;
}

void awk_compile_call(AwkCompiler *c, const AwkNode *node)
{
    if (node->kind == NODE_CALL_NAMED) {
        awk_compile_expression(c, node->a);
        const uint32_t given = compile_arguments(c, node->b);
        awk_mark_line(c, node);
        awk_emit_with(c, AWK_OP_call_named, given);
        return;
    }
    const uint32_t function = find_function(c, node->text);
    if (function == c->vm->program.function_count) {
        awk_compile_fatal(c, node, "not defined", node->text);
        return;
    }
    const uint32_t count = compile_arguments(c, node->a);
    awk_mark_line(c, node);
    awk_emit_with(c, AWK_OP_call, function);
    awk_emit(c, count);
}

/* --- awk's own ----------------------------------------------------------------------------- */

static void compile_argument(AwkCompiler *c, char kind, const AwkNode *node)
{
    if (kind == 'a') {
        if (node->kind == NODE_GROUP && !node->a->next)
            node = node->a;
        if (node->kind != NODE_NAME && node->kind != NODE_ELEMENT) {
            awk_compile_fatal(c, node, "gets an argument that is no array", awk_text_empty());
            return;
        }
        awk_compile_array(c, node);
    } else if (kind == 'r' && (node->kind == NODE_REGEX || node->kind == NODE_TYPED_REGEX)) {
        awk_emit_constant(c, (AwkValue){ .kind = AWK_REGEX,
                                         .text = awk_text_share(node->text),
                                         .number = awk_add_pattern(c, node) + 1 });
    } else if (kind == 'p') {
        compile_passed(c, node);
    } else {
        awk_compile_expression(c, node);
    }
}

/* The place, the value that it has, the pattern, the replacement; then what came of it goes to the place. */
static void compile_substitution(AwkCompiler *c, const AwkNode *node)
{
    const AwkNode *pattern = node->a, *target = pattern->next->next;
    const bool assigns = !target || target->kind == NODE_NAME || target->kind == NODE_FIELD || target->kind == NODE_ELEMENT;
    const AwkNode zero = { .kind = NODE_NUMBER }, record = { .kind = NODE_FIELD, .a = (AwkNode *)&zero };
    target = target ? target : &record;
    if (assigns)
        awk_compile_place(c, target);
    if (target->kind == NODE_ELEMENT) {
        awk_emit_with(c, AWK_OP_copy, 1);
        awk_emit_with(c, AWK_OP_copy, 1);
        awk_emit(c, AWK_OP_element);
    } else if (target->kind == NODE_FIELD) {
        awk_emit_with(c, AWK_OP_copy, 0);
        awk_emit(c, AWK_OP_field);
    } else {
        awk_compile_expression(c, target);
    }
    compile_argument(c, 'r', pattern);
    awk_compile_expression(c, pattern->next);
    awk_emit_with(c, AWK_OP_builtin, (uint32_t)node->detail);
    awk_emit(c, 3);
    if (assigns) {
        awk_emit(c, AWK_OP_keep);
        awk_emit_place(c, target);
    }
}

void awk_compile_builtin(AwkCompiler *c, const AwkNode *node)
{
    const AwkBuiltin *builtin = &awk_builtins[node->detail];
    uint32_t count = 0;
    if (!strcmp(builtin->kinds, "rvl")) {
        compile_substitution(c, node);
        return;
    }
    const char *kinds = builtin->kinds;
    for (const AwkNode *argument = node->a; argument; argument = argument->next, count++) {
        compile_argument(c, *kinds ? *kinds : 'v', argument);
        kinds += *kinds ? 1 : 0;
    }
    awk_mark_line(c, node);
    awk_emit(c, builtin->op);
    if (builtin->op == AWK_OP_builtin)
        awk_emit(c, (uint32_t)node->detail);
    if (builtin->op == AWK_OP_sort)
        awk_emit(c, builtin->name[5] == 'i');
    if (builtin->op != AWK_OP_system)
        awk_emit(c, count);
    if (builtin->op == AWK_OP_sort) {
        awk_emit(c, AWK_OP_each_sorted);
        awk_emit(c, AWK_OP_sort_end);
    }
}
