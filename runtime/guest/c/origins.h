/* Which instructions made each value on the stack, found by following a function's bytecode up to a place in it.
 *
 * Part of engine.c, behind quickjs.c.  Nothing is recorded while scripts run well.
 */

#pragma clang attribute push(__attribute__((minsize, cold)), apply_to = function)

enum { JOINS = 32, VALUE_MAX = 1 << 11 };

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

#pragma clang attribute pop
