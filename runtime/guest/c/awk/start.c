#include "start.h"

#include "cells.h"
#include "escape.h"
#include "node.h"
#include "vm.h"

/* The names of the special variables come first among the globals. */
static bool name_specials(AwkVm *vm)
{
    AwkProgram *program = &vm->program;
    for (uint32_t i = 0; i < AWK_SPECIAL_COUNT; i++) {
        const char *name = awk_special_variable((AwkSpecial)i);
        if (!awk_make_room(&vm->pool, &program->globals, &program->global_room, i, sizeof *program->globals))
            return false;
        program->globals[i] = awk_text_create(&vm->pool, name, strlen(name));
        program->global_count++;
    }
    return true;
}

static bool make_variables(AwkVm *vm)
{
    const size_t size = vm->program.global_count * sizeof *vm->globals, ranges = vm->program.range_count + 1;
    AwkValue *globals = awk_pool_resize(&vm->pool, vm->globals, AWK_SPECIAL_COUNT * sizeof *globals, size);
    vm->ranges = awk_pool_take(&vm->pool, ranges);
    if (!globals || !vm->ranges)
        return false;
    vm->globals = globals;
    memset(globals + AWK_SPECIAL_COUNT, 0, size - AWK_SPECIAL_COUNT * sizeof *globals);
    memset(vm->ranges, 0, ranges);
    return awk_stack_reserve(vm, 1);
}

static void put_text(AwkVm *vm, AwkArray *array, const char *key, const char *text)
{
    awk_array_put(vm, array, key, awk_text(awk_text_create(&vm->pool, text, strlen(text))));
}

static void fill_process_info(AwkVm *vm)
{
    AwkArray *array = vm->globals[AWK_PROCINFO].array;
    put_text(vm, array, "version", "5.2.1");
    put_text(vm, array, "strftime", "%a %b %e %H:%M:%S %Z %Y");
    put_text(vm, array, "FS", "FS");
    put_text(vm, array, "platform", "posix");
    awk_array_put(vm, array, "pid", awk_number(1));
    awk_array_put(vm, array, "ppid", awk_number(1));
}

static void assign_all(AwkVm *vm)
{
    for (uint32_t i = 0; i < vm->assignment_count && !vm->failed; i++) {
        const AwkText *text = vm->assignments[i];
        const char *equals = memchr(text->bytes, '=', text->length);
        const size_t length = (size_t)(equals - text->bytes);
        awk_assign_text(vm, text->bytes, length, equals + 1, text->length - length - 1);
    }
}

void awk_start(AwkVm *vm)
{
    AwkTree tree;
    vm->started = true;
    if (vm->pool.exhausted || !name_specials(vm))
        return;
    vm->pc = 1;
    if (!awk_parse(vm, &tree) || !awk_compile(vm, &tree)) {
        static uint32_t finish[] = { 0 };
        vm->program.code = finish;
        vm->program.line_count = 0;
        vm->exit_status = vm->exit_status ? vm->exit_status : 1;
        vm->pc = 0;
        awk_stack_reserve(vm, 1);
        return;
    }
    if (!make_variables(vm))
        return;
    fill_process_info(vm);
    assign_all(vm);
}
