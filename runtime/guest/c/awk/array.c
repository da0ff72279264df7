#include "array.h"

#include "leaves.h"
#include "number.h"
#include "table.h"
#include "vm.h"

AwkArray *awk_array_create(AwkVm *vm)
{
    AwkArray *array = awk_pool_take(&vm->pool, sizeof *array);
    if (array) {
        memset(array, 0, sizeof *array);
        array->references = 1;
    }
    return array;
}

/* A key in the form in which tables know it. */
typedef struct {
    AwkTable *table;
    AwkText *text; /* a reference, NULL for an integer */
    uint32_t hash;
} Key;

static bool as_index(const AwkValue *value, int32_t *index)
{
    int64_t integer;
    if (awk_has_text(value))
        return awk_is_index(value->text->bytes, value->text->length, index);
    if (value->kind != AWK_NUMBER || !awk_integral(value->number, &integer))
        return false;
    *index = (int32_t)integer;
    return integer == *index;
}

static Key text_key(AwkVm *vm, AwkArray *array, const AwkValue *value)
{
    AwkText *text = awk_to_text(vm, value);
    return (Key){ &array->texts, text, awk_table_hash(text->bytes, text->length) };
}

static void drop_key(AwkVm *vm, Key *key)
{
    if (key->text)
        awk_text_release(&vm->pool, key->text);
}

static bool same_key(const AwkEntry *entry, const Key *key)
{
    if (entry->hash != key->hash)
        return false;
    return !key->text ||
           (entry->text->length == key->text->length && !memcmp(entry->text->bytes, key->text->bytes, key->text->length));
}

static AwkEntry **find_in(const AwkArray *array, const AwkTable *table, const Key *key)
{
    if (!table->count)
        return NULL;
    AwkEntry **link = awk_table_bucket(array, table, key->hash);
    while (*link && !same_key(*link, key))
        link = &(*link)->next;
    return *link ? link : NULL;
}

/* An integer that is not among the dense ones: a text, if the first such key was one. */
static Key odd_key(AwkVm *vm, AwkArray *array, const AwkValue *value, int32_t index)
{
    if (array->odd == AWK_ODD_TEXTS)
        return text_key(vm, array, value);
    return (Key){ &array->low, NULL, (uint32_t)index };
}

/* The link that leads to the entry, NULL when there is none; and the key, whose text the caller drops. */
static AwkEntry **find_link(AwkVm *vm, AwkArray *array, const AwkValue *value, Key *key)
{
    int32_t index;
    if (array->mode == AWK_TEXTS || !as_index(value, &index)) {
        *key = text_key(vm, array, value);
        return find_in(array, key->table, key);
    }
    if (index >= 0 && array->mode != AWK_LOW_FIRST) {
        *key = (Key){ &array->dense, NULL, (uint32_t)index };
        AwkEntry **link = find_in(array, key->table, key);
        if (link || array->odd == AWK_ODD_NONE)
            return link;
    }
    *key = odd_key(vm, array, value, index);
    return find_in(array, key->table, key);
}

AwkValue *awk_array_find(AwkVm *vm, AwkArray *array, const AwkValue *value)
{
    Key key;
    AwkEntry **link = find_link(vm, array, value, &key);
    drop_key(vm, &key);
    return link ? &(*link)->value : NULL;
}

/* The first key decides how the array is kept, and the first that is no dense integer how the others are. */
static void decide(AwkVm *vm, AwkArray *array, const AwkValue *value, Key *key)
{
    int32_t index;
    const bool integer = as_index(value, &index);
    if (array->mode == AWK_EMPTY)
        array->mode = !integer ? AWK_TEXTS : index < 0 ? AWK_LOW_FIRST : AWK_DENSE;
    if (array->mode == AWK_TEXTS)
        return;
    if (array->mode == AWK_DENSE && integer && index >= 0 && awk_leaves_admit(vm, array, (uint32_t)index)) {
        drop_key(vm, key);
        *key = (Key){ &array->dense, NULL, (uint32_t)index };
        return;
    }
    if (array->odd == AWK_ODD_NONE)
        array->odd = integer ? AWK_ODD_INTEGERS : AWK_ODD_TEXTS;
    if (integer && key->table == &array->dense)
        *key = odd_key(vm, array, value, index);
}

static AwkEntry *insert(AwkVm *vm, AwkArray *array, const AwkValue *value, Key *key)
{
    decide(vm, array, value, key);
    AwkEntry *entry = awk_table_make_room(vm, array, key->table) ? awk_pool_take(&vm->pool, sizeof *entry) : NULL;
    if (!entry)
        return NULL;
    *entry = (AwkEntry){ .text = key->text, .hash = key->hash, .value = { .kind = AWK_UNSET } };
    key->text = NULL;
    awk_table_link(array, key->table, entry);
    return entry;
}

AwkValue *awk_array_place(AwkVm *vm, AwkArray *array, const AwkValue *value)
{
    Key key;
    AwkEntry **link = find_link(vm, array, value, &key);
    AwkEntry *entry = link ? *link : insert(vm, array, value, &key);
    drop_key(vm, &key);
    if (entry)
        return &entry->value;
    vm->scrap = (AwkValue){ .kind = AWK_UNSET };
    return &vm->scrap;
}

void awk_array_put_index(AwkVm *vm, AwkArray *array, int32_t index, AwkValue value)
{
    const AwkValue key = awk_number(index);
    awk_replace(vm, awk_array_place(vm, array, &key), value);
}

void awk_array_put(AwkVm *vm, AwkArray *array, const char *name, AwkValue value)
{
    AwkValue key = awk_text(awk_text_create(&vm->pool, name, strlen(name)));
    awk_replace(vm, awk_array_place(vm, array, &key), value);
    awk_drop(vm, &key);
}

static void free_entry(AwkVm *vm, AwkEntry *entry)
{
    if (entry->text)
        awk_text_release(&vm->pool, entry->text);
    awk_drop(vm, &entry->value);
    awk_pool_give(&vm->pool, entry, sizeof *entry);
}

void awk_array_remove(AwkVm *vm, AwkArray *array, const AwkValue *value)
{
    Key key;
    AwkEntry **link = find_link(vm, array, value, &key);
    drop_key(vm, &key);
    if (!link)
        return;
    AwkEntry *entry = *link;
    *link = entry->next;
    key.table->count--;
    if (!awk_array_count(array))
        awk_array_clear(vm, array);
    free_entry(vm, entry);
}

static void clear_table(AwkVm *vm, AwkTable *table)
{
    for (uint32_t i = 0; i < table->size; i++)
        while (table->buckets[i]) {
            AwkEntry *entry = table->buckets[i];
            table->buckets[i] = entry->next;
            free_entry(vm, entry);
        }
    awk_pool_give(&vm->pool, table->buckets, table->size * sizeof *table->buckets);
    *table = (AwkTable){ 0 };
}

void awk_array_clear(AwkVm *vm, AwkArray *array)
{
    clear_table(vm, &array->texts);
    clear_table(vm, &array->low);
    clear_table(vm, &array->dense);
    awk_leaves_clear(vm, &array->leaves);
    array->mode = AWK_EMPTY;
    array->odd = AWK_ODD_NONE;
}

/* Arrays nest as deep as a program likes, so those to be freed wait in a list instead of on the C stack. */
void awk_array_release(AwkVm *vm, AwkArray *array)
{
    if (--array->references)
        return;
    array->next = vm->dying;
    vm->dying = array;
    if (vm->freeing)
        return;
    vm->freeing = true;
    while (vm->dying) {
        AwkArray *next = vm->dying;
        vm->dying = next->next;
        awk_array_clear(vm, next);
        awk_pool_give(&vm->pool, next, sizeof *next);
    }
    vm->freeing = false;
}
