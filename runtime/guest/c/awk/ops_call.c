/* Functions. */
#include "builtins.h"
#include "error.h"
#include "place.h"
#include "vm.h"

/* A variable as an argument: an array by reference, an unused one by a link, all others by value. */
static AwkStep pass(AwkVm *vm, const AwkValue *value, int64_t link)
{
    if (value->kind == AWK_UNSET)
        awk_push(vm, (AwkValue){ .kind = AWK_LINK, .number = (double)link });
    else
        awk_push(vm, awk_copy(value));
    return AWK_ON;
}

AwkStep awk_op_pass_global(AwkVm *vm)
{
    const uint32_t index = awk_operand(vm);
    return pass(vm, &vm->globals[index], -1 - (int64_t)index);
}

AwkStep awk_op_pass_local(AwkVm *vm)
{
    const uint32_t place = vm->base + awk_operand(vm);
    return pass(vm, &vm->stack[place], place);
}

AwkStep awk_op_pass_element(AwkVm *vm)
{
    AwkValue key = awk_pop(vm);
    AwkArray *array = awk_pop(vm).array;
    const AwkValue *value = awk_array_place(vm, array, &key);
    if (value->kind == AWK_UNSET) {
        awk_push(vm, awk_link_element(vm, array, key));
        return AWK_ON;
    }
    awk_push(vm, awk_copy(value));
    awk_drop(vm, &key);
    awk_array_release(vm, array);
    return AWK_ON;
}

static AwkStep call(AwkVm *vm, uint32_t number, uint32_t count)
{
    const AwkFunction *function = &vm->program.functions[number];
    if (count > function->parameters) {
        awk_warn(vm, "function `%s' called with more arguments than declared", function->name->bytes);
        awk_unwind(vm, vm->top - (count - function->parameters));
        count = function->parameters;
    }
    if (!awk_stack_reserve(vm, function->parameters)) {
        vm->pool.exhausted = false;
        return awk_fatal(vm, "function calls are nested too deeply (%u)", vm->frame_count);
    }
    for (; count < function->parameters; count++)
        awk_push(vm, (AwkValue){ 0 });
    return awk_enter(vm, function->entry, vm->pc, function->parameters, number) ? AWK_ON : AWK_FAIL;
}

AwkStep awk_op_call(AwkVm *vm)
{
    const uint32_t number = awk_operand(vm), count = awk_operand(vm);
    return call(vm, number, count);
}

/* @name(arguments): the name lies below the arguments. */
AwkStep awk_op_call_named(AwkVm *vm)
{
    const uint32_t count = awk_operand(vm);
    AwkValue name = vm->stack[vm->top - count - 1];
    memmove(&vm->stack[vm->top - count - 1], &vm->stack[vm->top - count], count * sizeof name);
    vm->top--;
    AwkText *text = awk_to_text(vm, &name);
    AwkStep step = AWK_FAIL;
    uint32_t i = 0;
    while (i < vm->program.function_count && strcmp(vm->program.functions[i].name->bytes, text->bytes))
        i++;
    uint32_t which;
    if (i < vm->program.function_count)
        step = call(vm, i, count);
    else if (awk_builtin_find(text->bytes, text->length, &which) && awk_builtins[which].run && awk_builtins[which].most >= count)
        step = awk_run_builtin(vm, which, count);
    else
        awk_fatal(vm, "function `%s' not defined", text->bytes);
    awk_text_release(&vm->pool, text);
    awk_drop(vm, &name);
    return step;
}

static void leave(AwkVm *vm)
{
    const AwkFrame frame = vm->frames[--vm->frame_count];
    awk_unwind(vm, vm->base);
    vm->base = frame.base;
    vm->pc = frame.back;
}

AwkStep awk_op_give(AwkVm *vm)
{
    AwkValue result = awk_pop(vm);
    if (result.kind == AWK_LINK) /* it would outlive what it names */
        awk_replace(vm, &result, (AwkValue){ .kind = AWK_ABSENT });
    leave(vm);
    awk_push(vm, result);
    return AWK_ON;
}

AwkStep awk_op_leave_rule(AwkVm *vm)
{
    leave(vm);
    return AWK_ON;
}
