/* The source text of an expression, read off the bytecode that computes it.
 *
 * Part of engine.c, behind origins.h.  The instructions behind a stack slot spell its name.
 */

#pragma clang attribute push(__attribute__((minsize, cold)), apply_to = function)

static const char unnamed[] = "(intermediate value)";

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

#pragma clang attribute pop
