/* The source text of an expression, read off the bytecode that computes it.
 *
 * Part of engine.c, behind quickjs.c.  When a call fails, the bytecode of the
 * running function is followed from its start to the call, keeping for each stack
 * slot which instructions made its value; the instructions behind the callee's slot
 * then spell its name.  Nothing is recorded while scripts run well.
 */

#pragma clang attribute push(__attribute__((minsize, cold)), apply_to = function)

enum { JOINS = 32, NESTING = 32, CODE_MAX = 1 << 18, VALUE_MAX = 1 << 11 };

static const char unnamed[] = "(intermediate value)";

/* The instructions that made a value: the first, and the last, which left it. */
typedef struct {
    int from, last;   /* positions in the bytecode; last < 0 when unknown */
    bool second;      /* the second of two values that one instruction left */
} Origin;

typedef struct {
    int target, depth;
    Origin top;
} Join;

typedef struct {
    JSContext *ctx;
    const JSFunctionBytecode *code;
    Origin *slots;
    int depth, size;
    Join joins[JOINS];
    int join_count;
    bool dead;        /* the last instruction does not go on to the next */
    int gone_to;      /* where it may jump to, or -1 */
    int nesting;      /* how much deeper others may be followed for this one */
} Trace;

static const Origin no_origin = { 0, -1, false };

static Origin slot_at(const Trace *t, int below_top)
{
    return below_top < t->depth ? t->slots[t->depth - 1 - below_top] : no_origin;
}

static void push_origin(Trace *t, Origin origin)
{
    if (t->depth < t->size)
        t->slots[t->depth++] = origin;
}

static void exchange(Trace *t, int one, int other)
{
    Origin kept = slot_at(t, one);
    if (other >= t->depth)
        return;
    t->slots[t->depth - 1 - one] = t->slots[t->depth - 1 - other];
    t->slots[t->depth - 1 - other] = kept;
}

static int instruction_size(const JSFunctionBytecode *code, int at)
{
    return short_opcode_info(code->byte_code_buf[at]).size;
}

static int argument_count(const uint8_t *at)
{
    switch (short_opcode_info(*at).fmt) {
    case OP_FMT_npop:
    case OP_FMT_npop_u16: return get_u16(at + 1);
    case OP_FMT_npopx: return *at - OP_call0;
    default: return 0;
    }
}

static int jump_target(const uint8_t *code, int at)
{
    switch (short_opcode_info(code[at]).fmt) {
    case OP_FMT_label: return at + 1 + (int32_t)get_u32(code + at + 1);
    case OP_FMT_label8: return at + 1 + (int8_t)code[at + 1];
    case OP_FMT_label16: return at + 1 + (int16_t)get_u16(code + at + 1);
    default: return -1;
    }
}

static bool ends_path(int op)
{
    switch (op) {
    case OP_goto: case OP_goto8: case OP_goto16: case OP_return: case OP_return_undef: case OP_return_async:
    case OP_throw: case OP_throw_error: case OP_ret: case OP_tail_call: case OP_tail_call_method:
        return true;
    default:
        return false;
    }
}

static bool same_origin(Origin a, Origin b)
{
    return a.from == b.from && a.last == b.last && a.second == b.second;
}

static bool follow_to(Trace *t, JSContext *ctx, const JSFunctionBytecode *code, int from, int to, int nesting);

/* A pattern stands before its value: `goto value; pattern: …; value: …; goto pattern`, or, as if there were a
 * default, `undefined; if it is undefined goto value; pattern: …; value: drop; …; goto pattern`. */
static void enter_pattern(Trace *t, int at)
{
    const uint8_t *code = t->code->byte_code_buf;
    Origin given = slot_at(t, 0);
    if (!t->dead && (given.last < 0 || code[given.last] != OP_undefined))
        return;
    int end = min_int(t->gone_to + VALUE_MAX, t->code->byte_code_len);
    Trace value;
    for (int jump = t->gone_to; jump >= 0 && jump < end; jump += instruction_size(t->code, jump)) {
        if (!ends_path(code[jump]) || jump_target(code, jump) != at)
            continue;
        if (t->nesting > 0 && follow_to(&value, t->ctx, t->code, t->gone_to, jump, t->nesting - 1)) {
            t->depth -= !t->dead;
            if (value.depth == 1)
                push_origin(t, slot_at(&value, 0));
            js_free_rt(t->ctx->rt, value.slots);
        }
        return;
    }
}

/* Paths meet at `at`: behind a dead end the stack is that of the jump; where values differ, neither counts. */
static void land(Trace *t, int at)
{
    for (int i = t->join_count; i-- > 0;) {
        Join join = t->joins[i];
        if (join.target > at)
            continue;
        t->joins[i] = t->joins[--t->join_count];
        if (join.target < at)
            continue;
        if (t->dead) {
            t->depth = join.depth;
            if (join.depth)
                t->slots[join.depth - 1] = join.top;
            t->dead = false;
            t->gone_to = -1;
        } else if (join.depth && join.depth == t->depth && !same_origin(join.top, slot_at(t, 0))) {
            t->slots[t->depth - 1] = no_origin;
        }
    }
    if (t->gone_to > at)
        enter_pattern(t, at);
    t->dead = false;
}

static void note_jump(Trace *t, int at)
{
    int target = jump_target(t->code->byte_code_buf, at);
    if (target > at && t->join_count < JOINS)
        t->joins[t->join_count++] = (Join){ target, t->depth, slot_at(t, 0) };
}

/* What most instructions do: take values from the stack and leave others, of which only a single one has an origin. */
static void take_and_leave(Trace *t, int at)
{
    const uint8_t *op = t->code->byte_code_buf + at;
    const JSOpCode *info = &short_opcode_info(*op);
    Origin made = { at, at, false };
    for (int taken = info->n_pop + argument_count(op); taken > 0; taken--) {
        made.from = slot_at(t, 0).from;
        if (t->depth)
            t->depth--;
    }
    for (int i = 0; i < info->n_push; i++)
        push_origin(t, info->n_push == 1 ? made : no_origin);
}

static void follow(Trace *t, int at)
{
    int op = t->code->byte_code_buf[at];
    switch (op) {
    case OP_dup:
        push_origin(t, slot_at(t, 0));
        return;
    case OP_get_loc0_loc1:
        push_origin(t, (Origin){ at, at, false });
        push_origin(t, (Origin){ at, at, true });
        return;
    case OP_get_field2:
        push_origin(t, (Origin){ slot_at(t, 0).from, at, false });
        return;
    case OP_get_array_el2:
        if (t->depth)
            t->slots[t->depth - 1] = (Origin){ slot_at(t, 1).from, at, false };
        return;
    case OP_swap:
        exchange(t, 0, 1);
        return;
    case OP_perm3:
        exchange(t, 1, 2);
        return;
    default:
        take_and_leave(t, at);
    }
}

/* Follow the instructions from `from` up to `to`.  On success the caller frees `slots`. */
static bool follow_to(Trace *t, JSContext *ctx, const JSFunctionBytecode *code, int from, int to, int nesting)
{
    *t = (Trace){ .ctx = ctx, .code = code, .size = code->stack_size + 1, .nesting = nesting, .gone_to = -1 };
    t->slots = js_malloc_rt(ctx->rt, sizeof *t->slots * t->size);
    if (!t->slots)
        return false;
    for (int at = from; at < to; at += instruction_size(code, at)) {
        land(t, at);
        follow(t, at);
        note_jump(t, at);
        t->dead = ends_path(code->byte_code_buf[at]);
        t->gone_to = jump_target(code->byte_code_buf, at);
    }
    land(t, to);
    return true;
}

static void put_atom(JSContext *ctx, DynBuf *text, JSAtom atom)
{
    char name[ATOM_GET_STR_BUF_SIZE];
    dbuf_putstr(text, JS_AtomGetStr(ctx, name, sizeof name, atom));
}

static void put_variable(JSContext *ctx, DynBuf *text, JSAtom atom)
{
    char name[ATOM_GET_STR_BUF_SIZE];
    if (atom != JS_ATOM_NULL)
        JS_AtomGetStr(ctx, name, sizeof name, atom);
    dbuf_putstr(text, atom == JS_ATOM_NULL || *name == '<' || !*name ? unnamed : name);
}

static void put_local(const Trace *t, DynBuf *text, int index)
{
    const JSVarDef *names = t->code->vardefs;
    put_variable(t->ctx, text, names ? names[t->code->arg_count + index].var_name : JS_ATOM_NULL);
}

static void put_parameter(const Trace *t, DynBuf *text, int index)
{
    const JSVarDef *names = t->code->vardefs;
    put_variable(t->ctx, text, names && index < t->code->arg_count ? names[index].var_name : JS_ATOM_NULL);
}

static void put_captured(const Trace *t, DynBuf *text, int index)
{
    put_variable(t->ctx, text, t->code->closure_var[index].var_name);
}

static void put_quoted_atom(const Trace *t, DynBuf *text, JSAtom atom)
{
    dbuf_putc(text, '"');
    put_atom(t->ctx, text, atom);
    dbuf_putc(text, '"');
}

/* A constant; a string only for as long as one would read it. */
static void put_constant(const Trace *t, DynBuf *text, JSValueConst value)
{
    bool quoted = JS_IsString(value);
    const char *spelt = quoted || JS_IsNumber(value) ? JS_ToCString(t->ctx, value) : NULL;
    if (!spelt)
        JS_FreeValue(t->ctx, JS_GetException(t->ctx));
    dbuf_printf(text, spelt && quoted ? "\"%.100s\"" : "%.100s", spelt ? spelt : unnamed);
    JS_FreeCString(t->ctx, spelt);
}

static void put_expression(const Trace *t, DynBuf *text, Origin origin, int nesting);

/* The callee of a call with `argc` arguments, when `t` stands before the call. */
static Origin callee_slot(const Trace *t, int op, int argc)
{
    return slot_at(t, op == OP_apply ? 2 : op == OP_call_constructor ? argc + 1 : argc);
}

/* Whether `?.` stands behind an object. */
static bool is_optional(const JSFunctionBytecode *code, Origin object)
{
    if (object.last < 0)
        return false;
    const uint8_t *behind = code->byte_code_buf + object.last + instruction_size(code, object.last);
    return behind[0] == OP_dup && behind[1] == OP_is_undefined_or_null;
}

static void put_member(const Trace *before, DynBuf *text, int at, int nesting)
{
    const uint8_t *op = before->code->byte_code_buf + at;
    bool private = *op == OP_get_private_field;
    bool computed = private || *op == OP_get_array_el || *op == OP_get_array_el2;
    Origin object = slot_at(before, computed ? 1 : 0), key = slot_at(before, 0);
    put_expression(before, text, object, nesting);
    if (!computed) {
        dbuf_putstr(text, is_optional(before->code, object) ? "?." : ".");
        put_atom(before->ctx, text, *op == OP_get_length ? JS_ATOM_length : get_u32(op + 1));
    } else if (key.last >= 0 && before->code->byte_code_buf[key.last] == OP_push_atom_value) {
        dbuf_putc(text, '.');
        put_atom(before->ctx, text, get_u32(before->code->byte_code_buf + key.last + 1));
    } else {
        dbuf_putc(text, private ? '.' : '[');
        put_expression(before, text, key, nesting);
        dbuf_putstr(text, private ? "" : "]");
    }
}

/* A value that was made of others: these are found by following its instructions again. */
static void put_compound(const Trace *t, DynBuf *text, Origin origin, int nesting)
{
    Trace before;
    const uint8_t *op = t->code->byte_code_buf + origin.last;
    if (nesting <= 0 || !follow_to(&before, t->ctx, t->code, origin.from, origin.last, 1)) {
        dbuf_putstr(text, unnamed);
        return;
    }
    switch (*op) {
    case OP_get_field: case OP_get_field2: case OP_get_length: case OP_get_array_el: case OP_get_array_el2:
    case OP_get_private_field:
        put_member(&before, text, origin.last, nesting - 1);
        break;
    default:
        put_expression(&before, text, callee_slot(&before, *op, argument_count(op)), nesting - 1);
        dbuf_putstr(text, "(...)");
    }
    js_free_rt(t->ctx->rt, before.slots);
}

static void put_expression(const Trace *t, DynBuf *text, Origin origin, int nesting)
{
    if (origin.last < 0) {
        dbuf_putstr(text, unnamed);
        return;
    }
    const uint8_t *op = t->code->byte_code_buf + origin.last;
    switch (*op) {
    case OP_get_var: case OP_get_var_undef: put_variable(t->ctx, text, get_u32(op + 1)); break;
    case OP_get_loc: case OP_get_loc_check: put_local(t, text, get_u16(op + 1)); break;
    case OP_get_loc8: put_local(t, text, op[1]); break;
    case OP_get_loc0_loc1: put_local(t, text, origin.second); break;
    case OP_get_loc0: case OP_get_loc1: case OP_get_loc2: case OP_get_loc3:
        put_local(t, text, *op - OP_get_loc0);
        break;
    case OP_get_arg: put_parameter(t, text, get_u16(op + 1)); break;
    case OP_get_arg0: case OP_get_arg1: case OP_get_arg2: case OP_get_arg3:
        put_parameter(t, text, *op - OP_get_arg0);
        break;
    case OP_get_var_ref: case OP_get_var_ref_check: put_captured(t, text, get_u16(op + 1)); break;
    case OP_get_var_ref0: case OP_get_var_ref1: case OP_get_var_ref2: case OP_get_var_ref3:
        put_captured(t, text, *op - OP_get_var_ref0);
        break;
    case OP_push_minus1: case OP_push_0: case OP_push_1: case OP_push_2: case OP_push_3: case OP_push_4:
    case OP_push_5: case OP_push_6: case OP_push_7:
        dbuf_printf(text, "%d", *op - OP_push_0);
        break;
    case OP_push_i8: dbuf_printf(text, "%d", get_i8(op + 1)); break;
    case OP_push_i16: dbuf_printf(text, "%d", get_i16(op + 1)); break;
    case OP_push_i32: dbuf_printf(text, "%d", (int)get_u32(op + 1)); break;
    case OP_push_const: put_constant(t, text, t->code->cpool[get_u32(op + 1)]); break;
    case OP_push_const8: put_constant(t, text, t->code->cpool[op[1]]); break;
    case OP_push_atom_value: put_quoted_atom(t, text, get_u32(op + 1)); break;
    case OP_push_empty_string: dbuf_putstr(text, "\"\""); break;
    case OP_push_this: dbuf_putstr(text, "this"); break;
    case OP_object: dbuf_putstr(text, "{}"); break;
    case OP_undefined: dbuf_putstr(text, "undefined"); break;
    case OP_null: dbuf_putstr(text, "null"); break;
    case OP_push_true: dbuf_putstr(text, "true"); break;
    case OP_push_false: dbuf_putstr(text, "false"); break;
    case OP_get_field: case OP_get_field2: case OP_get_length: case OP_get_array_el: case OP_get_array_el2:
    case OP_get_private_field:
    case OP_call: case OP_call0: case OP_call1: case OP_call2: case OP_call3: case OP_call_method: case OP_eval:
    case OP_apply:
        put_compound(t, text, origin, nesting);
        break;
    default: dbuf_putstr(text, unnamed);
    }
}

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
