#include "escape.h"

#include "error.h"
#include "vm.h"

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Up to three octal digits at `at`. */
static char octal(const char *bytes, size_t length, size_t *at)
{
    int code = 0;
    for (int i = 0; i < 3 && *at < length && bytes[*at] >= '0' && bytes[*at] <= '7'; i++)
        code = code * 8 + (bytes[(*at)++] - '0');
    return (char)code;
}

/* Up to two hexadecimal digits behind the x. */
static char hexadecimal(const char *bytes, size_t length, size_t *at)
{
    int code = 0, count = 0;
    for (++*at; count < 2 && *at < length && hex_digit(bytes[*at]) >= 0; count++)
        code = code * 16 + hex_digit(bytes[(*at)++]);
    return count ? (char)code : 'x';
}

AwkText *awk_unescape(AwkVm *vm, const char *bytes, size_t length, const char *place)
{
    static const char letters[] = "abfnrtv\"\\", codes[] = "\a\b\f\n\r\t\v\"\\";
    char *room = awk_pool_take(&vm->pool, length + 1);
    size_t size = 0;
    if (!room)
        return awk_text_empty();
    for (size_t at = 0; at < length;) {
        if (bytes[at] != '\\' || ++at == length) {
            room[size++] = at < length ? bytes[at++] : '\\';
            continue;
        }
        const char *known = strchr(letters, bytes[at]);
        if (known && *known) {
            room[size++] = codes[known - letters];
            at++;
        } else if (bytes[at] >= '0' && bytes[at] <= '7') {
            room[size++] = octal(bytes, length, &at);
        } else if (bytes[at] == 'x') {
            room[size++] = hexadecimal(bytes, length, &at);
        } else if (bytes[at] == '\n') {
            at++;
        } else if (bytes[at] == '\r' && at + 1 < length && bytes[at + 1] == '\n') {
            at += 2;
        } else {
            awk_error_print(vm, "awk: %swarning: escape sequence `\\%c' treated as plain `%c'\n", place, bytes[at], bytes[at]);
            room[size++] = bytes[at++];
        }
    }
    AwkText *text = awk_text_create(&vm->pool, room, size);
    awk_pool_give(&vm->pool, room, length + 1);
    return text;
}

static bool is_letter(char c)
{
    return c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

bool awk_is_name(const char *bytes, size_t length)
{
    if (!length || !is_letter(bytes[0]))
        return false;
    for (size_t i = 1; i < length; i++)
        if (!is_letter(bytes[i]) && !(bytes[i] >= '0' && bytes[i] <= '9'))
            return false;
    return true;
}

void awk_assign_text(AwkVm *vm, const char *name, size_t name_length, const char *value, size_t length)
{
    const AwkProgram *program = &vm->program;
    for (uint32_t i = 0; i < program->global_count; i++) {
        const AwkText *known = program->globals[i];
        if (known->length != name_length || memcmp(known->bytes, name, name_length))
            continue;
        AwkValue assigned = awk_input(awk_unescape(vm, value, length, ""));
        if (vm->globals[i].kind == AWK_ARRAY) {
            awk_drop(vm, &assigned);
            awk_fatal_plainly(vm, "cannot use array `%s' as a scalar", known->bytes);
        } else {
            awk_special_set_any(vm, i, assigned);
        }
        return;
    }
}
