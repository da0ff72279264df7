/* Arithmetic of the shell on plain integers, compiled to instructions.
 *
 * Most of what scripts compute is 64-bit arithmetic on variables that hold nothing but a
 * number.  ts/shell/expand/arithmetic/program.ts compiles such expressions to the
 * instructions below; they work on registers that the variables are read into, and what
 * they changed is written back at their end.  So where anything is not as plain as it
 * looked (a variable that is unset or holds other text, a division by zero, a value
 * that no double holds), nothing has happened yet, and the expression is evaluated in
 * the usual way, which also words the errors.
 */
#ifndef AMLA_SHELL_ARITHMETIC_H
#define AMLA_SHELL_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbered as in program.ts.  The stack's top is the last pushed; binary operators pop
 * the right operand, then the left. */
typedef enum {
    AMLA_PUSH,     /* the constant numbered by the argument */
    AMLA_LOAD,     /* the register */
    AMLA_STORE,    /* the top, which stays, to the register */
    AMLA_DROP,
    AMLA_JUMP,     /* forward, to the instruction numbered by the argument */
    AMLA_JUMP_IF_ZERO, /* pops */
    AMLA_NEGATE,
    AMLA_COMPLEMENT,
    AMLA_NOT,
    AMLA_ADD,
    AMLA_SUBTRACT,
    AMLA_MULTIPLY,
    AMLA_DIVIDE,
    AMLA_REMAINDER,
    AMLA_POWER,
    AMLA_SHIFT_LEFT,
    AMLA_SHIFT_RIGHT,
    AMLA_AND,
    AMLA_OR,
    AMLA_XOR,
    AMLA_LESS,
    AMLA_GREATER,
    AMLA_LESS_OR_EQUAL,
    AMLA_GREATER_OR_EQUAL,
    AMLA_EQUAL,
    AMLA_UNEQUAL,
    AMLA_OPERATIONS
} AmlaOperation;

typedef struct {
    uint8_t operation;
    uint8_t argument;
} AmlaInstruction;

/* Chosen: longer expressions are rare, and each instruction runs at most once, so this
 * bounds the stack as well. */
enum { AMLA_INSTRUCTIONS_MOST = 64 };

/* What the instructions come to, with what they assigned in `registers`; false where the
 * expression has to be evaluated in the usual way. */
bool amla_arithmetic_run(const AmlaInstruction *code, size_t count, const int64_t *constants, int64_t *registers,
                         int64_t *result);

#endif
