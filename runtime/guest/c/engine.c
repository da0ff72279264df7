/* QuickJS as part of our own file: see engine.h for why. */
#include "elementary.h"
#include "step.h"
#include "text_codec.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include "quickjs.c"
#pragma clang diagnostic pop

#include "cells.h"
#include "engine.h"
#include "realm.h"
#include "error_stack.h"
#include "expression.h"
#include "messages.h"
#include "builtin_messages.h"
#include "radix.h"
#include "sort.h"
#include "json_fault.h"
#include "realm_image.h"
#include "trace.h"
#include "arenas.h"
#include "variables.h"
#include "texts.h"

/* --- Math.hypot -------------------------------------------------------------------- */

/* All arguments are made numbers first, in order, `first` being that already. */
static JSValue amla_math_hypot(JSContext *ctx, double first, int argc, JSValueConst *argv)
{
    double greatest = fabs(first), *values = js_malloc(ctx, (size_t)argc * sizeof *values);
    bool unknown = isnan(first), failed = !values;
    for (int i = 0; i < argc && !failed; i++) {
        values[i] = first;
        failed = i && JS_ToFloat64(ctx, &values[i], argv[i]);
        if (!failed) {
            unknown |= isnan(values[i]);
            greatest = fmax(greatest, fabs(values[i]));
        }
    }
    double result = isinf(greatest) ? greatest : unknown ? NAN : greatest;
    if (!failed && isfinite(result) && greatest > 0)
        result = amla_hypot(values, (size_t)argc, greatest);
    js_free(ctx, values);
    return failed ? JS_EXCEPTION : js_float64(result);
}

/* --- scripts ------------------------------------------------------------------ */

/* The atom `<ret>` is QuickJS's name for the hidden completion variable: a key
 * that a script has no reason to use. */
static const JSAtom completion_key = JS_ATOM__ret_;

static void emit_completion(JSParseState *s, JSFunctionDef *fd)
{
    emit_op(s, OP_object);
    emit_op(s, OP_dup);
    emit_op(s, OP_get_loc);
    emit_u16(s, fd->eval_ret_idx);
    emit_op(s, OP_put_field);
    emit_atom(s, completion_key);
    emit_return(s, true);
}

static int parse_script_body(JSParseState *s)
{
    JSFunctionDef *fd = s->cur_func;

    if (next_token(s) || js_parse_directives(s))
        return -1;
    fd->eval_ret_idx = add_var(s->ctx, fd, JS_ATOM__ret_);
    if (fd->eval_ret_idx < 0)
        return -1;
    while (s->token.val != TOK_EOF) {
        if (js_parse_source_element(s))
            return -1;
        if (fd->scopes[fd->body_scope].has_using) {
            js_parse_error(s, "'using' is supported inside a block or a function, not at the top level");
            return -1;
        }
    }
    emit_completion(s, fd);
    return 0;
}

JSValue amla_compile_script(JSContext *ctx, const char *source, size_t length, const char *filename, bool strict)
{
    JSParseState state, *s = &state;
    JSFunctionDef *fd;

    js_parse_init(ctx, s, source, length, filename, 1);
    skip_shebang(&s->buf_ptr, s->buf_end);
    fd = js_new_function_def(ctx, NULL, false, false, filename, 1, 1);
    if (!fd)
        return JS_EXCEPTION;
    s->cur_func = fd;
    fd->func_kind = JS_FUNC_ASYNC;
    fd->func_type = JS_PARSE_FUNC_STATEMENT;
    fd->has_this_binding = true;
    fd->arguments_allowed = true;
    fd->has_simple_parameter_list = true;
    fd->in_function_body = true;
    fd->is_strict_mode = strict;
    fd->func_name = JS_NewAtom(ctx, "<script>");
    push_scope(s);
    fd->body_scope = fd->scope_level;
    if (parse_script_body(s)) {
        free_token(s, &s->token);
        js_free_function_def(ctx, fd);
        return JS_EXCEPTION;
    }
    JSValue bytecode = js_create_function(ctx, fd);
    if (JS_IsException(bytecode))
        return bytecode;
    return js_closure(ctx, bytecode, NULL, NULL);
}

bool amla_completion(JSContext *ctx, JSValueConst result, JSValue *value)
{
    JSProperty *property;

    if (!JS_IsObject(result) || JS_VALUE_GET_OBJ(result)->class_id != JS_CLASS_OBJECT)
        return false;
    if (!find_own_property(&property, JS_VALUE_GET_OBJ(result), completion_key))
        return false;
    *value = JS_GetProperty(ctx, result, completion_key);
    return true;
}

static void forget_name(JSContext *ctx, JSAtom *name)
{
    JS_FreeAtom(ctx, *name);
    *name = JS_ATOM_empty_string;
}

void amla_strip(JSContext *ctx, JSValueConst code)
{
    if (JS_VALUE_GET_TAG(code) != JS_TAG_FUNCTION_BYTECODE)
        return;
    JSFunctionBytecode *function = JS_VALUE_GET_PTR(code);
    function->pc2line_len = 0;
    bool captured = false; /* what is known of variables is of use to closures alone */
    for (int i = 0; i < function->arg_count + function->var_count; i++) {
        forget_name(ctx, &function->vardefs[i].var_name);
        captured |= function->vardefs[i].is_captured;
    }
    if (!captured)
        function->vardefs = NULL;
    for (int i = 0; i < function->closure_var_count; i++)
        if (function->closure_var[i].closure_type <= JS_CLOSURE_REF) /* others are found by name */
            forget_name(ctx, &function->closure_var[i].var_name);
    for (int i = 0; i < function->cpool_count; i++)
        amla_strip(ctx, function->cpool[i]);
}

/* --- interrupts, jobs, seeds ---------------------------------------------------- */

void amla_hasten_interrupts(JSRuntime *rt, const JSContext *spared)
{
    struct list_head *el;

    list_for_each(el, &rt->context_list) {
        JSContext *ctx = list_entry(el, JSContext, link);
        if (ctx != spared)
            ctx->interrupt_counter = 1;
    }
}

void amla_hasten_interrupt(JSContext *ctx, int32_t polls)
{
    ctx->interrupt_counter = ctx->interrupt_counter > polls ? ctx->interrupt_counter - polls : 1;
}

void amla_next_interrupt(JSContext *ctx, int32_t polls)
{
    ctx->interrupt_counter = polls;
}

JSContext *amla_job_context(JSRuntime *rt)
{
    return list_empty(&rt->job_list) ? NULL : list_entry(rt->job_list.next, JSJobEntry, link)->ctx;
}

void amla_purge_jobs(JSRuntime *rt)
{
    struct list_head *el, *next;

    list_for_each_safe(el, next, &rt->job_list) {
        JSJobEntry *job = list_entry(el, JSJobEntry, link);
        list_del(&job->link);
        for (int i = 0; i < job->argc; i++)
            JS_FreeValueRT(rt, job->argv[i]);
        js_free_rt(rt, job);
    }
}

static size_t own_threshold;

/* QuickJS sets a threshold of its own after each collection; that is how one is noticed. */
void amla_collect_after(JSRuntime *rt, size_t bytes)
{
    if (rt->malloc_gc_threshold == own_threshold)
        return;
    own_threshold = rt->malloc_state.malloc_size + bytes;
    rt->malloc_gc_threshold = own_threshold;
}

void amla_seed(JSContext *ctx, uint64_t seed)
{
    ctx->random_state = seed ? seed : 1;
}

/* --- realms --------------------------------------------------------------------- */

static JSValueConst proto_of(JSValueConst value)
{
    JSObject *proto = JS_VALUE_GET_OBJ(value)->shape->proto;
    return proto ? JS_MKPTR(JS_TAG_OBJECT, proto) : JS_NULL;
}

static bool same_object(JSValueConst a, JSValueConst b)
{
    return JS_IsObject(a) && JS_IsObject(b) && JS_VALUE_GET_OBJ(a) == JS_VALUE_GET_OBJ(b);
}

/* Index of the native error class in the prototype chain of `value`:
 * 0… for the classes of JSErrorEnum, JS_NATIVE_ERROR_COUNT for plain Error, -1 for none. */
static int native_error_class(JSContext *ctx, JSValueConst value)
{
    for (JSValueConst proto = proto_of(value); JS_IsObject(proto); proto = proto_of(proto)) {
        for (int i = 0; i < JS_NATIVE_ERROR_COUNT; i++)
            if (same_object(proto, ctx->native_error_proto[i]))
                return i;
        if (same_object(proto, ctx->class_proto[JS_CLASS_ERROR]))
            return JS_NATIVE_ERROR_COUNT;
    }
    return -1;
}

JSValue amla_error_like(JSContext *to, JSContext *from, JSValueConst model, const char *message)
{
    int error_class = native_error_class(from, model);
    JSErrorEnum number = error_class >= 0 && error_class < JS_NATIVE_ERROR_COUNT ? (JSErrorEnum)error_class : JS_PLAIN_ERROR;
    return JS_MakeError2(to, number, true, message);
}

static JSContext *user_context;
extern JSContext *amla_system;

void amla_set_user_context(JSContext *ctx)
{
    user_context = ctx;
}

/* Called by QuickJS (build/quickjs_fixes.py) before it enters a callable that is not a plain
 * function of bytecode: such a callable works in the context it is given. */
JSContext *amla_calling_context(JSContext *ctx, JSObject *function);
JSContext *amla_calling_context(JSContext *ctx, JSObject *function)
{
    static const uint16_t kinds[] = {
        JS_CLASS_GENERATOR_FUNCTION, JS_CLASS_ASYNC_FUNCTION, JS_CLASS_ASYNC_GENERATOR_FUNCTION,
    };
    if (likely(ctx != amla_system) || !user_context || function->class_id == JS_CLASS_C_FUNCTION)
        return ctx;
    JSObject *proto = function->shape->proto;
    if (!proto)
        return user_context;
    if (proto == JS_VALUE_GET_OBJ(ctx->function_proto))
        return ctx;
    for (size_t i = 0; i < countof(kinds); i++)
        if (JS_IsObject(ctx->class_proto[kinds[i]]) && proto == JS_VALUE_GET_OBJ(ctx->class_proto[kinds[i]]))
            return ctx;
    return user_context;
}

void amla_forbid_eval(JSContext *ctx)
{
    ctx->eval_internal = NULL;
}

AmlaKind amla_own_kind(JSContext *ctx, JSValueConst value)
{
    if (!JS_IsObject(value))
        return AMLA_OTHER;
    JSObject *object = JS_VALUE_GET_OBJ(value);
    JSValueConst proto = proto_of(value);
    switch (object->class_id) {
    case JS_CLASS_OBJECT:
        return same_object(proto, ctx->class_proto[JS_CLASS_OBJECT]) ? AMLA_OBJECT : AMLA_OTHER;
    case JS_CLASS_ARRAY:
        return same_object(proto, ctx->class_proto[JS_CLASS_ARRAY]) ? AMLA_ARRAY : AMLA_OTHER;
    case JS_CLASS_UINT8_ARRAY:
        return same_object(proto, ctx->class_proto[JS_CLASS_UINT8_ARRAY]) ? AMLA_BYTES : AMLA_OTHER;
    case JS_CLASS_ARRAY_BUFFER:
        return same_object(proto, ctx->class_proto[JS_CLASS_ARRAY_BUFFER]) ? AMLA_BUFFER : AMLA_OTHER;
    case JS_CLASS_ERROR:
        return native_error_class(ctx, value) >= 0 ? AMLA_ERROR : AMLA_OTHER;
    default:
        if (JS_IsFunction(ctx, value))
            return same_object(proto, ctx->function_proto) ? AMLA_FUNCTION : AMLA_OTHER;
        return AMLA_OTHER;
    }
}

/* --- looking at values without running their code --------------------------------- */

static const struct { uint16_t class_id; const char *name; } class_names[] = {
    { JS_CLASS_ERROR, "error" }, { JS_CLASS_NUMBER, "number" }, { JS_CLASS_STRING, "string" },
    { JS_CLASS_BOOLEAN, "boolean" }, { JS_CLASS_SYMBOL, "symbol" }, { JS_CLASS_BIG_INT, "bigint" },
    { JS_CLASS_ARGUMENTS, "arguments" }, { JS_CLASS_MAPPED_ARGUMENTS, "arguments" },
    { JS_CLASS_DATE, "date" }, { JS_CLASS_MODULE_NS, "module" }, { JS_CLASS_REGEXP, "regexp" },
    { JS_CLASS_ARRAY_BUFFER, "arraybuffer" }, { JS_CLASS_SHARED_ARRAY_BUFFER, "sharedarraybuffer" },
    { JS_CLASS_UINT8C_ARRAY, "Uint8ClampedArray" }, { JS_CLASS_INT8_ARRAY, "Int8Array" },
    { JS_CLASS_UINT8_ARRAY, "Uint8Array" }, { JS_CLASS_INT16_ARRAY, "Int16Array" },
    { JS_CLASS_UINT16_ARRAY, "Uint16Array" }, { JS_CLASS_INT32_ARRAY, "Int32Array" },
    { JS_CLASS_UINT32_ARRAY, "Uint32Array" }, { JS_CLASS_BIG_INT64_ARRAY, "BigInt64Array" },
    { JS_CLASS_BIG_UINT64_ARRAY, "BigUint64Array" }, { JS_CLASS_FLOAT16_ARRAY, "Float16Array" },
    { JS_CLASS_FLOAT32_ARRAY, "Float32Array" }, { JS_CLASS_FLOAT64_ARRAY, "Float64Array" },
    { JS_CLASS_DATAVIEW, "dataview" }, { JS_CLASS_MAP, "map" }, { JS_CLASS_SET, "set" },
    { JS_CLASS_WEAKMAP, "weakmap" }, { JS_CLASS_WEAKSET, "weakset" }, { JS_CLASS_WEAK_REF, "weakref" },
    { JS_CLASS_MAP_ITERATOR, "mapiterator" }, { JS_CLASS_SET_ITERATOR, "setiterator" },
    { JS_CLASS_GENERATOR, "generator" }, { JS_CLASS_ASYNC_GENERATOR, "asyncgenerator" },
    { JS_CLASS_PROXY, "proxy" }, { JS_CLASS_PROMISE, "promise" },
};

const char *amla_ascii(JSValueConst value, size_t *length)
{
    if (JS_VALUE_GET_TAG(value) != JS_TAG_STRING)
        return NULL;
    JSString *string = JS_VALUE_GET_STRING(value);
    if (string->is_wide_char)
        return NULL;
    const uint8_t *text = str8(string);
    uint8_t all = 0;
    for (uint32_t i = 0; i < string->len; i++)
        all |= text[i];
    *length = string->len;
    return all < 0x80 ? (const char *)text : NULL;
}

const char *amla_class_name(JSValueConst value)
{
    if (!JS_IsObject(value))
        return NULL;
    uint16_t class_id = JS_VALUE_GET_OBJ(value)->class_id;
    for (size_t i = 0; i < countof(class_names); i++)
        if (class_names[i].class_id == class_id)
            return class_names[i].name;
    return NULL;
}

static const char *bytecode_kind(JSObject *function)
{
    JSFunctionBytecode *b = function->u.func.function_bytecode;
    if (b->is_derived_class_constructor || (b->has_prototype == 0 && b->func_kind == JS_FUNC_NORMAL
                                            && function->is_constructor))
        return "class";
    switch (b->func_kind) {
    case JS_FUNC_GENERATOR: return "generator";
    case JS_FUNC_ASYNC: return "async";
    case JS_FUNC_ASYNC_GENERATOR: return "asyncgenerator";
    default: return "function";
    }
}

const char *amla_function_kind(JSValueConst value)
{
    if (!JS_IsObject(value))
        return NULL;
    JSObject *object = JS_VALUE_GET_OBJ(value);
    if (js_class_has_bytecode(object->class_id))
        return bytecode_kind(object);
    switch (object->class_id) {
    case JS_CLASS_C_FUNCTION:
    case JS_CLASS_C_FUNCTION_DATA:
    case JS_CLASS_C_CLOSURE:
    case JS_CLASS_BOUND_FUNCTION:
    case JS_CLASS_PROMISE_RESOLVE_FUNCTION:
    case JS_CLASS_PROMISE_REJECT_FUNCTION:
        return "function";
    default:
        return NULL;
    }
}

static int append(JSContext *ctx, JSValueConst array, uint32_t *count, JSValueConst value)
{
    return JS_DefinePropertyValueUint32(ctx, array, (*count)++, js_dup(value), JS_PROP_C_W_E) < 0 ? -1 : 0;
}

static int append_record(JSContext *ctx, JSValueConst array, uint32_t *count, const JSMapRecord *record,
                         JSIteratorKindEnum kind, bool is_map)
{
    if (record->empty)
        return 0;
    if (kind != JS_ITERATOR_KIND_VALUE && append(ctx, array, count, record->key))
        return -1;
    if (kind == JS_ITERATOR_KIND_KEY)
        return 0;
    return append(ctx, array, count, is_map ? record->value : record->key);
}

JSValue amla_preview_entries(JSContext *ctx, JSValueConst value, bool *pairs)
{
    JSIteratorKindEnum kind = JS_ITERATOR_KIND_VALUE;
    struct list_head *start = NULL;

    *pairs = false;
    if (!JS_IsObject(value))
        return JS_UNDEFINED;
    JSObject *object = JS_VALUE_GET_OBJ(value);
    uint16_t class_id = object->class_id;
    bool is_map = class_id == JS_CLASS_MAP || class_id == JS_CLASS_MAP_ITERATOR;
    if (class_id == JS_CLASS_MAP_ITERATOR || class_id == JS_CLASS_SET_ITERATOR) {
        JSMapIteratorData *it = object->u.map_iterator_data;
        if (!it || JS_IsUndefined(it->obj))
            return JS_NewArray(ctx);
        kind = it->kind;
        object = JS_VALUE_GET_OBJ(it->obj);
        if (it->cur_record)
            start = &it->cur_record->link;
    } else if (class_id == JS_CLASS_MAP) {
        kind = JS_ITERATOR_KIND_KEY_AND_VALUE;
    } else if (class_id != JS_CLASS_SET) {
        return JS_UNDEFINED;
    }
    *pairs = kind == JS_ITERATOR_KIND_KEY_AND_VALUE;
    struct list_head *records = &object->u.map_state->records;
    JSValue array = JS_NewArray(ctx);
    uint32_t count = 0;
    if (JS_IsException(array))
        return array;
    for (struct list_head *el = start ? start->next : records->next; el != records; el = el->next) {
        if (append_record(ctx, array, &count, list_entry(el, JSMapRecord, link), kind, is_map)) {
            JS_FreeValue(ctx, array);
            return JS_EXCEPTION;
        }
    }
    return array;
}

JSValue amla_non_index_keys(JSContext *ctx, JSValueConst object, bool only_enumerable)
{
    JSPropertyEnum *table;
    uint32_t length, count = 0, index;
    int flags = JS_GPN_STRING_MASK | JS_GPN_SYMBOL_MASK | (only_enumerable ? JS_GPN_ENUM_ONLY : 0);

    if (JS_GetOwnPropertyNames(ctx, &table, &length, object, flags))
        return JS_EXCEPTION;
    JSValue keys = JS_NewArray(ctx);
    for (uint32_t i = 0; i < length && !JS_IsException(keys); i++) {
        if (JS_AtomIsArrayIndex(ctx, &index, table[i].atom))
            continue;
        if (JS_DefinePropertyValueUint32(ctx, keys, count++, JS_AtomToValue(ctx, table[i].atom), JS_PROP_C_W_E) < 0) {
            JS_FreeValue(ctx, keys);
            keys = JS_EXCEPTION;
        }
    }
    JS_FreePropertyEnum(ctx, table, length);
    return keys;
}

JSValue amla_copy_map(JSContext *ctx, JSValueConst map)
{
    JSMapState *from = JS_GetOpaque2(ctx, map, JS_CLASS_MAP);
    JSValue copy = from ? js_map_constructor(ctx, JS_UNDEFINED, 0, NULL, 0) : JS_EXCEPTION;
    if (JS_IsException(copy))
        return copy;
    JSMapState *to = JS_GetOpaque(copy, JS_CLASS_MAP);
    struct list_head *el;
    list_for_each(el, &from->records) {
        const JSMapRecord *record = list_entry(el, JSMapRecord, link);
        JSMapRecord *added = record->empty ? NULL : map_add_record(ctx, to, record->key);
        if (added) {
            added->value = js_dup(record->value);
        } else if (!record->empty) {
            JS_FreeValue(ctx, copy);
            return JS_EXCEPTION;
        }
    }
    return copy;
}

/* --- sessions ---------------------------------------------------------------------- */

#include "lines.h"
