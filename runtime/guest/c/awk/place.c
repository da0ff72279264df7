#include "place.h"

#include "error.h"
#include "vm.h"

static bool take_field(AwkVm *vm, AwkPlace *place)
{
    AwkValue value = awk_pop(vm);
    const double number = awk_to_number(&value);
    awk_drop(vm, &value);
    place->index = number > -1 && number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    if (number > -1)
        return true;
    awk_fatal(vm, "attempt to access field %.0f", number);
    return false;
}

bool awk_place_take(AwkVm *vm, AwkPlace *place)
{
    place->kind = (AwkPlaceKind)awk_operand(vm);
    place->index = awk_operand(vm);
    place->array = NULL;
    if (place->kind == AWK_IN_FIELD)
        return take_field(vm, place);
    if (place->kind == AWK_IN_ELEMENT) {
        place->key = awk_pop(vm);
        place->array = awk_pop(vm).array;
    }
    return true;
}

void awk_place_drop(AwkVm *vm, AwkPlace *place)
{
    if (!place->array)
        return;
    awk_drop(vm, &place->key);
    awk_array_release(vm, place->array);
}

void awk_element_release(AwkVm *vm, AwkElement *element)
{
    if (--element->references)
        return;
    awk_drop(vm, &element->key);
    awk_array_release(vm, element->array);
    awk_pool_give(&vm->pool, element, sizeof *element);
}

AwkValue awk_link_element(AwkVm *vm, AwkArray *array, AwkValue key)
{
    AwkElement *element = awk_pool_take(&vm->pool, sizeof *element);
    if (!element)
        return (AwkValue){ 0 };
    *element = (AwkElement){ 1, array, key };
    return (AwkValue){ .kind = AWK_LINK, .element = element };
}

AwkValue *awk_linked(AwkVm *vm, const AwkValue *link)
{
    if (link->element)
        return awk_array_place(vm, link->element->array, &link->element->key);
    const int64_t number = (int64_t)link->number;
    return number < 0 ? &vm->globals[-1 - number] : &vm->stack[number];
}

void awk_become_scalar(AwkVm *vm, AwkValue *value)
{
    if (value->kind == AWK_LINK && !value->element) {
        awk_become_scalar(vm, awk_linked(vm, value));
        *value = (AwkValue){ .kind = AWK_ABSENT };
    } else if (value->kind == AWK_UNSET) {
        value->kind = AWK_ABSENT;
    }
}

const char *awk_place_name(AwkVm *vm, AwkPlaceKind kind, uint32_t index)
{
    if (kind != AWK_IN_LOCAL)
        return vm->program.globals[index]->bytes;
    return vm->program.functions[vm->frames[vm->frame_count - 1].function].names[index]->bytes;
}

AwkValue *awk_place_value(AwkVm *vm, const AwkPlace *place)
{
    switch (place->kind) {
    case AWK_IN_GLOBAL:
        return &vm->globals[place->index];
    case AWK_IN_LOCAL:
        return &vm->stack[vm->base + place->index];
    case AWK_IN_ELEMENT:
        return awk_array_place(vm, place->array, &place->key);
    default:
        return NULL;
    }
}

static bool refuse_array(AwkVm *vm, const AwkPlace *place)
{
    if (place->kind == AWK_IN_ELEMENT)
        awk_fatal(vm, "attempt to use array element in a scalar context");
    else
        awk_fatal(vm, "attempt to use array `%s' in a scalar context", awk_place_name(vm, place->kind, place->index));
    return false;
}

bool awk_place_assign(AwkVm *vm, const AwkPlace *place, AwkValue value)
{
    AwkValue *at = awk_place_value(vm, place);
    if (at && at->kind != AWK_ARRAY) {
        awk_replace(vm, at, value);
        return true;
    }
    if (at || (place->kind == AWK_IN_SPECIAL && vm->globals[place->index].kind == AWK_ARRAY)) {
        awk_drop(vm, &value);
        return refuse_array(vm, place);
    }
    if (place->kind == AWK_IN_FIELD)
        awk_record_assign(vm, place->index, value);
    else
        awk_special_set(vm, place->index, value);
    return !vm->failed;
}

bool awk_place_number(AwkVm *vm, const AwkPlace *place, double *number)
{
    AwkValue *at = awk_place_value(vm, place);
    if (at && at->kind == AWK_ARRAY)
        return refuse_array(vm, place);
    if (at) {
        *number = awk_to_number(at);
        return true;
    }
    if (place->kind == AWK_IN_FIELD) {
        *number = awk_record_number(vm, place->index);
        return true;
    }
    AwkValue value = awk_special_get(vm, place->index);
    *number = awk_to_number(&value);
    awk_drop(vm, &value);
    return true;
}
