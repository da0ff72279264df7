/* How jq sorts: in place of the C library's qsort.
 *
 * jq compares two keys by walking through both, and its keys are mostly one string
 * or one number in an array.  So each key gets a rank once, a number whose order is
 * that of the keys as far as eight bytes can tell; only keys of one rank are looked
 * at.  The order is that of jq's comparison, and stable.
 */
#ifndef AMLA_JQ_SORT_H
#define AMLA_JQ_SORT_H

#include <jv.h>

/* jq's struct sort_entry. */
typedef struct {
    jv object, key;
    int index; /* the entry's place before sorting */
} AmlaJqEntry;

/* jq's comparison of two entries: below, at or above 0. */
typedef int AmlaJqCompare(const void *one, const void *other);

void amla_jq_sort(AmlaJqEntry *entries, int count, AmlaJqCompare *compare);

#endif
