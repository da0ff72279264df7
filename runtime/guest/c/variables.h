/* The shell's variables as C sees them.  Included by engine.c alone, because it reads
 * the layout of objects and Maps; engine.h declares the functions.
 *
 * A variable is an object of the class in ts/shell/run/variable.ts, whose constructor
 * gives its fields in the order below.  An object that is laid out in any other way is
 * none that C can work on, and whoever asks takes the long way in TypeScript.
 */
enum { VALUE, BITS, OWNER, COUNTED, NUMBER, FIELDS };

static const char *const field_names[FIELDS] = { "value", "bits", "owner", "counted", "number" };
static JSAtom field_atoms[FIELDS];

struct AmlaVariable {
    JSProperty fields[FIELDS];
};

int amla_variables_define(JSContext *ctx)
{
    for (int i = 0; i < FIELDS; i++) {
        field_atoms[i] = JS_NewAtom(ctx, field_names[i]);
        if (field_atoms[i] == JS_ATOM_NULL)
            return -1;
    }
    return 0;
}

JSValueConst amla_own_field(JSValueConst object, JSAtom name)
{
    JSProperty *property;
    const JSShapeProperty *found = JS_IsObject(object) ? find_own_property(&property, JS_VALUE_GET_OBJ(object), name) : NULL;
    return found && (found->flags & JS_PROP_TMASK) == 0 ? property->u.value : JS_UNDEFINED;
}

JSValueConst amla_array_element(JSValueConst array, int32_t index)
{
    if (!JS_IsObject(array))
        return JS_UNDEFINED;
    const JSObject *object = JS_VALUE_GET_OBJ(array);
    const bool has = object->class_id == JS_CLASS_ARRAY && object->fast_array && (uint32_t)index < object->u.array.count;
    return has ? object->u.array.u.values[index] : JS_UNDEFINED;
}

static AmlaVariable *as_variable(JSValueConst value)
{
    if (!JS_IsObject(value))
        return NULL;
    JSObject *object = JS_VALUE_GET_OBJ(value);
    const JSShape *shape = object->shape;
    if (object->class_id != JS_CLASS_OBJECT || shape->prop_count < FIELDS)
        return NULL;
    const JSShapeProperty *layout = get_shape_prop((JSShape *)shape);
    for (int i = 0; i < FIELDS; i++)
        if (layout[i].atom != field_atoms[i] || layout[i].flags != JS_PROP_C_W_E)
            return NULL;
    return (AmlaVariable *)object->prop;
}

AmlaVariable *amla_variable_find(JSContext *ctx, JSValueConst table, JSValueConst name)
{
    JSMapState *map = JS_GetOpaque(table, JS_CLASS_MAP);
    const JSMapRecord *record = map ? map_find_record(ctx, map, name) : NULL;
    return record ? as_variable(record->value) : NULL;
}

JSValueConst amla_variable_object(JSContext *ctx, JSValueConst table, JSValueConst name)
{
    JSMapState *map = JS_GetOpaque(table, JS_CLASS_MAP);
    const JSMapRecord *record = map ? map_find_record(ctx, map, name) : NULL;
    return record ? record->value : JS_UNDEFINED;
}

int amla_variable_replace(JSContext *ctx, JSValueConst table, JSValueConst name, JSValue variable)
{
    JSMapState *map = JS_GetOpaque(table, JS_CLASS_MAP);
    JSMapRecord *record = map ? map_find_record(ctx, map, name) : NULL;
    if (JS_IsUndefined(variable)) {
        if (record)
            map_delete_record(ctx->rt, map, record);
        return 0;
    }
    if (record) {
        set_value(ctx, &record->value, variable);
        return 0;
    }
    record = map ? map_add_record(ctx, map, name) : NULL;
    if (!record) {
        JS_FreeValue(ctx, variable);
        return -1;
    }
    record->value = variable;
    return 0;
}

JSValue amla_variable_new(JSContext *ctx, JSValueConst table, JSValueConst text, JSValueConst owner)
{
    JSMapState *map = JS_GetOpaque(table, JS_CLASS_MAP);
    if (!map || list_empty(&map->records))
        return JS_UNDEFINED;
    JSValueConst other = list_entry(map->records.next, JSMapRecord, link)->value;
    if (!as_variable(other) || JS_VALUE_GET_OBJ(other)->shape->prop_count != FIELDS)
        return JS_UNDEFINED;
    JSProperty fields[FIELDS];
    fields[VALUE].u.value = js_dup(text);
    fields[BITS].u.value = js_int32(0);
    fields[OWNER].u.value = js_dup(owner);
    fields[COUNTED].u.value = JS_NULL;
    fields[NUMBER].u.value = js_int32(0);
    return JS_NewObjectFromShape(ctx, js_dup_shape(JS_VALUE_GET_OBJ(other)->shape), JS_CLASS_OBJECT, fields);
}

int32_t amla_variable_bits(const AmlaVariable *variable)
{
    JSValueConst bits = variable->fields[BITS].u.value;
    return JS_VALUE_GET_TAG(bits) == JS_TAG_INT ? JS_VALUE_GET_INT(bits) : -1;
}

JSValueConst amla_variable_value(const AmlaVariable *variable)
{
    return variable->fields[VALUE].u.value;
}

bool amla_variable_is_own(const AmlaVariable *variable, JSValueConst owner)
{
    JSValueConst mine = variable->fields[OWNER].u.value;
    return JS_IsObject(mine) && JS_IsObject(owner) && JS_VALUE_GET_OBJ(mine) == JS_VALUE_GET_OBJ(owner)
        && amla_variable_bits(variable) == 0 && JS_IsString(variable->fields[VALUE].u.value);
}

static bool same_text(JSValueConst left, JSValueConst right)
{
    return JS_VALUE_GET_TAG(left) == JS_TAG_STRING && JS_VALUE_GET_TAG(right) == JS_TAG_STRING
        && JS_VALUE_GET_PTR(left) == JS_VALUE_GET_PTR(right);
}

bool amla_text_is(JSValueConst text, const char *expected)
{
    if (JS_VALUE_GET_TAG(text) != JS_TAG_STRING)
        return false;
    const JSString *string = JS_VALUE_GET_STRING(text);
    size_t length = strlen(expected);
    return !string->is_wide_char && string->len == length && memcmp(str8((JSString *)string), expected, length) == 0;
}

/* As plainInteger in numbers.ts: what a number looks like that was printed. */
bool amla_text_integer(JSValueConst text, int64_t *number)
{
    enum { DIGITS = 15 }; /* always exact as a double */
    if (JS_VALUE_GET_TAG(text) != JS_TAG_STRING)
        return false;
    const JSString *string = JS_VALUE_GET_STRING(text);
    const uint8_t *digit = str8((JSString *)string), *end = digit + string->len;
    const bool negative = !string->is_wide_char && digit < end && *digit == '-';
    digit += negative;
    if (string->is_wide_char || digit == end || end - digit > DIGITS || (*digit == '0' && (negative || end - digit > 1)))
        return false;
    int64_t sum = 0;
    for (; digit < end; digit++) {
        if (*digit < '0' || *digit > '9')
            return false;
        sum = sum * 10 + (*digit - '0');
    }
    *number = negative ? -sum : sum;
    return true;
}

bool amla_variable_integer(const AmlaVariable *variable, int64_t *number)
{
    const JSProperty *fields = variable->fields;
    if (!same_text(fields[COUNTED].u.value, fields[VALUE].u.value))
        return amla_text_integer(fields[VALUE].u.value, number);
    JSValueConst known = fields[NUMBER].u.value;
    if (JS_VALUE_GET_TAG(known) == JS_TAG_INT)
        *number = JS_VALUE_GET_INT(known);
    else
        *number = (int64_t)JS_VALUE_GET_FLOAT64(known);
    return true;
}

void amla_variable_put(JSContext *ctx, AmlaVariable *variable, JSValue text)
{
    set_value(ctx, &variable->fields[VALUE].u.value, text);
}

int amla_variable_put_integer(JSContext *ctx, AmlaVariable *variable, int64_t number)
{
    char digits[32];
    JSValue text = js_new_string8_len(ctx, digits, (int)i64toa(digits, number));
    if (JS_IsException(text))
        return -1;
    set_value(ctx, &variable->fields[COUNTED].u.value, js_dup(text));
    set_value(ctx, &variable->fields[VALUE].u.value, text);
    set_value(ctx, &variable->fields[NUMBER].u.value, js_int64(number));
    return 0;
}
