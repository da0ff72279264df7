/* Functions of numbers. */
#include <math.h>

#include "builtins.h"
#include "cells.h"
#include "error.h"
#include "vm.h"

#define BUILTIN(name) AwkStep awk_run_##name(AwkVm *vm, AwkValue *arguments, uint32_t count, AwkValue *result)

/* A function of one number. */
#define SIMPLE(name, expression)                        \
    BUILTIN(name)                                       \
    {                                                   \
        (void)count, (void)vm;                          \
        const double x = awk_to_number(arguments);      \
        *result = awk_number(expression);               \
        return AWK_ON;                                  \
    }

SIMPLE(int, trunc(x))
SIMPLE(sin, sin(x))
SIMPLE(cos, cos(x))

/* What has no value is told of, and is a negative NaN as on the machines gawk knows. */
static double undefined(AwkVm *vm, const char *name, double x)
{
    char room[32];
    const AwkValue value = awk_number(x);
    AwkText *text = awk_to_text(vm, &value);
    strncpy(room, text->bytes, sizeof room - 1);
    room[sizeof room - 1] = 0;
    awk_text_release(&vm->pool, text);
    awk_warn(vm, "%s: received negative argument %s", name, room);
    return copysign(NAN, -1);
}

SIMPLE(sqrt, x < 0 ? undefined(vm, "sqrt", x) : sqrt(x))
SIMPLE(log, x < 0 ? undefined(vm, "log", x) : log(x))

BUILTIN(exp)
{
    (void)count;
    const double x = awk_to_number(arguments), power = exp(x);
    if (isinf(power) && isfinite(x))
        awk_warn(vm, "exp: argument %g is out of range", x);
    *result = awk_number(power);
    return AWK_ON;
}

BUILTIN(atan2)
{
    (void)count, (void)vm;
    *result = awk_number(atan2(awk_to_number(&arguments[0]), awk_to_number(&arguments[1])));
    return AWK_ON;
}

/* --- random numbers ------------------------------------------------------------------------ */

BUILTIN(rand)
{
    (void)arguments, (void)count;
    *result = awk_number(awk_random_next(&vm->random));
    return AWK_ON;
}

/* The seed's whole part counts, and of that the lowest 32 bits. */
BUILTIN(srand)
{
    *result = awk_number(vm->seed);
    vm->seed = trunc(count ? awk_to_number(arguments) : amla_cells.clock_ms / 1000);
    awk_random_seed(&vm->random, isfinite(vm->seed) ? (uint32_t)(int64_t)fmod(vm->seed, 4294967296.0) : 0);
    return AWK_ON;
}

/* --- bits ---------------------------------------------------------------------------------- */

/* The argument as an integer that is not negative. */
static bool bits_of(AwkVm *vm, const char *name, AwkValue *arguments, uint32_t index, uint64_t *bits)
{
    const double number = awk_to_number(&arguments[index]);
    if (number < 0) {
        awk_fatal(vm, "%s: argument %u negative value %.6g is not allowed", name, index + 1, number);
        return false;
    }
    *bits = number < 18446744073709551616.0 ? (uint64_t)number : 0;
    return true;
}

/* Only as many bits as a number holds exactly, counted from the lowest that is set. */
static AwkStep give_bits(AwkValue *result, uint64_t bits)
{
    int kept = 53;
    for (uint64_t rest = bits; rest && !(rest & 1); rest >>= 1)
        kept++;
    *result = awk_number((double)(kept < 64 ? bits & ((UINT64_C(1) << kept) - 1) : bits));
    return AWK_ON;
}

#define FOLD(name, operator)                                                    \
    BUILTIN(name)                                                               \
    {                                                                           \
        uint64_t all, bits;                                                     \
        if (!bits_of(vm, #name, arguments, 0, &all))                            \
            return AWK_FAIL;                                                    \
        for (uint32_t i = 1; i < count; i++) {                                  \
            if (!bits_of(vm, #name, arguments, i, &bits))                       \
                return AWK_FAIL;                                                \
            all = all operator bits;                                            \
        }                                                                       \
        return give_bits(result, all);                                          \
    }

FOLD(and, &)
FOLD(or, |)
FOLD(xor, ^)

#define SHIFT(name, operator)                                                                            \
    BUILTIN(name)                                                                                        \
    {                                                                                                    \
        uint64_t bits, by;                                                                               \
        (void)count;                                                                                     \
        const double a = awk_to_number(&arguments[0]), b = awk_to_number(&arguments[1]);                 \
        if (a < 0 || b < 0)                                                                              \
            return awk_fatal(vm, #name "(%f, %f): negative values are not allowed", a, b);               \
        if (!bits_of(vm, #name, arguments, 0, &bits) || !bits_of(vm, #name, arguments, 1, &by))          \
            return AWK_FAIL;                                                                             \
        return give_bits(result, by < 64 ? bits operator by : 0);                                        \
    }

SHIFT(lshift, <<)
SHIFT(rshift, >>)

BUILTIN(compl)
{
    uint64_t bits;
    (void)count;
    if (awk_to_number(arguments) < 0)
        return awk_fatal(vm, "compl(%f): negative value is not allowed", awk_to_number(arguments));
    if (!bits_of(vm, "compl", arguments, 0, &bits))
        return AWK_FAIL;
    return give_bits(result, ~bits);
}
