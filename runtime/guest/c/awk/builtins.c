#include "builtins.h"

#include "vm.h"

enum { ANY = 200 };

#define FUNCTION(name, kinds, least, most) { #name, awk_run_##name, AWK_OP_builtin, kinds, least, most, false }

const AwkBuiltin awk_builtins[] = {
    { "length", awk_run_length, AWK_OP_builtin, "p", 0, 1, true },
    FUNCTION(index, "vv", 2, 2),
    FUNCTION(substr, "vnn", 2, 3),
    FUNCTION(tolower, "v", 1, 1),
    FUNCTION(toupper, "v", 1, 1),
    FUNCTION(sprintf, "v", 1, ANY),
    FUNCTION(dcgettext, "vvv", 1, 3),
    FUNCTION(dcngettext, "vvnvv", 3, 5),
    FUNCTION(bindtextdomain, "vv", 1, 2),
    FUNCTION(strtonum, "v", 1, 1),
    FUNCTION(typeof, "p", 1, 2),
    FUNCTION(isarray, "p", 1, 1),
    FUNCTION(mkbool, "v", 1, 1),
    FUNCTION(sub, "rvl", 2, 3),
    FUNCTION(gsub, "rvl", 2, 3),
    FUNCTION(gensub, "rvvv", 3, 4),
    FUNCTION(match, "vra", 2, 3),
    FUNCTION(split, "vara", 2, 4),
    FUNCTION(patsplit, "vara", 2, 4),
    FUNCTION(int, "n", 1, 1),
    FUNCTION(sqrt, "n", 1, 1),
    FUNCTION(exp, "n", 1, 1),
    FUNCTION(log, "n", 1, 1),
    FUNCTION(sin, "n", 1, 1),
    FUNCTION(cos, "n", 1, 1),
    FUNCTION(atan2, "nn", 2, 2),
    FUNCTION(rand, "", 0, 0),
    FUNCTION(srand, "n", 0, 1),
    FUNCTION(and, "n", 2, ANY),
    FUNCTION(or, "n", 2, ANY),
    FUNCTION(xor, "n", 2, ANY),
    FUNCTION(lshift, "nn", 2, 2),
    FUNCTION(rshift, "nn", 2, 2),
    FUNCTION(compl, "n", 1, 1),
    FUNCTION(systime, "", 0, 0),
    FUNCTION(strftime, "vnv", 0, 3),
    FUNCTION(mktime, "vv", 1, 2),
    { "close", NULL, AWK_OP_close, "vv", 1, 2, false },
    { "fflush", NULL, AWK_OP_flush, "v", 0, 1, false },
    { "system", NULL, AWK_OP_system, "v", 1, 1, false },
    { "asort", NULL, AWK_OP_sort, "aav", 1, 3, false },
    { "asorti", NULL, AWK_OP_sort, "aav", 1, 3, false },
};

bool awk_builtin_find(const char *name, size_t length, uint32_t *which)
{
    for (uint32_t i = 0; i < sizeof awk_builtins / sizeof *awk_builtins; i++)
        if (strlen(awk_builtins[i].name) == length && !memcmp(awk_builtins[i].name, name, length)) {
            *which = i;
            return true;
        }
    return false;
}

/* The arguments are on the stack; some functions leave a text in vm->result as well. */
AwkStep awk_op_builtin(AwkVm *vm)
{
    const uint32_t which = awk_operand(vm), count = awk_operand(vm);
    return awk_run_builtin(vm, which, count);
}

AwkStep awk_run_builtin(AwkVm *vm, uint32_t which, uint32_t count)
{
    AwkValue result = { 0 };
    const AwkStep step = awk_builtins[which].run(vm, &vm->stack[vm->top - count], count, &result);
    awk_unwind(vm, vm->top - count);
    awk_push(vm, result);
    return vm->failed ? AWK_FAIL : step;
}
