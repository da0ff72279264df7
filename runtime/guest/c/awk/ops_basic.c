/* Constants, variables, jumps. */
#include "error.h"
#include "place.h"
#include "vm.h"

AwkStep awk_op_constant(AwkVm *vm)
{
    awk_push(vm, awk_copy(&vm->program.constants[awk_operand(vm)]));
    return AWK_ON;
}

AwkStep awk_op_pop(AwkVm *vm)
{
    if (awk_top(vm)->kind < AWK_TEXT)
        vm->top--;
    else
        awk_pop_drop(vm);
    return AWK_ON;
}

AwkStep awk_op_copy(AwkVm *vm)
{
    const uint32_t depth = awk_operand(vm);
    awk_push(vm, awk_copy(&vm->stack[vm->top - 1 - depth]));
    return AWK_ON;
}

static AwkStep push_scalar(AwkVm *vm, AwkValue *value, const AwkText *name)
{
    if (value->kind == AWK_ARRAY)
        return awk_fatal(vm, "attempt to use array `%s' in a scalar context", name->bytes);
    if (value->kind == AWK_UNSET || value->kind == AWK_LINK)
        awk_become_scalar(vm, value);
    awk_push(vm, value->kind == AWK_LINK ? (AwkValue){ .kind = AWK_ABSENT } : awk_copy(value));
    return AWK_ON;
}

AwkStep awk_op_global(AwkVm *vm)
{
    const uint32_t number = awk_operand(vm);
    return push_scalar(vm, &vm->globals[number], vm->program.globals[number]);
}

static const AwkText *local_name(AwkVm *vm, uint32_t number)
{
    return vm->program.functions[vm->frames[vm->frame_count - 1].function].names[number];
}

AwkStep awk_op_local(AwkVm *vm)
{
    const uint32_t number = awk_operand(vm);
    AwkValue *value = &vm->stack[vm->base + number];
    if (value->kind == AWK_ARRAY)
        return push_scalar(vm, value, local_name(vm, number));
    return push_scalar(vm, value, NULL);
}

AwkStep awk_op_special(AwkVm *vm)
{
    const uint32_t number = awk_operand(vm);
    if (vm->globals[number].kind == AWK_ARRAY)
        return push_scalar(vm, &vm->globals[number], vm->program.globals[number]);
    awk_push(vm, awk_special_get(vm, number));
    return AWK_ON;
}

/* The index of a field on the stack; false when there can be none. */
static bool pop_index(AwkVm *vm, uint32_t *index)
{
    AwkValue value = awk_pop(vm);
    const double number = awk_to_number(&value);
    awk_drop(vm, &value);
    *index = number >= 0 && number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    if (number > -1)
        return true;
    awk_fatal(vm, "attempt to access field %.0f", number);
    return false;
}

AwkStep awk_op_field(AwkVm *vm)
{
    uint32_t index;
    if (!pop_index(vm, &index))
        return AWK_FAIL;
    awk_push(vm, awk_record_field(vm, index));
    return AWK_ON;
}

AwkStep awk_op_field_at(AwkVm *vm)
{
    awk_push(vm, awk_record_field(vm, awk_operand(vm)));
    return AWK_ON;
}

AwkStep awk_op_field_number(AwkVm *vm)
{
    awk_push_number(vm, awk_record_number(vm, awk_operand(vm)));
    return AWK_ON;
}

AwkStep awk_op_jump(AwkVm *vm)
{
    vm->pc = vm->program.code[vm->pc];
    return AWK_ON;
}

static bool pop_truth(AwkVm *vm)
{
    AwkValue *value = awk_top(vm);
    vm->top--;
    if (value->kind == AWK_NUMBER)
        return value->number != 0;
    AwkValue taken = *value;
    const bool truth = awk_is_true(&taken);
    awk_drop(vm, &taken);
    return truth;
}

AwkStep awk_op_jump_true(AwkVm *vm)
{
    const uint32_t target = awk_operand(vm);
    if (pop_truth(vm))
        vm->pc = target;
    return AWK_ON;
}

AwkStep awk_op_jump_false(AwkVm *vm)
{
    const uint32_t target = awk_operand(vm);
    if (!pop_truth(vm))
        vm->pc = target;
    return AWK_ON;
}

AwkStep awk_op_range_on(AwkVm *vm)
{
    const uint32_t range = awk_operand(vm), target = awk_operand(vm);
    if (vm->ranges[range])
        vm->pc = target;
    return AWK_ON;
}

AwkStep awk_op_range_set(AwkVm *vm)
{
    const uint32_t range = awk_operand(vm);
    vm->ranges[range] = awk_operand(vm) != 0;
    return AWK_ON;
}
