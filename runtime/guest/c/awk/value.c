#include "value.h"

#include <math.h>
#include <stdio.h>

#include "array.h"
#include "format.h"
#include "list.h"
#include "number.h"
#include "place.h"
#include "vm.h"

enum { HUGE_ROOM = 320 };

void awk_drop_slowly(AwkVm *vm, AwkValue *value)
{
    if (value->kind <= AWK_REGEX)
        awk_text_release(&vm->pool, value->text);
    else if (value->kind == AWK_ARRAY)
        awk_array_release(vm, value->array);
    else if (value->kind == AWK_LIST)
        awk_list_destroy(vm, value->list);
    else if (value->element)
        awk_element_release(vm, value->element);
}

AwkValue awk_copy_slowly(const AwkValue *value)
{
    if (awk_has_text(value))
        awk_text_share(value->text);
    else if (value->kind == AWK_ARRAY)
        awk_array_share(value->array);
    else if (value->kind == AWK_LINK && value->element)
        value->element->references++;
    return *value;
}

void awk_settle(AwkValue *value)
{
    if (value->kind == AWK_INPUT)
        value->kind = awk_looks_numeric(value->text->bytes, value->text->length, &value->number) ? AWK_STRNUM : AWK_TEXT;
}

double awk_to_number_slowly(AwkValue *value)
{
    size_t end;
    awk_settle(value);
    if (value->kind == AWK_STRNUM)
        return value->number;
    return awk_has_text(value) ? awk_parse_number(value->text->bytes, value->text->length, &end) : 0;
}

/* An integer of more than 64 bits, with all its digits. */
static AwkText *huge_to_text(AwkVm *vm, double number)
{
    char room[HUGE_ROOM];
    const int length = snprintf(room, sizeof room, "%.0f", number);
    return awk_text_create(&vm->pool, room, (size_t)length);
}

static AwkText *number_to_text(AwkVm *vm, double number, const AwkText *format)
{
    char room[AWK_FIXED_ROOM];
    int64_t integer;
    size_t length;
    if (awk_integral(number, &integer)) {
        const char *digits = awk_write_integer(integer, room, &length);
        return awk_text_create(&vm->pool, digits, length);
    }
    const char *special = awk_special_name(number);
    if (special)
        return awk_text_create(&vm->pool, special, strlen(special));
    if (trunc(number) == number)
        return huge_to_text(vm, number);
    if (format->length == 4 && !memcmp(format->bytes, "%.6g", 4) && (length = awk_write_general(number, 6, room)))
        return awk_text_create(&vm->pool, room, length);
    return awk_format_number(vm, format, number);
}

static AwkText *to_text(AwkVm *vm, const AwkValue *value, const AwkText *format)
{
    if (awk_has_text(value))
        return awk_text_share(value->text);
    return value->kind == AWK_NUMBER ? number_to_text(vm, value->number, format) : awk_text_empty();
}

AwkText *awk_to_text(AwkVm *vm, const AwkValue *value)
{
    return to_text(vm, value, vm->convfmt);
}

AwkText *awk_to_output(AwkVm *vm, const AwkValue *value)
{
    return to_text(vm, value, vm->ofmt);
}

bool awk_is_true(AwkValue *value)
{
    awk_settle(value);
    if (value->kind == AWK_NUMBER || value->kind == AWK_STRNUM)
        return value->number != 0;
    return awk_has_text(value) && value->text->length > 0;
}

static bool is_numeric(const AwkValue *value)
{
    return value->kind <= AWK_ABSENT || value->kind == AWK_STRNUM || value->kind == AWK_LINK;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : (uint8_t)c;
}

static int compare_folded(const AwkText *a, const AwkText *b)
{
    for (size_t i = 0; i < a->length && i < b->length; i++) {
        const int order = lower(a->bytes[i]) - lower(b->bytes[i]);
        if (order)
            return order;
    }
    return (a->length > b->length) - (a->length < b->length);
}

int awk_compare_texts(AwkVm *vm, const AwkValue *a, const AwkValue *b)
{
    AwkText *left = awk_to_text(vm, a), *right = awk_to_text(vm, b);
    const int order = vm->ignore_case ? compare_folded(left, right)
                                      : awk_compare_bytes(left->bytes, left->length, right->bytes, right->length);
    awk_text_release(&vm->pool, left);
    awk_text_release(&vm->pool, right);
    return (order > 0) - (order < 0);
}

int awk_compare(AwkVm *vm, AwkValue *a, AwkValue *b)
{
    awk_settle(a);
    awk_settle(b);
    if (!is_numeric(a) || !is_numeric(b))
        return awk_compare_texts(vm, a, b);
    const double left = awk_to_number(a), right = awk_to_number(b);
    if (isnan(left) || isnan(right))
        return 2;
    return (left > right) - (left < right);
}

const char *awk_type_name(const AwkValue *value)
{
    static const char *const names[] = {
        [AWK_UNSET] = "untyped",  [AWK_NUMBER] = "number",  [AWK_ABSENT] = "unassigned", [AWK_TEXT] = "string",
        [AWK_INPUT] = "string",   [AWK_STRNUM] = "strnum",  [AWK_REGEX] = "regexp",      [AWK_ARRAY] = "array",
        [AWK_LIST] = "untyped",   [AWK_LINK] = "untyped",
    };
    return value->kind == AWK_TEXT && value->number != 0 ? names[AWK_ABSENT] : names[value->kind];
}
