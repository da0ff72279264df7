/* asort and asorti. */
#include "error.h"
#include "list.h"
#include "ops.h"
#include "vm.h"

static AwkStep set_order(AwkVm *vm, AwkList *list, AwkValue *how, bool by_key)
{
    AwkText *name = how ? awk_to_text(vm, how) : awk_text_create(&vm->pool, by_key ? "@ind_str_asc" : "@val_type_asc",
                                                                 by_key ? 12 : 13);
    const AwkStep step = awk_list_order(vm, list, name);
    awk_text_release(&vm->pool, name);
    return step;
}

/* The list takes the place of the arguments: source, target, order. */
AwkStep awk_op_sort(AwkVm *vm)
{
    const bool by_key = awk_operand(vm);
    const uint32_t count = awk_operand(vm);
    AwkValue *arguments = &vm->stack[vm->top - count];
    AwkList *list = awk_list_create(vm, arguments[0].array);
    if (!list)
        return AWK_FAIL;
    list->by_key = by_key;
    list->target = awk_array_share(arguments[count > 1 ? 1 : 0].array);
    const AwkStep step = set_order(vm, list, count > 2 ? &arguments[2] : NULL, by_key);
    awk_unwind(vm, vm->top - count);
    awk_push(vm, (AwkValue){ .kind = AWK_LIST, .list = list });
    return step;
}

AwkStep awk_op_sort_end(AwkVm *vm)
{
    AwkList *list = awk_top(vm)->list;
    const uint32_t count = list->items ? list->count : 0;
    awk_array_clear(vm, list->target);
    for (uint32_t i = 0; i < count; i++) {
        const AwkItem *item = &list->items[i];
        awk_array_put_index(vm, list->target, (int32_t)i + 1,
                            list->by_key ? awk_text(awk_to_text(vm, &item->key)) : awk_copy(&item->value));
    }
    awk_replace(vm, awk_top(vm), awk_number(count));
    return AWK_ON;
}
