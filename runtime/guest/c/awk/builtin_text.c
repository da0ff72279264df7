/* Functions of texts. */
#include <math.h>

#include "array.h"
#include "builtins.h"
#include "case.h"
#include "error.h"
#include "format.h"
#include "number.h"
#include "place.h"
#include "vm.h"

#define BUILTIN(name) AwkStep awk_run_##name(AwkVm *vm, AwkValue *arguments, uint32_t count, AwkValue *result)

static AwkStep give_number(AwkValue *result, double number)
{
    *result = awk_number(number);
    return AWK_ON;
}

/* What a variable passed unevaluated holds: links are followed. */
static AwkValue *followed(AwkVm *vm, AwkValue *value)
{
    return value->kind == AWK_LINK ? awk_linked(vm, value) : value;
}

BUILTIN(length)
{
    size_t length;
    if (!count) {
        const char *record = awk_record_text(vm, &length);
        return give_number(result, (double)awk_count_characters(record, length));
    }
    AwkValue *value = followed(vm, arguments);
    if (value->kind == AWK_ARRAY)
        return give_number(result, awk_array_count(value->array));
    AwkText *text = awk_to_text(vm, value);
    *result = awk_number(awk_text_characters(text));
    awk_text_release(&vm->pool, text);
    return AWK_ON;
}

/* Offset of `part` in the text from `from` on; SIZE_MAX if it is not there. */
static size_t find_part(const AwkText *text, const AwkText *part)
{
    if (!part->length)
        return 0;
    for (size_t at = 0; text->length - at >= part->length;) {
        const char *found = memchr(text->bytes + at, part->bytes[0], text->length - at - part->length + 1);
        if (!found)
            break;
        at = (size_t)(found - text->bytes);
        if (!memcmp(found, part->bytes, part->length))
            return at;
        at++;
    }
    return SIZE_MAX;
}

BUILTIN(index)
{
    (void)count;
    AwkText *text = awk_to_text(vm, &arguments[0]), *part = awk_to_text(vm, &arguments[1]);
    if (vm->ignore_case) {
        text = awk_change_case(vm, text, false);
        part = awk_change_case(vm, part, false);
    }
    const size_t at = find_part(text, part);
    *result = awk_number(at == SIZE_MAX ? 0 : (double)awk_count_characters(text->bytes, at) + 1);
    awk_text_release(&vm->pool, text);
    awk_text_release(&vm->pool, part);
    return AWK_ON;
}

/* Characters [first, last) of a text, counted from 1. */
static AwkText *cut(AwkVm *vm, AwkText *text, double first, double last)
{
    const double characters = awk_text_characters(text);
    last = last > characters + 1 ? characters + 1 : last;
    if (!(first < last))
        return awk_text_empty();
    size_t start = (size_t)first - 1, end = (size_t)last - 1;
    if (characters != text->length) {
        const size_t size = end - start;
        start = awk_skip_characters(text->bytes, text->length, 0, start);
        end = awk_skip_characters(text->bytes, text->length, start, size);
    }
    return awk_text_create(&vm->pool, text->bytes + start, end - start);
}

BUILTIN(substr)
{
    AwkText *text = awk_to_text(vm, &arguments[0]);
    double first = awk_to_number(&arguments[1]), size = count > 2 ? awk_to_number(&arguments[2]) : INFINITY;
    first = first < 1 ? 1 : trunc(first);
    *result = awk_text(isnan(first) || isnan(size) ? awk_text_empty() : cut(vm, text, first, first + trunc(size)));
    awk_text_release(&vm->pool, text);
    return AWK_ON;
}

BUILTIN(tolower)
{
    (void)count;
    *result = awk_text(awk_change_case(vm, awk_to_text(vm, arguments), false));
    return AWK_ON;
}

BUILTIN(toupper)
{
    (void)count;
    *result = awk_text(awk_change_case(vm, awk_to_text(vm, arguments), true));
    return AWK_ON;
}

BUILTIN(sprintf)
{
    AwkText *format = awk_to_text(vm, arguments);
    vm->work.length = 0;
    awk_format(vm, format, arguments + 1, count - 1, &vm->work);
    awk_text_release(&vm->pool, format);
    *result = awk_text(awk_text_create(&vm->pool, vm->work.data ? (const char *)vm->work.data : "", vm->work.length));
    return AWK_ON;
}

static int digit_of(char c)
{
    const char letter = c | 0x20;
    return c >= '0' && c <= '9' ? c - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 99;
}

/* Hexadecimal behind "0x", octal behind "0" if all digits are; only at the very start. */
static int base_of(const AwkText *text)
{
    if (text->bytes[0] != '0')
        return 10;
    if ((text->bytes[1] | 0x20) == 'x')
        return 16;
    for (uint32_t i = 0; i < text->length; i++)
        if (digit_of(text->bytes[i]) == 8 || digit_of(text->bytes[i]) == 9 || strchr(".eE", text->bytes[i]))
            return 10;
    return 8;
}

BUILTIN(strtonum)
{
    (void)count, (void)vm;
    awk_settle(arguments);
    if (!awk_has_text(arguments))
        return give_number(result, awk_to_number(arguments));
    const AwkText *text = arguments->text;
    const int base = base_of(text);
    size_t end;
    if (base == 10)
        return give_number(result, awk_parse_number(text->bytes, text->length, &end));
    double number = 0;
    for (uint32_t at = base == 16 ? 2 : 0; at < text->length && digit_of(text->bytes[at]) < base; at++)
        number = number * base + digit_of(text->bytes[at]);
    return give_number(result, number);
}

/* There are no translations: each text is its own. */
BUILTIN(dcgettext)
{
    (void)count;
    *result = awk_text(awk_to_text(vm, &arguments[0]));
    return AWK_ON;
}

BUILTIN(dcngettext)
{
    (void)count;
    *result = awk_text(awk_to_text(vm, &arguments[awk_to_number(&arguments[2]) == 1 ? 0 : 1]));
    return AWK_ON;
}

BUILTIN(bindtextdomain)
{
    return awk_run_dcgettext(vm, arguments, count, result);
}

BUILTIN(typeof)
{
    AwkValue *value = followed(vm, arguments);
    awk_settle(value);
    const char *name = awk_type_name(value);
    if (count > 1)
        return awk_fatal(vm, "typeof: the second argument is not supported");
    *result = awk_text(awk_text_create(&vm->pool, name, strlen(name)));
    return AWK_ON;
}

BUILTIN(isarray)
{
    (void)count;
    return give_number(result, followed(vm, arguments)->kind == AWK_ARRAY);
}

BUILTIN(mkbool)
{
    (void)count, (void)vm;
    return give_number(result, awk_is_true(arguments));
}
