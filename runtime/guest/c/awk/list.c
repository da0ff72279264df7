#include "list.h"

#include <math.h>

#include "array.h"
#include "cells.h"
#include "error.h"
#include "vm.h"

struct AwkOrder {
    const char *name;
    int (*compare)(AwkVm *vm, AwkItem *a, AwkItem *b);
    int sign;
};

static void add(void *data, AwkEntry *entry)
{
    AwkList *list = data;
    AwkItem *item = &list->items[list->count++];
    item->key = entry->text ? awk_text(awk_text_share(entry->text)) : awk_number((int32_t)entry->hash);
    item->value = awk_copy(&entry->value);
}

AwkList *awk_list_create(AwkVm *vm, AwkArray *array)
{
    const size_t size = awk_array_count(array) * sizeof(AwkItem);
    AwkList *list = awk_pool_take(&vm->pool, sizeof *list);
    if (!list)
        return NULL;
    *list = (AwkList){ .function = AWK_NO_FUNCTION, .width = 1, .items = awk_pool_take(&vm->pool, size) };
    if (list->items)
        awk_array_each(vm, array, add, list);
    return list;
}

static void drop_item(AwkVm *vm, AwkItem *item)
{
    awk_drop(vm, &item->key);
    awk_drop(vm, &item->value);
}

void awk_list_destroy(AwkVm *vm, AwkList *list)
{
    const size_t size = list->count * sizeof(AwkItem);
    for (uint32_t i = 0; i < list->count; i++)
        drop_item(vm, &list->items[i]);
    awk_pool_give(&vm->pool, list->items, size);
    awk_pool_give(&vm->pool, list->spare, size);
    if (list->target)
        awk_array_release(vm, list->target);
    awk_pool_give(&vm->pool, list, sizeof *list);
}

/* --- orders ---------------------------------------------------------------------------- */

static int compare_as_number(AwkValue *a, AwkValue *b)
{
    const double left = awk_to_number(a), right = awk_to_number(b);
    return (left > right) - (left < right);
}

static int by_key_text(AwkVm *vm, AwkItem *a, AwkItem *b)
{
    return awk_compare_texts(vm, &a->key, &b->key);
}

static int by_key_number(AwkVm *vm, AwkItem *a, AwkItem *b)
{
    const int order = compare_as_number(&a->key, &b->key);
    return order ? order : awk_compare_texts(vm, &a->key, &b->key);
}

/* Numbers before texts, texts before arrays. */
static int rank(AwkValue *value)
{
    awk_settle(value);
    return value->kind == AWK_ARRAY ? 2 : value->kind == AWK_NUMBER || value->kind == AWK_STRNUM ? 0 : 1;
}

static int by_value_type(AwkVm *vm, AwkItem *a, AwkItem *b)
{
    const int left = rank(&a->value), right = rank(&b->value);
    int order = left - right;
    if (!order && left < 2)
        order = left ? awk_compare_texts(vm, &a->value, &b->value) : compare_as_number(&a->value, &b->value);
    return order ? order : by_key_number(vm, a, b);
}

static int by_value_text(AwkVm *vm, AwkItem *a, AwkItem *b)
{
    const int left = rank(&a->value) == 2, right = rank(&b->value) == 2;
    const int order = left || right ? left - right : awk_compare_texts(vm, &a->value, &b->value);
    return order ? order : by_key_number(vm, a, b);
}

static int by_value_number(AwkVm *vm, AwkItem *a, AwkItem *b)
{
    const int left = rank(&a->value) == 2, right = rank(&b->value) == 2;
    int order = left || right ? left - right : compare_as_number(&a->value, &b->value);
    if (!order && !left)
        order = awk_compare_texts(vm, &a->value, &b->value);
    return order ? order : by_key_number(vm, a, b);
}

static const AwkOrder orders[] = {
    { "@ind_str_asc", by_key_text, 1 },      { "@ind_str_desc", by_key_text, -1 },
    { "@ind_num_asc", by_key_number, 1 },    { "@ind_num_desc", by_key_number, -1 },
    { "@val_type_asc", by_value_type, 1 },   { "@val_type_desc", by_value_type, -1 },
    { "@val_str_asc", by_value_text, 1 },    { "@val_str_desc", by_value_text, -1 },
    { "@val_num_asc", by_value_number, 1 },  { "@val_num_desc", by_value_number, -1 },
};

static bool find_function(AwkVm *vm, AwkList *list, const AwkText *name)
{
    for (uint32_t i = 0; i < vm->program.function_count; i++) {
        const AwkText *known = vm->program.functions[i].name;
        if (awk_compare_bytes(known->bytes, known->length, name->bytes, name->length))
            continue;
        list->function = i;
        return true;
    }
    return false;
}

AwkStep awk_list_order(AwkVm *vm, AwkList *list, const AwkText *name)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (!strcmp(orders[i].name, name->bytes)) {
            list->order = &orders[i];
            return AWK_ON;
        }
    if (!name->length || !strcmp(name->bytes, "@unsorted") || find_function(vm, list, name))
        return AWK_ON;
    return awk_fatal(vm, "sort comparison function `%s' is not defined", name->bytes);
}

/* --- merging --------------------------------------------------------------------------- */

/* What the program's function gets: key and value of the left item, then of the right one. */
static AwkValue argument(AwkVm *vm, AwkList *list, uint32_t index)
{
    if (index >= 4)
        return (AwkValue){ 0 };
    const AwkItem *item = &list->items[index < 2 ? list->left : list->right];
    return index % 2 ? awk_copy(&item->value) : awk_text(awk_to_text(vm, &item->key));
}

/* Call the program's function; its result comes onto the stack. */
static AwkStep ask(AwkVm *vm, AwkList *list)
{
    const AwkFunction *function = &vm->program.functions[list->function];
    if (!awk_stack_reserve(vm, function->parameters))
        return AWK_FAIL;
    for (uint32_t i = 0; i < function->parameters; i++)
        awk_push(vm, argument(vm, list, i));
    list->asked = true;
    return awk_enter(vm, function->entry, vm->at, function->parameters, list->function) ? AWK_WAIT : AWK_FAIL;
}

/* Whether the right item goes first; AWK_WAIT while a function is being asked. */
static AwkStep right_first(AwkVm *vm, AwkList *list, bool *right)
{
    AwkItem *a = &list->items[list->left], *b = &list->items[list->right];
    if (list->order) {
        *right = list->order->sign * list->order->compare(vm, a, b) > 0;
        return AWK_ON;
    }
    if (!list->asked)
        return ask(vm, list);
    list->asked = false;
    AwkValue answer = awk_pop(vm);
    *right = awk_to_number(&answer) > 0;
    awk_drop(vm, &answer);
    return AWK_ON;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Put one more item of the two runs into its place.  False at the end of both. */
static AwkStep merge_item(AwkVm *vm, AwkList *list, uint32_t middle, uint32_t end)
{
    bool right = list->left >= middle;
    if (!right && list->right < end) {
        const AwkStep step = right_first(vm, list, &right);
        if (step != AWK_ON)
            return step;
    }
    list->spare[list->out++] = list->items[right ? list->right++ : list->left++];
    return AWK_ON;
}

static void begin_run(AwkList *list, uint32_t start)
{
    list->start = list->left = list->out = start;
    list->right = least(start + list->width, list->count);
}

static void end_pass(AwkList *list)
{
    AwkItem *items = list->items;
    list->items = list->spare;
    list->spare = items;
    list->width *= 2;
    begin_run(list, 0);
}

AwkStep awk_list_sort(AwkVm *vm, AwkList *list)
{
    if (!list->items || (!list->order && list->function == AWK_NO_FUNCTION))
        return AWK_ON;
    if (!list->spare) {
        list->spare = awk_pool_take(&vm->pool, list->count * sizeof(AwkItem));
        if (!list->spare)
            return AWK_FAIL;
        begin_run(list, 0);
    }
    for (uint32_t steps = 1; list->width < list->count; steps++) {
        const uint32_t middle = least(list->start + list->width, list->count);
        const uint32_t end = least(middle + list->width, list->count);
        const AwkStep step = list->out < end ? merge_item(vm, list, middle, end) : AWK_ON;
        if (step != AWK_ON)
            return step;
        if (list->out == end && end < list->count)
            begin_run(list, end);
        else if (list->out == end)
            end_pass(list);
        if (steps % 65536 == 0 && amla_interrupted())
            return AWK_FAIL;
    }
    return AWK_ON;
}
