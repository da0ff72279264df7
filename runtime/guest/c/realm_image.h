/* A realm's state, remembered and put back.  Included by engine.c alone, because
 * it reads QuickJS's private structures; engine.h declares the four functions.
 *
 * Making a realm costs half a millisecond, loading the guest's modules into it
 * several times that.  So a realm is made once, when the guest is built, with the
 * modules that scripts use most, and its state is remembered: for every object
 * its properties and what its class keeps beside them, for every variable that a
 * closure holds its value.  After a run all of that is compared with what is
 * there now, and put back where it differs.  A comparison is two loads and a
 * branch for most objects; only what a script touched costs more.
 *
 * An image owns references to all it remembers, so nothing in it is ever freed
 * or moved while it lives.  Shapes are immutable while they are shared: a change
 * to an object's properties gives it another shape.  Those that QuickJS would
 * change in place are remembered as a clone and always put back.
 */
#include <string.h>

/* What an object keeps beside its properties. */
typedef enum { KEEPS_NOTHING, KEEPS_DATA, KEEPS_ENTRIES, KEEPS_ELEMENTS } Kept;

typedef struct {
    JSObject *object;
    JSShape *shape;         /* shared, or a clone that nobody else has */
    JSShape *given;         /* the object's own shape when it was last put back (borrowed) */
    JSProperty *properties; /* property_count of them */
    JSValue *values;        /* elements of a fast array; keys and values of a Map; members of a Set */
    JSValue data;           /* classes that keep one value: boxes, Date, Error */
    uint32_t property_count, count;
    uint8_t kept;
    bool extensible;
} SavedObject;

typedef struct {
    JSVarRef *variable;
    JSValue value;
} SavedVariable;

_Static_assert(sizeof(JSProperty) == 8 && sizeof(JSShapeProperty) == 8, "tables are compared in words of 8 bytes");

struct AmlaImage {
    SavedObject *objects;
    SavedVariable *variables;
    uint32_t object_count, variable_count;
};

/* --- properties ------------------------------------------------------------------------ */

static JSProperty dup_property(JSContext *ctx, const JSProperty *property, int flags)
{
    switch (flags & JS_PROP_TMASK) {
    case JS_PROP_GETSET:
        if (property->u.getset.getter)
            js_dup(JS_MKPTR(JS_TAG_OBJECT, property->u.getset.getter));
        if (property->u.getset.setter)
            js_dup(JS_MKPTR(JS_TAG_OBJECT, property->u.getset.setter));
        break;
    case JS_PROP_VARREF:
        amla_use(property->u.var_ref);
        break;
    case JS_PROP_AUTOINIT:
        JS_DupContext(js_autoinit_get_realm((JSProperty *)property));
        break;
    default:
        JS_DupValue(ctx, property->u.value);
    }
    return *property;
}

static JSProperty *dup_properties(JSContext *ctx, const JSProperty *properties, JSShape *shape)
{
    JSProperty *copy = js_mallocz(ctx, sizeof *copy * (size_t)max_int(shape->prop_size, 1));
    JSShapeProperty *described = get_shape_prop(shape);
    for (int i = 0; copy && i < shape->prop_count; i++)
        copy[i] = dup_property(ctx, &properties[i], described[i].flags);
    return copy;
}

static void free_properties(JSContext *ctx, JSProperty *properties, JSShape *shape)
{
    JSShapeProperty *described = get_shape_prop(shape);
    for (int i = 0; i < shape->prop_count; i++)
        free_property(ctx->rt, &properties[i], described[i].flags);
    js_free(ctx, properties);
}

/* Eight bytes at a time: both tables are aligned, and memcmp goes byte by byte. */
static bool tables_differ(const void *a, const void *b, uint32_t words)
{
    const uint64_t *left = a, *right = b;
    for (uint32_t i = 0; i < words; i++)
        if (left[i] != right[i])
            return true;
    return false;
}

/* Whether a shape that belongs to one object alone was changed in place. */
static bool own_shape_changed(const SavedObject *saved)
{
    JSShape *now = saved->given, *then = saved->shape;
    return now->prop_count != then->prop_count || now->proto != then->proto
        || tables_differ(get_shape_prop(now), get_shape_prop(then), saved->property_count);
}

static bool properties_changed(const SavedObject *saved)
{
    if (saved->object->shape != saved->given || (saved->given != saved->shape && own_shape_changed(saved)))
        return true;
    return tables_differ(saved->object->prop, saved->properties, saved->property_count);
}

static bool restore_properties(JSContext *ctx, SavedObject *saved)
{
    JSObject *object = saved->object;
    JSShape *shape = saved->shape->is_hashed ? js_dup_shape(saved->shape) : js_clone_shape(ctx, saved->shape);
    JSProperty *fresh = shape ? dup_properties(ctx, saved->properties, saved->shape) : NULL;
    if (!fresh) {
        js_free_shape_null(ctx->rt, shape);
        return false;
    }
    JSShape *old_shape = object->shape;
    JSProperty *old = object->prop;
    object->shape = saved->given = shape;
    object->prop = fresh;
    free_properties(ctx, old, old_shape);
    js_free_shape(ctx->rt, old_shape);
    return true;
}

/* --- what a class keeps beside properties -------------------------------------------------- */

static Kept kept_by(const JSObject *object)
{
    switch (object->class_id) {
    case JS_CLASS_NUMBER: case JS_CLASS_STRING: case JS_CLASS_BOOLEAN: case JS_CLASS_SYMBOL:
    case JS_CLASS_BIG_INT: case JS_CLASS_DATE: case JS_CLASS_ERROR:
        return KEEPS_DATA;
    case JS_CLASS_MAP: case JS_CLASS_SET:
        return KEEPS_ENTRIES;
    case JS_CLASS_ARRAY:
        return object->fast_array ? KEEPS_ELEMENTS : KEEPS_NOTHING;
    default:
        return KEEPS_NOTHING;
    }
}

static bool same_value(JSValueConst a, JSValueConst b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static uint32_t collection_width(const JSObject *object)
{
    return object->class_id == JS_CLASS_MAP ? 2 : 1;
}

/* Copy (without references) the entries of a Map or Set into `values`, at most `most`. */
static uint32_t list_collection(const JSObject *object, JSValue *values, uint32_t most)
{
    struct list_head *el;
    uint32_t count = 0;
    list_for_each(el, &object->u.map_state->records) {
        JSMapRecord *record = list_entry(el, JSMapRecord, link);
        if (record->empty)
            continue;
        if (count + collection_width(object) > most)
            return UINT32_MAX;
        values[count++] = record->key;
        if (object->class_id == JS_CLASS_MAP)
            values[count++] = record->value;
    }
    return count;
}

static bool collection_changed(const SavedObject *saved)
{
    struct list_head *el;
    uint32_t at = 0;
    list_for_each(el, &saved->object->u.map_state->records) {
        JSMapRecord *record = list_entry(el, JSMapRecord, link);
        if (record->empty)
            continue;
        if (at >= saved->count || !same_value(record->key, saved->values[at++]))
            return true;
        if (saved->object->class_id == JS_CLASS_MAP && !same_value(record->value, saved->values[at++]))
            return true;
    }
    return at != saved->count;
}

static bool restore_collection(JSContext *ctx, const SavedObject *saved)
{
    JSMapState *state = saved->object->u.map_state;
    struct list_head *el, *next;
    list_for_each_safe(el, next, &state->records)
        map_delete_record(ctx->rt, state, list_entry(el, JSMapRecord, link));
    for (uint32_t i = 0; i < saved->count; i += collection_width(saved->object)) {
        JSMapRecord *record = map_add_record(ctx, state, saved->values[i]);
        if (!record)
            return false;
        record->value = saved->object->class_id == JS_CLASS_MAP ? js_dup(saved->values[i + 1]) : JS_UNDEFINED;
    }
    return true;
}

static bool array_changed(const SavedObject *saved)
{
    const JSObject *object = saved->object;
    return !object->fast_array || object->u.array.count != saved->count
        || memcmp(object->u.array.u.values, saved->values, sizeof(JSValue) * saved->count) != 0;
}

/* Only arrays that were fast when they were remembered come here. */
static bool restore_array(JSContext *ctx, const SavedObject *saved)
{
    JSObject *object = saved->object;
    JSValue *fresh = js_malloc(ctx, sizeof *fresh * max_int((int)saved->count, 1));
    if (!fresh)
        return false;
    for (uint32_t i = 0; i < saved->count; i++)
        fresh[i] = js_dup(saved->values[i]);
    JSValue *old = object->fast_array ? object->u.array.u.values : NULL;
    uint32_t old_count = object->fast_array ? object->u.array.count : 0;
    object->fast_array = true;
    object->u.array.u.values = fresh;
    object->u.array.u1.size = object->u.array.count = saved->count;
    for (uint32_t i = 0; i < old_count; i++)
        JS_FreeValue(ctx, old[i]);
    js_free(ctx, old);
    return true;
}

/* --- taking ----------------------------------------------------------------------------------- */

static bool save_values(JSContext *ctx, SavedObject *saved)
{
    JSObject *object = saved->object;
    bool fast = saved->kept == KEEPS_ELEMENTS;
    if (!fast && saved->kept != KEEPS_ENTRIES)
        return true;
    uint32_t most = fast ? object->u.array.count : object->u.map_state->record_count * 2;
    saved->values = js_malloc(ctx, sizeof *saved->values * max_int((int)most, 1));
    if (!saved->values)
        return false;
    if (fast)
        memcpy(saved->values, object->u.array.u.values, sizeof *saved->values * most);
    saved->count = fast ? most : list_collection(object, saved->values, most);
    for (uint32_t i = 0; i < saved->count; i++)
        js_dup(saved->values[i]);
    return true;
}

static bool save_object(JSContext *ctx, SavedObject *saved, JSObject *object)
{
    JSShape *shape = object->shape;
    saved->object = object;
    js_dup(JS_MKPTR(JS_TAG_OBJECT, object));
    saved->shape = shape->is_hashed ? js_dup_shape(shape) : js_clone_shape(ctx, shape);
    saved->given = shape;
    saved->property_count = (uint32_t)shape->prop_count;
    saved->kept = (uint8_t)kept_by(object);
    saved->extensible = object->extensible;
    saved->data = saved->kept == KEEPS_DATA ? js_dup(object->u.object_data) : JS_UNDEFINED;
    saved->properties = saved->shape ? dup_properties(ctx, object->prop, saved->shape) : NULL;
    return saved->properties && save_values(ctx, saved);
}

static void count_since(JSRuntime *rt, const struct list_head *mark, AmlaImage *image)
{
    for (const struct list_head *el = mark->next; el != &rt->gc_obj_list; el = el->next) {
        JSGCObjectHeader *header = list_entry(el, JSGCObjectHeader, link);
        image->object_count += JS_GC_TYPE(header) == JS_GC_OBJ_TYPE_JS_OBJECT;
        image->variable_count += JS_GC_TYPE(header) == JS_GC_OBJ_TYPE_VAR_REF;
    }
}

AmlaImage *amla_image_take(JSContext *ctx, JSValueConst mark)
{
    JSRuntime *rt = ctx->rt;
    const struct list_head *since = &JS_VALUE_GET_OBJ(mark)->header.link;
    AmlaImage *image = js_mallocz(ctx, sizeof *image);
    if (!image)
        return NULL;
    count_since(rt, since, image);
    image->objects = js_mallocz(ctx, sizeof *image->objects * image->object_count);
    image->variables = js_mallocz(ctx, sizeof *image->variables * image->variable_count);
    uint32_t objects = 0, variables = 0;
    for (const struct list_head *el = since->next; el != &rt->gc_obj_list && image->objects && image->variables; el = el->next) {
        JSGCObjectHeader *header = list_entry(el, JSGCObjectHeader, link);
        if (JS_GC_TYPE(header) == JS_GC_OBJ_TYPE_JS_OBJECT && objects < image->object_count) {
            if (!save_object(ctx, &image->objects[objects++], (JSObject *)header))
                return NULL;
        } else if (JS_GC_TYPE(header) == JS_GC_OBJ_TYPE_VAR_REF && ((JSVarRef *)header)->is_detached) {
            SavedVariable *saved = &image->variables[variables++];
            saved->variable = (JSVarRef *)header;
            amla_use(saved->variable);
            saved->value = js_dup(saved->variable->value);
        }
    }
    image->object_count = objects;
    image->variable_count = variables;
    return image->objects && image->variables ? image : NULL;
}

/* --- restoring ---------------------------------------------------------------------------------- */

static bool restore_data(JSContext *ctx, const SavedObject *saved)
{
    JSValue old = saved->object->u.object_data;
    if (!same_value(old, saved->data)) {
        saved->object->u.object_data = js_dup(saved->data);
        JS_FreeValue(ctx, old);
    }
    return true;
}

static bool restore_object(JSContext *ctx, SavedObject *saved)
{
    if (properties_changed(saved) && !restore_properties(ctx, saved))
        return false;
    if (saved->object->extensible != saved->extensible) /* a write would cost the page */
        saved->object->extensible = saved->extensible;
    switch ((Kept)saved->kept) {
    case KEEPS_DATA: return restore_data(ctx, saved);
    case KEEPS_ENTRIES: return !collection_changed(saved) || restore_collection(ctx, saved);
    case KEEPS_ELEMENTS: return !array_changed(saved) || restore_array(ctx, saved);
    default: return true;
    }
}

static void restore_variable(JSContext *ctx, const SavedVariable *saved)
{
    JSVarRef *variable = saved->variable;
    if (same_value(variable->value, saved->value))
        return;
    JSValue old = variable->value;
    variable->value = js_dup(saved->value);
    JS_FreeValue(ctx, old);
}

/* Modules that a script imported stay registered with the context and cannot be
 * told from fresh ones, so such a realm is not used again. */
bool amla_image_restore(JSContext *ctx, AmlaImage *image)
{
    const bool reusable = list_empty(&ctx->loaded_modules);
    amla_forget_transitions(ctx->rt);
    JSValue prepare = ctx->error_prepare_stack, limit = ctx->error_stack_trace_limit;
    ctx->error_prepare_stack = JS_UNDEFINED;
    ctx->error_stack_trace_limit = js_int32(10);
    JS_FreeValue(ctx, prepare);
    JS_FreeValue(ctx, limit);
    JS_FreeValue(ctx, ctx->error_back_trace);
    ctx->error_back_trace = JS_UNDEFINED;
    for (uint32_t i = 0; i < image->object_count; i++)
        if (!restore_object(ctx, &image->objects[i]))
            return false;
    for (uint32_t i = 0; i < image->variable_count; i++)
        restore_variable(ctx, &image->variables[i]);
    ctx->std_array_prototype = true;
    if (!reusable) /* nor is it ever freed, if it was baked: let it hold nothing */
        js_free_modules(ctx, JS_FREE_MODULE_ALL);
    return reusable;
}

void amla_image_free(JSContext *ctx, AmlaImage *image)
{
    for (uint32_t i = 0; i < image->object_count; i++) {
        SavedObject *saved = &image->objects[i];
        free_properties(ctx, saved->properties, saved->shape);
        js_free_shape(ctx->rt, saved->shape);
        for (uint32_t j = 0; j < saved->count; j++)
            JS_FreeValue(ctx, saved->values[j]);
        js_free(ctx, saved->values);
        JS_FreeValue(ctx, saved->data);
        JS_FreeValue(ctx, JS_MKPTR(JS_TAG_OBJECT, saved->object));
    }
    for (uint32_t i = 0; i < image->variable_count; i++) {
        JS_FreeValue(ctx, image->variables[i].value);
        free_var_ref(ctx->rt, image->variables[i].variable);
    }
    js_free(ctx, image->objects);
    js_free(ctx, image->variables);
    js_free(ctx, image);
}
