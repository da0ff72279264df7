#include "case.h"

#include <wctype.h>

#include "vm.h"

enum { SHARP_S = 0xDF }; /* has no capital but in some libraries */

static char ascii_case(char c, bool upper)
{
    if (upper)
        return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static void append_character(AwkVm *vm, const AwkText *text, size_t at, size_t size, bool upper)
{
    char room[4];
    const int32_t code = awk_code_point(text->bytes, text->length, at);
    const wint_t other = upper ? towupper((wint_t)code) : towlower((wint_t)code);
    if (code < 0 || code == SHARP_S || other == (wint_t)code)
        amla_buffer_append(&vm->work, text->bytes + at, size);
    else
        amla_buffer_append(&vm->work, room, awk_encode((uint32_t)other, room));
}

static AwkText *change_wide(AwkVm *vm, const AwkText *text, bool upper)
{
    vm->work.length = 0;
    for (size_t at = 0, size; at < text->length; at += size) {
        size = awk_character_size(text->bytes, text->length, at);
        if (size == 1)
            amla_buffer_put(&vm->work, (uint8_t)ascii_case(text->bytes[at], upper));
        else
            append_character(vm, text, at, size, upper);
    }
    return awk_text_create(&vm->pool, (const char *)vm->work.data, vm->work.length);
}

AwkText *awk_change_case(AwkVm *vm, AwkText *text, bool upper)
{
    AwkText *changed;
    if (awk_text_characters(text) != text->length) {
        changed = change_wide(vm, text, upper);
    } else {
        changed = awk_text_room(&vm->pool, text->length);
        for (uint32_t i = 0; i < changed->length; i++)
            changed->bytes[i] = ascii_case(text->bytes[i], upper);
    }
    awk_text_release(&vm->pool, text);
    return changed;
}
