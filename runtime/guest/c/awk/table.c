#include "table.h"

#include "array.h"
#include "vm.h"

enum { CHAIN_MAX = 2, DENSE_FIRST = 16, PAIR = 2, TABLE_MAX = 1 << 28 };

/* Sizes that a table of texts or of odd integers grows through. */
static const uint32_t sizes[] = { 13,     127,     1021,    8191,    16381,   32749,    65497,    131101,   262147,
                                  524309, 1048583, 2097169, 4194319, 8388617, 16777259, 33554467, 67108879, 134217757 };

uint32_t awk_table_hash(const char *bytes, size_t length)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < length; i++)
        hash = hash * 65599u + (uint32_t)(int32_t)(signed char)bytes[i];
    return hash;
}

static uint32_t mix(uint32_t key)
{
    key ^= key << 3;
    key += key >> 5;
    key ^= key << 4;
    key += key >> 17;
    key ^= key << 25;
    return key + (key >> 6);
}

AwkEntry **awk_table_bucket(const AwkArray *array, const AwkTable *table, uint32_t hash)
{
    if (table == &array->dense)
        return &table->buckets[hash & (table->size - 1)];
    return &table->buckets[(table == &array->low ? mix(hash) : hash) % table->size];
}

static uint32_t next_size(const AwkArray *array, const AwkTable *table)
{
    if (table == &array->dense)
        return table->size ? table->size * 2 : DENSE_FIRST;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i] > table->size)
            return sizes[i];
    return table->size;
}

void awk_table_link(AwkArray *array, AwkTable *table, AwkEntry *entry)
{
    AwkEntry **bucket = awk_table_bucket(array, table, entry->hash);
    entry->next = *bucket;
    *bucket = entry;
    table->count++;
}

typedef struct {
    AwkArray *array;
    AwkTable *table;
} Target;

static void relink(void *data, AwkEntry *entry)
{
    Target *target = data;
    awk_table_link(target->array, target->table, entry);
}

/* Integers share buckets in pairs, in the order in which they came; the newest pair is first. */
static void visit_pairs(AwkEntry *chain, void (*visit)(void *data, AwkEntry *entry), void *data)
{
    uint32_t count = 0;
    for (AwkEntry *entry = chain; entry; entry = entry->next)
        count++;
    for (AwkEntry *entry = chain; entry;) {
        const uint32_t take = count % PAIR ? count % PAIR : PAIR;
        AwkEntry *pair[PAIR] = { entry, take == PAIR ? entry->next : NULL };
        AwkEntry *rest = pair[take - 1]->next;
        for (uint32_t i = take; i-- > 0;)
            visit(data, pair[i]);
        entry = rest;
        count -= take;
    }
}

static void visit_table(AwkArray *array, AwkTable *table, AwkTable *entries,
                        void (*visit)(void *data, AwkEntry *entry), void *data)
{
    for (uint32_t i = 0; i < entries->size; i++) {
        if (table == &array->low) {
            visit_pairs(entries->buckets[i], visit, data);
            continue;
        }
        for (AwkEntry *entry = entries->buckets[i], *next; entry; entry = next) {
            next = entry->next;
            visit(data, entry);
        }
    }
}

static bool resize(AwkVm *vm, AwkArray *array, AwkTable *table, uint32_t size)
{
    AwkEntry **buckets = size <= TABLE_MAX ? awk_pool_take(&vm->pool, size * sizeof *buckets) : NULL;
    if (!buckets)
        return false;
    memset(buckets, 0, size * sizeof *buckets);
    AwkTable old = *table;
    *table = (AwkTable){ buckets, size, 0 };
    visit_table(array, table, &old, relink, &(Target){ array, table });
    awk_pool_give(&vm->pool, old.buckets, old.size * sizeof *old.buckets);
    return true;
}

bool awk_table_make_room(AwkVm *vm, AwkArray *array, AwkTable *table)
{
    const bool full = !table->size || (table->count + 1) / table->size > (table == &array->dense ? 0 : CHAIN_MAX);
    const uint32_t size = full ? next_size(array, table) : table->size;
    return size == table->size || resize(vm, array, table, size);
}

/* Dense keys in ascending order: they are gathered and sorted by radix, a byte at a time. */
static void sort_dense(AwkEntry **entries, AwkEntry **spare, uint32_t count)
{
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t starts[257] = { 0 };
        for (uint32_t i = 0; i < count; i++)
            starts[(entries[i]->hash >> shift & 255) + 1]++;
        if (starts[1] == count)
            continue;
        for (int i = 1; i < 257; i++)
            starts[i] += starts[i - 1];
        for (uint32_t i = 0; i < count; i++)
            spare[starts[entries[i]->hash >> shift & 255]++] = entries[i];
        memcpy(entries, spare, count * sizeof *entries);
    }
}

static void gather(void *data, AwkEntry *entry)
{
    AwkEntry ***at = data;
    *(*at)++ = entry;
}

static void visit_dense(AwkVm *vm, AwkArray *array, void (*visit)(void *data, AwkEntry *entry), void *data)
{
    const uint32_t count = array->dense.count;
    AwkEntry **entries = count ? awk_pool_take(&vm->pool, 2 * (size_t)count * sizeof *entries) : NULL;
    if (!entries)
        return;
    AwkEntry **at = entries;
    visit_table(array, &array->dense, &array->dense, gather, &at);
    sort_dense(entries, entries + count, count);
    for (uint32_t i = 0; i < count; i++)
        visit(data, entries[i]);
    awk_pool_give(&vm->pool, entries, 2 * (size_t)count * sizeof *entries);
}

void awk_array_each(AwkVm *vm, AwkArray *array, void (*visit)(void *data, AwkEntry *entry), void *data)
{
    visit_table(array, &array->texts, &array->texts, visit, data);
    visit_table(array, &array->low, &array->low, visit, data);
    visit_dense(vm, array, visit, data);
}
