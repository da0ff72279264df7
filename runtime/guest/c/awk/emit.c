#include <stdio.h>

#include "compiler.h"
#include "error.h"
#include "vm.h"

static bool room(AwkCompiler *c, void *items, uint32_t *room, uint32_t count, size_t size)
{
    if (!awk_make_room(&c->vm->pool, items, room, count, size))
        c->failed = true;
    return !c->failed;
}

void awk_emit(AwkCompiler *c, uint32_t word)
{
    AwkProgram *program = &c->vm->program;
    if (room(c, &program->code, &program->code_room, program->code_count, sizeof *program->code))
        program->code[program->code_count++] = word;
}

uint32_t awk_here(const AwkCompiler *c)
{
    return c->vm->program.code_count;
}

uint32_t awk_emit_jump(AwkCompiler *c, AwkOp op, uint32_t chain)
{
    awk_emit_with(c, op, chain);
    return awk_here(c) - 1;
}

void awk_patch(AwkCompiler *c, uint32_t chain, uint32_t target)
{
    while (chain && !c->failed) {
        const uint32_t next = c->vm->program.code[chain];
        c->vm->program.code[chain] = target;
        chain = next;
    }
}

void awk_mark_line(AwkCompiler *c, const AwkNode *node)
{
    AwkProgram *program = &c->vm->program;
    const AwkLine *last = program->line_count ? &program->lines[program->line_count - 1] : NULL;
    if (last && last->line == node->line && last->source == node->source)
        return;
    if (room(c, &program->lines, &program->line_room, program->line_count, sizeof *program->lines))
        program->lines[program->line_count++] = (AwkLine){ program->code_count, node->line, node->source };
}

void awk_emit_constant(AwkCompiler *c, AwkValue value)
{
    AwkProgram *program = &c->vm->program;
    if (!room(c, &program->constants, &program->constant_room, program->constant_count, sizeof *program->constants))
        return;
    program->constants[program->constant_count] = value;
    awk_emit_with(c, AWK_OP_constant, program->constant_count++);
}

void awk_emit_number(AwkCompiler *c, double number)
{
    awk_emit_constant(c, awk_number(number));
}

/* A regular expression that is written as one is wrong before the program runs, a text only when it is used. */
static void check_pattern(AwkCompiler *c, const AwkNode *node, AwkPattern *pattern)
{
    const char *error = node->kind == NODE_STRING ? NULL : awk_pattern_fault(c->vm, pattern);
    if (!error)
        return;
    char message[256];
    snprintf(message, sizeof message, "%s: /%s/", error, node->text->bytes);
    awk_compile_error(c, node, message);
}

uint32_t awk_add_pattern(AwkCompiler *c, const AwkNode *node)
{
    AwkProgram *program = &c->vm->program;
    AwkPattern *pattern = awk_pattern_create(c->vm, node->text);
    if (pattern)
        check_pattern(c, node, pattern);
    if (!pattern || !room(c, &program->patterns, &program->pattern_room, program->pattern_count, sizeof pattern)) {
        c->failed = true;
        return 0;
    }
    program->patterns[program->pattern_count] = pattern;
    return program->pattern_count++;
}

void awk_compile_error(AwkCompiler *c, const AwkNode *node, const char *message)
{
    const AwkText *source = c->vm->program.sources[node->source].name;
    if (!c->failed)
        awk_error_print(c->vm, "awk: %s:%u: error: %s\n", source ? source->bytes : "cmd. line", node->line, message);
    c->failed = true;
}

void awk_compile_fatal(AwkCompiler *c, const AwkNode *node, const char *message, const AwkText *name)
{
    const AwkText *source = c->vm->program.sources[node->source].name;
    if (!c->failed)
        awk_error_print(c->vm, "awk: %s:%u: fatal: function `%s' %s\n", source ? source->bytes : "cmd. line", node->line,
                        name->bytes, message);
    c->failed = true;
    c->vm->exit_status = 2;
}

static uint32_t global(AwkCompiler *c, AwkText *name)
{
    AwkProgram *program = &c->vm->program;
    for (uint32_t i = 0; i < program->global_count; i++)
        if (program->globals[i]->length == name->length && !memcmp(program->globals[i]->bytes, name->bytes, name->length))
            return i;
    if (!room(c, &program->globals, &program->global_room, program->global_count, sizeof name))
        return 0;
    program->globals[program->global_count] = awk_text_share(name);
    return program->global_count++;
}

/* A variable's name that is a function's further down. */
static void refuse_function(AwkCompiler *c, const AwkNode *name)
{
    char message[512];
    snprintf(message, sizeof message, "function name `%.300s' previously defined", name->text->bytes);
    awk_compile_error(c, name, message);
}

AwkVariable awk_resolve(AwkCompiler *c, const AwkNode *name)
{
    for (uint32_t i = 0; c->function && i < c->function->parameters; i++)
        if (!strcmp(c->function->names[i]->bytes, name->text->bytes))
            return (AwkVariable){ AWK_IN_LOCAL, i };
    for (uint32_t i = 0; i < c->vm->program.function_count; i++)
        if (!strcmp(c->vm->program.functions[i].name->bytes, name->text->bytes))
            refuse_function(c, name);
    const uint32_t index = global(c, name->text);
    return (AwkVariable){ index < AWK_SPECIAL_COUNT ? AWK_IN_SPECIAL : AWK_IN_GLOBAL, index };
}
