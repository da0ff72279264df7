#include "jq_sort.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <jv_alloc.h>

#define PREFIX 7 /* bytes of a string, or of a number, that are in its rank, below its kind */

typedef struct {
    uint64_t rank;
    const char *text; /* the string that is all of the key, or NULL */
    uint32_t length;  /* of the text */
    uint32_t index; /* of the entry, as in the entry itself */
    bool is_number; /* whether a number that is kept in binary is all of the key */
    uint8_t rest;   /* what is not in its rank */
} Key;

typedef struct {
    const AmlaJqEntry *entries;
    AmlaJqCompare *compare;
} Order;

/* --- ranks ------------------------------------------------------------------------------ */

/* The order of numbers as that of 64 bits; jq has nan below them all. */
static uint64_t order_of_number(double number)
{
    if (number != number)
        return 0;
    number += 0.0; /* -0 is 0 */
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static uint64_t rank_of_text(const char *text, uint32_t length)
{
    uint64_t rank = 0;
    for (uint32_t i = 0; i < PREFIX; i++)
        rank = rank << 8 | (i < length ? (uint8_t)text[i] : 0);
    return rank;
}

static uint32_t length_of(jv string)
{
    return (uint32_t)jv_string_length_bytes(jv_copy(string));
}

static bool is_list(jv key)
{
    return jv_get_kind(key) == JV_KIND_ARRAY && jv_array_length(jv_copy(key)) > 0;
}

/* Whether all keys are arrays that are not empty, whose first elements then tell the order. */
static bool are_lists(const AmlaJqEntry *entries, int count)
{
    for (int i = 0; i < count; i++)
        if (!is_list(entries[i].key))
            return false;
    return true;
}

static Key key_of(const AmlaJqEntry *entry, bool is_listed)
{
    jv first = is_listed ? jv_array_get(jv_copy(entry->key), 0) : jv_copy(entry->key);
    const jv_kind kind = jv_get_kind(first);
    Key key = { .rank = (uint64_t)kind << 56, .index = (uint32_t)entry->index };
    const bool is_all = !is_listed || jv_array_length(jv_copy(entry->key)) == 1;
    if (kind == JV_KIND_NUMBER) {
        const uint64_t order = order_of_number(jv_number_value(first));
        key.rank |= order >> 8;
        key.rest = order & 0xFF;
        key.is_number = is_all && order && !jv_number_has_literal(first);
    }
    if (kind == JV_KIND_STRING) {
        const char *text = jv_string_value(first);
        key.length = length_of(first);
        key.rank |= rank_of_text(text, key.length);
        if (is_all)
            key.text = text; /* the entry keeps it */
    }
    jv_free(first);
    return key;
}

/* --- order ------------------------------------------------------------------------------ */

/* Whether `later`, which was behind `early`, comes before it; their ranks are the same. */
static bool overtakes_closely(const Order *order, const Key *early, const Key *later)
{
    if (early->is_number && later->is_number)
        return early->rest > later->rest;
    if (!early->text || !later->text)
        return order->compare(&order->entries[early->index], &order->entries[later->index]) > 0;
    const uint32_t common = early->length < later->length ? early->length : later->length;
    const int difference =
        common > PREFIX ? memcmp(early->text + PREFIX, later->text + PREFIX, common - PREFIX) : 0;
    return difference ? difference > 0 : early->length > later->length;
}

static inline bool overtakes(const Order *order, const Key *early, const Key *later)
{
    return early->rank != later->rank ? early->rank > later->rank : overtakes_closely(order, early, later);
}

static void merge(const Order *order, const Key *from, size_t half, size_t count, Key *to)
{
    const Key *early = from, *later = from + half;
    const Key *const middle = later, *const end = from + count;
    while (early < middle && later < end)
        *to++ = overtakes(order, early, later) ? *later++ : *early++;
    memcpy(to, early, (size_t)(middle - early) * sizeof *to);
    memcpy(to + (middle - early), later, (size_t)(end - later) * sizeof *to);
}

/* Sort `count` keys, which are in both arrays, into `keys`. */
static void sort(const Order *order, Key *keys, Key *spare, size_t count)
{
    if (count < 2)
        return;
    const size_t half = count / 2;
    sort(order, spare, keys, half);
    sort(order, spare + half, keys + half, count - half);
    merge(order, spare, half, count, keys);
}

/* Put the entries into the order of `keys`, one circle of entries that change places after the other. */
static void arrange(AmlaJqEntry *entries, Key *keys, uint32_t count)
{
    for (uint32_t start = 0; start < count; start++) {
        const AmlaJqEntry first = entries[start];
        uint32_t at = start;
        while (keys[at].index != start) {
            const uint32_t from = keys[at].index;
            entries[at] = entries[from];
            keys[at].index = at;
            at = from;
        }
        entries[at] = first;
        keys[at].index = at;
    }
}

void amla_jq_sort(AmlaJqEntry *entries, int count, AmlaJqCompare *compare)
{
    const size_t length = (size_t)count;
    const Order order = { entries, compare };
    const bool is_listed = are_lists(entries, count);
    Key *keys = jv_mem_calloc(2 * length, sizeof *keys);
    for (size_t i = 0; i < length; i++)
        keys[i] = keys[length + i] = key_of(&entries[i], is_listed);
    sort(&order, keys, keys + length, length);
    arrange(entries, keys, (uint32_t)length);
    jv_mem_free(keys);
}
