/* The whole of a program: BEGIN rules, the loop over records, END rules, functions. */
#include "compiler.h"
#include "vm.h"

static void compile_rules(AwkCompiler *c, const AwkTree *tree, AwkRuleKind kind)
{
    for (const AwkNode *rule = tree->rules; rule; rule = rule->next)
        if (rule->detail == (int)kind && rule->c)
            awk_compile_statements(c, rule->c->a);
}

static bool has_rules(const AwkTree *tree, AwkRuleKind kind)
{
    const AwkNode *rule = tree->rules;
    while (rule && rule->detail != (int)kind)
        rule = rule->next;
    return rule != NULL;
}

/* From the first pattern to the second, both records included. */
static uint32_t compile_range(AwkCompiler *c, const AwkNode *rule)
{
    const uint32_t range = c->vm->program.range_count++;
    awk_emit_with(c, AWK_OP_range_on, range);
    awk_emit(c, 0);
    const uint32_t within = awk_here(c) - 1;
    const uint32_t skip = awk_compile_condition(c, rule->a, false, 0);
    awk_emit_with(c, AWK_OP_range_set, range);
    awk_emit(c, 1);
    awk_patch(c, within, awk_here(c));
    const uint32_t body = awk_compile_condition(c, rule->b, false, 0);
    awk_emit_with(c, AWK_OP_range_set, range);
    awk_emit(c, 0);
    awk_patch(c, body, awk_here(c));
    return skip;
}

static void compile_rule(AwkCompiler *c, const AwkNode *rule)
{
    awk_mark_line(c, rule);
    uint32_t skip = 0;
    if (rule->b)
        skip = compile_range(c, rule);
    else if (rule->a)
        skip = awk_compile_condition(c, rule->a, false, 0);
    if (rule->c)
        awk_compile_statements(c, rule->c->a);
    else
        awk_emit(c, AWK_OP_print_record);
    awk_patch(c, skip, awk_here(c));
}

/* Rules that run in the midst of reading, as functions do. */
static uint32_t compile_file_rules(AwkCompiler *c, const AwkTree *tree, AwkRuleKind kind)
{
    if (!has_rules(tree, kind))
        return 0;
    const uint32_t entry = awk_here(c);
    compile_rules(c, tree, kind);
    awk_emit(c, AWK_OP_leave_rule);
    return entry;
}

static void compile_functions(AwkCompiler *c, const AwkTree *tree)
{
    for (const AwkFunctionNode *node = tree->functions; node; node = node->next) {
        AwkFunction *function = &c->vm->program.functions[node->function];
        function->entry = awk_here(c);
        c->function = function;
        awk_compile_statements(c, node->body->a);
        awk_emit_constant(c, (AwkValue){ .kind = AWK_ABSENT });
        awk_emit(c, AWK_OP_give);
    }
    c->function = NULL;
}

static void compile_reading(AwkCompiler *c, const AwkTree *tree)
{
    AwkProgram *program = &c->vm->program;
    awk_emit_with(c, AWK_OP_start_phase, AWK_READING);
    program->next_record = awk_here(c);
    awk_emit(c, AWK_OP_read_record);
    for (const AwkNode *rule = tree->rules; rule; rule = rule->next)
        if (rule->detail == AWK_RULE_PATTERN)
            compile_rule(c, rule);
    awk_emit_with(c, AWK_OP_jump, program->next_record);
    program->at_end = awk_here(c);
    awk_emit_with(c, AWK_OP_start_phase, AWK_ENDING);
    compile_rules(c, tree, AWK_RULE_END);
}

bool awk_compile(AwkVm *vm, const AwkTree *tree)
{
    AwkCompiler c = { .vm = vm };
    AwkProgram *program = &vm->program;
    for (int kind = 0; kind <= AWK_RULE_ENDFILE; kind++)
        if (kind != AWK_RULE_BEGIN && has_rules(tree, (AwkRuleKind)kind))
            program->reads = true;
    awk_emit(&c, AWK_OP_finish); /* word 0 */
    compile_rules(&c, tree, AWK_RULE_BEGIN);
    if (program->reads)
        compile_reading(&c, tree);
    awk_emit_with(&c, AWK_OP_jump, 0);
    compile_functions(&c, tree);
    program->begin_file = compile_file_rules(&c, tree, AWK_RULE_BEGINFILE);
    program->end_file = compile_file_rules(&c, tree, AWK_RULE_ENDFILE);
    return !c.failed;
}
