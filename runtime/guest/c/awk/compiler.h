/* The compiler's state, and what its parts offer each other. */
#ifndef AWK_COMPILER_H
#define AWK_COMPILER_H

#include "node.h"
#include "ops.h"

/* A loop or a switch around what is being compiled. */
typedef struct AwkLoop AwkLoop;

struct AwkLoop {
    AwkLoop *outer;
    bool is_switch;
    uint32_t breaks, continues; /* chains of jumps that wait for their targets */
};

typedef struct {
    AwkVm *vm;
    const AwkFunction *function; /* whose body this is; NULL in a rule */
    AwkLoop *loop;
    bool failed;
} AwkCompiler;

/* Where a name leads. */
typedef struct {
    AwkPlaceKind kind;
    uint32_t index;
} AwkVariable;

void awk_emit(AwkCompiler *compiler, uint32_t word);

static inline void awk_emit_with(AwkCompiler *compiler, AwkOp op, uint32_t operand)
{
    awk_emit(compiler, op);
    awk_emit(compiler, operand);
}

uint32_t awk_here(const AwkCompiler *compiler);

/* A jump whose target is not known yet; it joins a chain of such jumps (0: the first), and the new chain is returned. */
uint32_t awk_emit_jump(AwkCompiler *compiler, AwkOp op, uint32_t chain);

/* Give all jumps of a chain their target. */
void awk_patch(AwkCompiler *compiler, uint32_t chain, uint32_t target);

/* What follows belongs to the node's line. */
void awk_mark_line(AwkCompiler *compiler, const AwkNode *node);

void awk_emit_constant(AwkCompiler *compiler, AwkValue value);
void awk_emit_number(AwkCompiler *compiler, double number);

/* A regular expression among the program's; its number. */
uint32_t awk_add_pattern(AwkCompiler *compiler, const AwkNode *node);

/* Tell of a mistake; the program does not start, and ends with status 1. */
void awk_compile_error(AwkCompiler *compiler, const AwkNode *node, const char *message);

/* Likewise of one that is about a function; status 2. */
void awk_compile_fatal(AwkCompiler *compiler, const AwkNode *node, const char *message, const AwkText *name);

AwkVariable awk_resolve(AwkCompiler *compiler, const AwkNode *name);

/* Leaves the value on the stack. */
void awk_compile_expression(AwkCompiler *compiler, const AwkNode *node);

/* Jumps as the chain goes if the truth of the expression is `sense`; returns the chain. */
uint32_t awk_compile_condition(AwkCompiler *compiler, const AwkNode *node, bool sense, uint32_t chain);

void awk_compile_array(AwkCompiler *compiler, const AwkNode *node);

void awk_compile_keys(AwkCompiler *compiler, const AwkNode *keys);

/* What the place has on the stack, and afterwards its two operands. */
void awk_compile_place(AwkCompiler *compiler, const AwkNode *place);
void awk_emit_place(AwkCompiler *compiler, const AwkNode *place);

void awk_compile_builtin(AwkCompiler *compiler, const AwkNode *node);

void awk_compile_call(AwkCompiler *compiler, const AwkNode *node);

void awk_compile_statements(AwkCompiler *compiler, const AwkNode *first);

#endif
