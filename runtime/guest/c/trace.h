/* Where execution is, noted cheaply.  Included by engine.c alone, because it reads
 * QuickJS's frames; engine.h declares the functions.
 *
 * An error's backtrace is text, and making it takes longer than all the rest of a
 * tool call.  A trace is only the functions and how far each has come; it becomes
 * text if the call fails.
 */
#define TRACE_DEPTH 10
#define TRACE_NATIVE (-1)

/* Whether backtraces of `ctx` pass over a function: those of a script over all that is not of its realm, or the guest's own.
 * A function that prepareStackTrace got of the system realm would be a way into that. */
static bool amla_hides(JSContext *ctx, JSObject *function)
{
    char text[ATOM_GET_STR_BUF_SIZE];
    if (ctx == amla_system)
        return false;
    if (!js_class_has_bytecode(function->class_id))
        return function->class_id != JS_CLASS_C_FUNCTION || function->u.cfunc.realm != ctx;
    const JSFunctionBytecode *code = function->u.func.function_bytecode;
    const char *file = JS_AtomGetStr(ctx, text, sizeof text, code->filename);
    return code->realm != ctx || !strncmp(file, "amla:", 5) || !strncmp(file, "node:", 5);
}

static bool trace_add(JSContext *ctx, JSValueConst trace, uint32_t at, JSValue value)
{
    return JS_DefinePropertyValueUint32(ctx, trace, at, value, JS_PROP_C_W_E) >= 0;
}

JSValue amla_trace_take(JSContext *ctx)
{
    JSValue trace = JS_NewArray(ctx);
    uint32_t count = 0;
    JSStackFrame *frame = ctx->rt->current_stack_frame->prev_frame; /* not our own caller's */
    for (; frame && count < 2 * TRACE_DEPTH && !JS_IsException(trace); frame = frame->prev_frame) {
        JSObject *function = JS_VALUE_GET_OBJ(frame->cur_func);
        bool native = !js_class_has_bytecode(function->class_id) || !frame->cur_pc;
        const uint8_t *code = native ? NULL : function->u.func.function_bytecode->byte_code_buf;
        int32_t offset = native ? TRACE_NATIVE : (int32_t)(frame->cur_pc - code - 1);
        if (!trace_add(ctx, trace, count++, js_dup(frame->cur_func))
            || !trace_add(ctx, trace, count++, JS_NewInt32(ctx, offset))) {
            JS_FreeValue(ctx, trace);
            trace = JS_EXCEPTION;
        }
    }
    return trace;
}

static void trace_frame(JSContext *ctx, DynBuf *text, JSValueConst function, int32_t offset)
{
    const char *name = get_func_name(ctx, function);
    dbuf_printf(text, "    at %s", name && *name ? name : "<anonymous>");
    JS_FreeCString(ctx, name);
    if (offset == TRACE_NATIVE) {
        dbuf_printf(text, " (native)");
    } else {
        JSFunctionBytecode *code = JS_VALUE_GET_OBJ(function)->u.func.function_bytecode;
        int column, line = find_line_num(ctx, code, (uint32_t)offset, &column);
        const char *file = JS_AtomToCString(ctx, code->filename);
        dbuf_printf(text, " (%s:%d:%d)", file ? file : "", line, column);
        JS_FreeCString(ctx, file);
    }
}

JSValue amla_trace_text(JSContext *ctx, JSValueConst trace)
{
    DynBuf text;
    int64_t count;
    int32_t offset;
    if (JS_GetLength(ctx, trace, &count))
        return JS_EXCEPTION;
    js_dbuf_init(ctx, &text);
    for (int64_t i = 0; i + 1 < count; i += 2) {
        JSValue function = JS_GetPropertyInt64(ctx, trace, i);
        JSValue number = JS_GetPropertyInt64(ctx, trace, i + 1);
        bool whole = JS_IsFunction(ctx, function) && !JS_ToInt32(ctx, &offset, number);
        if (whole && i)
            dbuf_putc(&text, '\n');
        if (whole)
            trace_frame(ctx, &text, function, offset);
        JS_FreeValue(ctx, function);
        JS_FreeValue(ctx, number);
    }
    JSValue result = dbuf_error(&text) ? JS_ThrowOutOfMemory(ctx) : JS_NewStringLen(ctx, (char *)text.buf, text.size);
    dbuf_free(&text);
    return result;
}
