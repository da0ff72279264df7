/* Looking at values without running their code.
 *
 * Part of engine.c, behind quickjs.c. */

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
