/* Arrays and their elements. */
#include "error.h"
#include "list.h"
#include "place.h"
#include "vm.h"

/* The array in a variable, made if the variable was never used; pushed with a reference of its own. */
static AwkStep push_array(AwkVm *vm, AwkValue *value, AwkPlaceKind kind, uint32_t index)
{
    AwkValue *at = value->kind == AWK_LINK ? awk_linked(vm, value) : value;
    if (at->kind == AWK_UNSET) {
        AwkArray *array = awk_array_create(vm);
        if (!array)
            return AWK_FAIL;
        *at = (AwkValue){ .kind = AWK_ARRAY, .array = array };
    }
    if (at->kind != AWK_ARRAY)
        return awk_fatal(vm, "attempt to use scalar %s`%s' as an array", kind == AWK_IN_LOCAL ? "parameter " : "",
                         awk_place_name(vm, kind, index));
    awk_push(vm, awk_copy(at));
    if (at != value) /* found once for all */
        awk_replace(vm, value, awk_copy(awk_top(vm)));
    return AWK_ON;
}

AwkStep awk_op_global_array(AwkVm *vm)
{
    const uint32_t index = awk_operand(vm);
    return push_array(vm, &vm->globals[index], AWK_IN_GLOBAL, index);
}

AwkStep awk_op_local_array(AwkVm *vm)
{
    const uint32_t index = awk_operand(vm);
    return push_array(vm, &vm->stack[vm->base + index], AWK_IN_LOCAL, index);
}

/* Array and key are taken off the stack; the caller drops both. */
static AwkArray *pop_element(AwkVm *vm, AwkValue *key)
{
    *key = awk_pop(vm);
    return awk_pop(vm).array;
}

AwkStep awk_op_element(AwkVm *vm)
{
    AwkValue key;
    AwkArray *array = pop_element(vm, &key);
    const AwkValue *value = awk_array_place(vm, array, &key);
    AwkStep step = AWK_ON;
    if (value->kind == AWK_ARRAY)
        step = awk_fatal(vm, "attempt to use array element in a scalar context");
    else
        awk_push(vm, awk_copy(value));
    awk_drop(vm, &key);
    awk_array_release(vm, array);
    return step;
}

AwkStep awk_op_subarray(AwkVm *vm)
{
    AwkValue key;
    AwkArray *array = pop_element(vm, &key);
    AwkValue *value = awk_array_place(vm, array, &key);
    AwkStep step = AWK_ON;
    if (value->kind == AWK_UNSET) {
        AwkArray *inner = awk_array_create(vm);
        if (inner)
            *value = (AwkValue){ .kind = AWK_ARRAY, .array = inner };
    }
    if (value->kind == AWK_ARRAY)
        awk_push(vm, awk_copy(value));
    else
        step = awk_fatal(vm, "attempt to use a scalar value as array");
    awk_drop(vm, &key);
    awk_array_release(vm, array);
    return step;
}

AwkStep awk_op_join(AwkVm *vm)
{
    const uint32_t count = awk_operand(vm);
    AwkText *joined = awk_to_text(vm, &vm->stack[vm->top - count]);
    for (uint32_t i = 1; i < count; i++) {
        AwkText *part = awk_to_text(vm, &vm->stack[vm->top - count + i]);
        joined = awk_text_append(&vm->pool, joined, vm->subsep->bytes, vm->subsep->length);
        joined = awk_text_append(&vm->pool, joined, part->bytes, part->length);
        awk_text_release(&vm->pool, part);
    }
    awk_unwind(vm, vm->top - count);
    awk_push(vm, awk_text(joined));
    return AWK_ON;
}

AwkStep awk_op_in(AwkVm *vm)
{
    AwkValue key;
    AwkArray *array = pop_element(vm, &key);
    awk_push_number(vm, awk_array_find(vm, array, &key) != NULL);
    awk_drop(vm, &key);
    awk_array_release(vm, array);
    return AWK_ON;
}

AwkStep awk_op_delete(AwkVm *vm)
{
    AwkValue key;
    AwkArray *array = pop_element(vm, &key);
    awk_array_remove(vm, array, &key);
    awk_drop(vm, &key);
    awk_array_release(vm, array);
    return AWK_ON;
}

AwkStep awk_op_delete_all(AwkVm *vm)
{
    AwkArray *array = awk_pop(vm).array;
    awk_array_clear(vm, array);
    awk_array_release(vm, array);
    return AWK_ON;
}

/* --- for (key in array) ------------------------------------------------------------------ */

/* The order that PROCINFO["sorted_in"] asks for. */
static AwkStep set_order(AwkVm *vm, AwkList *list)
{
    AwkValue *info = &vm->globals[AWK_PROCINFO], key = awk_text(awk_text_create(&vm->pool, "sorted_in", 9));
    AwkValue *name = info->kind == AWK_ARRAY ? awk_array_find(vm, info->array, &key) : NULL;
    awk_drop(vm, &key);
    if (!name || !awk_has_text(name))
        return AWK_ON;
    return awk_list_order(vm, list, name->text);
}

AwkStep awk_op_each(AwkVm *vm)
{
    AwkList *list = awk_list_create(vm, awk_top(vm)->array);
    if (!list)
        return AWK_FAIL;
    awk_replace(vm, awk_top(vm), (AwkValue){ .kind = AWK_LIST, .list = list });
    return set_order(vm, list);
}

AwkStep awk_op_each_sorted(AwkVm *vm)
{
    AwkValue *place = awk_top(vm);
    AwkList *list = place->kind == AWK_LIST ? place->list : place[-1].list; /* below the answer of a comparison */
    const AwkStep step = awk_list_sort(vm, list);
    return step == AWK_WAIT ? AWK_ON : step;
}

AwkStep awk_op_each_next(AwkVm *vm)
{
    const uint32_t target = awk_operand(vm);
    AwkList *list = awk_top(vm)->list;
    if (list->at == list->count || !list->items) {
        vm->pc = target;
        return AWK_ON;
    }
    AwkItem *item = &list->items[list->at++];
    awk_push(vm, awk_text(awk_to_text(vm, &item->key)));
    return AWK_ON;
}
