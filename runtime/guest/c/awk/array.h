/* Associative arrays.
 *
 * gawk's order of `for (key in array)` is not random, and scripts come to show it.  It follows from how gawk keeps
 * arrays, so they are kept alike: integers apart from texts as long as the first key was an integer, integers from 0 on in
 * ascending order unless they are too sparse, all others in the order of a chained hash table of certain sizes.
 */
#ifndef AWK_ARRAY_H
#define AWK_ARRAY_H

#include "value.h"

typedef struct AwkEntry AwkEntry;

struct AwkEntry {
    AwkEntry *next;
    AwkText *text; /* owned; NULL for an integer key */
    uint32_t hash; /* an integer key itself */
    AwkValue value;
};

typedef struct {
    AwkEntry **buckets;
    uint32_t size, count;
} AwkTable;

/* Ranges of integers that gawk would have set aside room for. */
typedef struct {
    uint32_t *bases; /* a hash table; 0 is vacant, all are one more than they say */
    uint32_t size, count;
    uint32_t room; /* integers in all ranges */
} AwkLeaves;

struct AwkArray {
    uint32_t references;
    enum { AWK_EMPTY, AWK_TEXTS, AWK_LOW_FIRST, AWK_DENSE } mode; /* set by the first key */
    enum { AWK_ODD_NONE, AWK_ODD_INTEGERS, AWK_ODD_TEXTS } odd; /* set by the first that is no dense integer */
    AwkTable texts, low, dense;
    AwkLeaves leaves; /* of dense */
    AwkArray *next; /* among those that are being freed */
};

/* A new array with one reference; NULL without memory. */
AwkArray *awk_array_create(AwkVm *vm);

static inline AwkArray *awk_array_share(AwkArray *array)
{
    array->references++;
    return array;
}

void awk_array_release(AwkVm *vm, AwkArray *array);

static inline uint32_t awk_array_count(const AwkArray *array)
{
    return array->texts.count + array->low.count + array->dense.count;
}

/* The place of an element, NULL if there is none.  Valid until the array changes. */
AwkValue *awk_array_find(AwkVm *vm, AwkArray *array, const AwkValue *key);

/* Likewise, made as AWK_UNSET if there is none.  Never NULL: without memory it is a place that nobody reads. */
AwkValue *awk_array_place(AwkVm *vm, AwkArray *array, const AwkValue *key);

/* Put a value, which is taken over, under an integer or a text of the program's own. */
void awk_array_put_index(AwkVm *vm, AwkArray *array, int32_t index, AwkValue value);
void awk_array_put(AwkVm *vm, AwkArray *array, const char *key, AwkValue value);

void awk_array_remove(AwkVm *vm, AwkArray *array, const AwkValue *key);

void awk_array_clear(AwkVm *vm, AwkArray *array);

/* Calls visit() for each entry in gawk's order.  The array must not change meanwhile. */
void awk_array_each(AwkVm *vm, AwkArray *array, void (*visit)(void *data, AwkEntry *entry), void *data);

#endif
