/* What the running instruction stumbled over, in the script's own words: the callee, or what is iterated or taken apart.
 *
 * Part of engine.c, behind expression.h.  When a call fails, the bytecode of the running function is followed from its
 * start to the call.
 */

#pragma clang attribute push(__attribute__((minsize, cold)), apply_to = function)

enum { NESTING = 32, CODE_MAX = 1 << 18 };

/* What an instruction stumbled over. */
typedef struct {
    int op;              /* the instruction, OP_invalid for none: native code runs */
    int made_by;         /* the instruction that made the operand, OP_invalid if unknown */
    bool spread;         /* it is the last of a call's arguments */
    JSAtom property;     /* the first property that a pattern takes from the operand, or JS_ATOM_NULL; borrowed */
} Operand;

static bool is_call(int op)
{
    switch (op) {
    case OP_call: case OP_call0: case OP_call1: case OP_call2: case OP_call3: case OP_call_method: case OP_tail_call:
    case OP_tail_call_method: case OP_call_constructor: case OP_apply: case OP_eval:
        return true;
    default:
        return false;
    }
}

static bool takes_apart(int op)
{
    return op == OP_for_of_start || op == OP_for_await_of_start || op == OP_append || op == OP_to_object;
}

/* Behind `{` of a pattern comes the first property that it takes, if its name is known. */
static JSAtom first_property(const JSFunctionBytecode *code, int at)
{
    for (int steps = 0; steps < 8 && at < code->byte_code_len; steps++, at += instruction_size(code, at)) {
        const uint8_t *op = code->byte_code_buf + at;
        if (*op == OP_get_field || *op == OP_get_field2)
            return get_u32(op + 1);
        if (*op == OP_get_length)
            return JS_ATOM_length;
        if (*op == OP_get_array_el || *op == OP_get_array_el2)
            break;
    }
    return JS_ATOM_NULL;
}

/* Whether the list that stands behind an element is that of a call's arguments, and ends. */
static bool goes_to_call(const JSFunctionBytecode *code, int at)
{
    for (int steps = 0; steps < 4 && at < code->byte_code_len; steps++, at += instruction_size(code, at))
        if (code->byte_code_buf[at] == OP_apply)
            return true;
    return false;
}

static bool has_name(const DynBuf *text)
{
    return text->size && (text->size != sizeof unnamed - 1 || memcmp(text->buf, unnamed, text->size));
}

/* The text of the callee, or of what is iterated or taken apart, by the running instruction: `unnamed` if it has none. */
static Operand put_operand(JSContext *ctx, DynBuf *text)
{
    Operand operand = { OP_invalid, OP_invalid, false, JS_ATOM_NULL };
    const JSStackFrame *frame = ctx->rt->current_stack_frame;
    const JSFunctionBytecode *code = frame ? JS_GetFunctionBytecode(frame->cur_func) : NULL;
    if (!code || code->byte_code_len > CODE_MAX)
        return operand;
    int end = (int)(frame->cur_pc - code->byte_code_buf), at = 0;
    for (int next = 0; next < end; next += instruction_size(code, next))
        at = next;
    const uint8_t *op = code->byte_code_buf + at;
    Trace t;
    if ((!is_call(*op) && !takes_apart(*op)) || !follow_to(&t, ctx, code, 0, at, 2))
        return operand;
    Origin origin = is_call(*op) ? callee_slot(&t, *op, argument_count(op)) : slot_at(&t, 0);
    operand.op = *op;
    if (origin.last >= 0)
        operand.made_by = code->byte_code_buf[origin.last];
    operand.spread = *op == OP_append && goes_to_call(code, end);
    if (operand.op == OP_to_object)
        operand.property = first_property(code, end);
    put_expression(&t, text, origin, NESTING);
    js_free_rt(ctx->rt, t.slots);
    return operand;
}

#pragma clang attribute pop
