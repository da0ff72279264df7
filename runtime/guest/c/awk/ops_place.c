/* Assignment. */
#include "error.h"
#include "place.h"
#include "vm.h"

/* A value that a variable may hold for good: nothing is a variable that was never assigned. */
static AwkValue assigned(const AwkValue *value)
{
    const bool never = value->kind == AWK_UNSET || value->kind == AWK_LINK;
    return never ? (AwkValue){ .kind = AWK_ABSENT } : awk_copy(value);
}

/* The plain variable that is the place in code; NULL for any other place, and for an array. */
static AwkValue *plain_variable(AwkVm *vm)
{
    const uint32_t *operands = &vm->program.code[vm->pc];
    if (operands[0] > AWK_IN_LOCAL)
        return NULL;
    AwkValue *at = operands[0] == AWK_IN_GLOBAL ? &vm->globals[operands[1]] : &vm->stack[vm->base + operands[1]];
    if (at->kind == AWK_LINK)
        awk_become_scalar(vm, at);
    return at->kind == AWK_ARRAY ? NULL : at;
}

static bool store_quickly(AwkVm *vm)
{
    AwkValue *at = plain_variable(vm);
    if (!at)
        return false;
    awk_replace(vm, at, assigned(awk_top(vm)));
    vm->pc += 2;
    return true;
}

AwkStep awk_op_store(AwkVm *vm)
{
    AwkPlace place;
    if (store_quickly(vm))
        return AWK_ON;
    if (!awk_place_take(vm, &place))
        return AWK_FAIL;
    const bool fine = awk_place_assign(vm, &place, assigned(awk_top(vm)));
    awk_place_drop(vm, &place);
    return fine ? AWK_ON : AWK_FAIL;
}

static bool modify(AwkVm *vm, const AwkPlace *place, AwkArithmetic arithmetic, double operand, double *result)
{
    double old;
    if (!awk_place_number(vm, place, &old))
        return false;
    if (operand == 0 && (arithmetic == AWK_DIVIDE || arithmetic == AWK_REMAINDER)) {
        awk_fatal(vm, "division by zero attempted in `%s='", arithmetic == AWK_DIVIDE ? "/" : "%");
        return false;
    }
    return awk_calculate(vm, arithmetic, old, operand, result) &&
           awk_place_assign(vm, place, awk_number(*result));
}

/* Sums and products of numbers in variables, without further ado. */
static bool modify_quickly(AwkVm *vm)
{
    AwkValue *at = plain_variable(vm), *operand = awk_top(vm);
    const AwkArithmetic arithmetic = (AwkArithmetic)vm->program.code[vm->pc + 2];
    if (!at || at->kind != AWK_NUMBER || operand->kind != AWK_NUMBER || arithmetic > AWK_MULTIPLY)
        return false;
    const double a = at->number, b = operand->number;
    at->number = operand->number = arithmetic == AWK_ADD ? a + b : arithmetic == AWK_SUBTRACT ? a - b : a * b;
    vm->pc += 3;
    return true;
}

AwkStep awk_op_modify(AwkVm *vm)
{
    AwkPlace place;
    double result = 0;
    if (modify_quickly(vm))
        return AWK_ON;
    if (!awk_place_take(vm, &place))
        return AWK_FAIL;
    const AwkArithmetic arithmetic = (AwkArithmetic)awk_operand(vm);
    const bool fine = modify(vm, &place, arithmetic, awk_to_number(awk_top(vm)), &result);
    awk_replace(vm, awk_top(vm), awk_number(result));
    awk_place_drop(vm, &place);
    return fine ? AWK_ON : AWK_FAIL;
}

static bool step_quickly(AwkVm *vm)
{
    const uint32_t *operands = &vm->program.code[vm->pc];
    AwkValue *at = plain_variable(vm);
    if (!at || at->kind != AWK_NUMBER)
        return false;
    const double old = at->number, now = old + (int32_t)operands[2];
    at->number = now;
    awk_push_number(vm, operands[3] ? old : now);
    vm->pc += 4;
    return true;
}

AwkStep awk_op_step(AwkVm *vm)
{
    AwkPlace place;
    double old;
    if (step_quickly(vm))
        return AWK_ON;
    if (!awk_place_take(vm, &place))
        return AWK_FAIL;
    const int32_t by = (int32_t)awk_operand(vm);
    const bool post = awk_operand(vm);
    const bool fine = awk_place_number(vm, &place, &old) && awk_place_assign(vm, &place, awk_number(old + by));
    if (fine)
        awk_push_number(vm, post ? old : old + by);
    awk_place_drop(vm, &place);
    return fine ? AWK_ON : AWK_FAIL;
}

/* What sub() or getline found goes to its place, if they found something. */
AwkStep awk_op_keep(AwkVm *vm)
{
    AwkPlace place;
    const double count = awk_pop(vm).number;
    if (!awk_place_take(vm, &place))
        return AWK_FAIL;
    bool fine = true;
    if (count > 0)
        fine = awk_place_assign(vm, &place, awk_copy(&vm->result));
    awk_replace(vm, &vm->result, (AwkValue){ 0 });
    awk_place_drop(vm, &place);
    awk_push_number(vm, count);
    return fine ? AWK_ON : AWK_FAIL;
}

AwkStep awk_op_append(AwkVm *vm)
{
    AwkPlace place = { .kind = (AwkPlaceKind)awk_operand(vm) };
    place.index = awk_operand(vm);
    const uint32_t count = awk_operand(vm);
    AwkValue *at = awk_place_value(vm, &place);
    if (at->kind == AWK_ARRAY)
        return awk_fatal(vm, "attempt to use array `%s' in a scalar context", awk_place_name(vm, place.kind, place.index));
    AwkText *text = awk_to_text(vm, at);
    awk_replace(vm, at, (AwkValue){ .kind = AWK_ABSENT });
    for (uint32_t i = 0; i < count; i++) {
        AwkText *more = awk_to_text(vm, &vm->stack[vm->top - count + i]);
        text = awk_text_append(&vm->pool, text, more->bytes, more->length);
        awk_text_release(&vm->pool, more);
    }
    *at = awk_text(text);
    awk_unwind(vm, vm->top - count);
    awk_push(vm, awk_text(awk_text_share(text)));
    return AWK_ON;
}
