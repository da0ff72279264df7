/* The functions that awk brings along. */
#ifndef AWK_BUILTINS_H
#define AWK_BUILTINS_H

#include "ops.h"

/* Arguments stay on the stack for the caller; `result` is AWK_UNSET at the start and goes to the caller. */
typedef AwkStep AwkBuiltinFunction(AwkVm *vm, AwkValue *arguments, uint32_t count, AwkValue *result);

typedef struct {
    const char *name;
    AwkBuiltinFunction *run; /* NULL: `op` does it */
    AwkOp op;
    /* One letter an argument: v value, n number, a array, p anything, unevaluated if it is a variable, r regular
     * expression, l place that gets the result (sub and gsub). */
    const char *kinds;
    uint8_t least, most;
    bool bare; /* may be called without parentheses */
} AwkBuiltin;

extern const AwkBuiltin awk_builtins[];

/* Calls one with the arguments on the stack, which its result replaces. */
AwkStep awk_run_builtin(AwkVm *vm, uint32_t which, uint32_t count);

bool awk_builtin_find(const char *name, size_t length, uint32_t *which);

AwkBuiltinFunction awk_run_length, awk_run_index, awk_run_substr, awk_run_tolower, awk_run_toupper, awk_run_sprintf,
    awk_run_strtonum, awk_run_dcgettext, awk_run_dcngettext, awk_run_bindtextdomain, awk_run_typeof, awk_run_isarray, awk_run_mkbool;
AwkBuiltinFunction awk_run_sub, awk_run_gsub, awk_run_gensub, awk_run_match, awk_run_split, awk_run_patsplit;
AwkBuiltinFunction awk_run_int, awk_run_sqrt, awk_run_exp, awk_run_log, awk_run_sin, awk_run_cos, awk_run_atan2,
    awk_run_rand, awk_run_srand, awk_run_and, awk_run_or, awk_run_xor, awk_run_lshift, awk_run_rshift, awk_run_compl;
AwkBuiltinFunction awk_run_systime, awk_run_strftime, awk_run_mktime;

#endif
