/* Arithmetic, comparison, concatenation, matching. */
#include <math.h>

#include "error.h"
#include "ops.h"
#include "vm.h"

bool awk_calculate(AwkVm *vm, AwkArithmetic arithmetic, double a, double b, double *result)
{
    if (b == 0 && (arithmetic == AWK_DIVIDE || arithmetic == AWK_REMAINDER)) {
        awk_fatal(vm, "division by zero attempted%s", arithmetic == AWK_REMAINDER ? " in `%'" : "");
        return false;
    }
    switch (arithmetic) {
    case AWK_ADD:
        *result = a + b;
        break;
    case AWK_SUBTRACT:
        *result = a - b;
        break;
    case AWK_MULTIPLY:
        *result = a * b;
        break;
    case AWK_DIVIDE:
        *result = a / b;
        break;
    case AWK_REMAINDER:
        *result = fmod(a, b);
        break;
    case AWK_POWER:
        *result = pow(a, b);
        break;
    }
    return true;
}

/* The two topmost values as numbers; the first is still on the stack, for the result. */
static void pop_numbers(AwkVm *vm, double *a, double *b)
{
    AwkValue *right = awk_top(vm), *left = right - 1;
    *a = awk_to_number(left);
    *b = awk_to_number(right);
    awk_drop(vm, left);
    awk_drop(vm, right);
    vm->top--;
}

static AwkStep calculate(AwkVm *vm, AwkArithmetic arithmetic)
{
    double a, b, result = 0;
    pop_numbers(vm, &a, &b);
    const bool fine = awk_calculate(vm, arithmetic, a, b, &result);
    *awk_top(vm) = awk_number(result);
    return fine ? AWK_ON : AWK_FAIL;
}

#define ARITHMETIC(name, arithmetic)   \
    AwkStep awk_op_##name(AwkVm *vm)   \
    {                                  \
        return calculate(vm, arithmetic); \
    }
ARITHMETIC(divide, AWK_DIVIDE)
ARITHMETIC(remainder, AWK_REMAINDER)
ARITHMETIC(power, AWK_POWER)

#define SIMPLE_ARITHMETIC(name, operator)     \
    AwkStep awk_op_##name(AwkVm *vm)          \
    {                                         \
        double a, b;                          \
        pop_numbers(vm, &a, &b);              \
        *awk_top(vm) = awk_number(a operator b); \
        return AWK_ON;                        \
    }
SIMPLE_ARITHMETIC(add, +)
SIMPLE_ARITHMETIC(subtract, -)
SIMPLE_ARITHMETIC(multiply, *)

static AwkStep replace_top(AwkVm *vm, double number)
{
    awk_replace(vm, awk_top(vm), awk_number(number));
    return AWK_ON;
}

AwkStep awk_op_minus(AwkVm *vm)
{
    return replace_top(vm, -awk_to_number(awk_top(vm)));
}

AwkStep awk_op_plus(AwkVm *vm)
{
    return replace_top(vm, awk_to_number(awk_top(vm)));
}

AwkStep awk_op_not(AwkVm *vm)
{
    return replace_top(vm, !awk_is_true(awk_top(vm)));
}

static int compare_numbers(double a, double b)
{
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
}

/* Compare the two topmost values; the first is replaced by the caller. */
static int pop_compared(AwkVm *vm)
{
    AwkValue *right = awk_top(vm), *left = right - 1;
    if (left->kind == AWK_NUMBER && right->kind == AWK_NUMBER) {
        vm->top--;
        return compare_numbers(left->number, right->number);
    }
    const int order = awk_compare(vm, left, right);
    awk_drop(vm, left);
    awk_drop(vm, right);
    vm->top--;
    return order;
}

/* `order` is 2 when a NaN is not comparable. */
#define COMPARISON(name, condition)                \
    AwkStep awk_op_##name(AwkVm *vm)               \
    {                                              \
        const int order = pop_compared(vm);        \
        *awk_top(vm) = awk_number(condition);      \
        return AWK_ON;                             \
    }
COMPARISON(less, order == -1)
COMPARISON(less_equal, order == -1 || order == 0)
COMPARISON(equal, order == 0)
COMPARISON(not_equal, order != 0)
COMPARISON(greater, order == 1)
COMPARISON(greater_equal, order == 1 || order == 0)

/* For `a = a b` there is append, which does not copy what is there. */
AwkStep awk_op_concatenate(AwkVm *vm)
{
    const uint32_t count = awk_operand(vm);
    AwkValue *values = &vm->stack[vm->top - count];
    size_t length = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!awk_has_text(&values[i]))
            awk_replace(vm, &values[i], awk_text(awk_to_text(vm, &values[i])));
        length += values[i].text->length;
    }
    AwkText *text = awk_text_room(&vm->pool, length);
    char *at = text->bytes;
    for (uint32_t i = 0; i < count && text->length; i++) {
        memcpy(at, values[i].text->bytes, values[i].text->length);
        at += values[i].text->length;
    }
    awk_unwind(vm, vm->top - count);
    awk_push(vm, awk_text(text));
    return AWK_ON;
}

static bool value_matches(AwkVm *vm, AwkValue *value, AwkPattern *pattern)
{
    AwkText *text = awk_to_text(vm, value);
    const bool found = awk_pattern_search(vm, pattern, text->bytes, text->length, 0, NULL, 0);
    awk_text_release(&vm->pool, text);
    return found;
}

AwkStep awk_op_match(AwkVm *vm)
{
    AwkValue pattern = awk_pop(vm);
    const bool found = value_matches(vm, awk_top(vm), awk_pattern_of(vm, &pattern));
    awk_drop(vm, &pattern);
    return replace_top(vm, found);
}

AwkStep awk_op_match_record(AwkVm *vm)
{
    size_t length;
    AwkPattern *pattern = vm->program.patterns[awk_operand(vm)];
    const char *text = awk_record_text(vm, &length);
    awk_push_number(vm, awk_pattern_search(vm, pattern, text, length, 0, NULL, 0));
    return AWK_ON;
}

/* A case of a switch: a regular expression matches, numbers and texts are equal. */
AwkStep awk_op_same_case(AwkVm *vm)
{
    AwkValue label = awk_pop(vm), *value = awk_top(vm);
    bool same;
    awk_settle(value);
    if (label.kind == AWK_REGEX)
        same = value_matches(vm, value, awk_pattern_of(vm, &label));
    else if (label.kind == AWK_NUMBER)
        same = (value->kind == AWK_NUMBER || value->kind == AWK_STRNUM) && awk_to_number(value) == label.number;
    else
        same = awk_has_text(value) && value->kind != AWK_STRNUM &&
               !awk_compare_bytes(value->text->bytes, value->text->length, label.text->bytes, label.text->length);
    awk_drop(vm, &label);
    awk_push_number(vm, same);
    return AWK_ON;
}
