/* Keys and values on their way through a loop or a sort.
 *
 * Sorting may have to call a function of the program for each comparison, so it is a machine of its own that stops at each
 * and goes on when the answer is there: a merge sort from the bottom up.
 */
#ifndef AWK_LIST_H
#define AWK_LIST_H

#include "step.h"
#include "value.h"

typedef struct {
    AwkValue key, value; /* value: AWK_UNSET unless the order asks for it */
} AwkItem;

typedef struct AwkOrder AwkOrder;

struct AwkList {
    AwkItem *items, *spare;
    uint32_t count;
    uint32_t at;           /* of the loop */
    const AwkOrder *order; /* NULL: a function, or none */
    uint32_t function;     /* AWK_NO_FUNCTION: none */
    uint32_t width, start, left, right, out; /* of the merge that goes on */
    bool asked;                              /* a call for a comparison is on its way */
    AwkArray *target;                        /* where asort() puts the result; owned */
    bool by_key;                             /* asorti(): keys are the result */
};

/* The keys of an array in gawk's order, with their values; NULL without memory. */
AwkList *awk_list_create(AwkVm *vm, AwkArray *array);

void awk_list_destroy(AwkVm *vm, AwkList *list);

/* Set the order by its name: one of gawk's, or a function.  AWK_FAIL for any other. */
AwkStep awk_list_order(AwkVm *vm, AwkList *list, const AwkText *name);

/* Sort on until done (AWK_ON), or until a function has been called for a comparison (AWK_WAIT: the machine is to run it,
 * then this again). */
AwkStep awk_list_sort(AwkVm *vm, AwkList *list);

#endif
