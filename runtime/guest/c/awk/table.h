/* The chained hash tables that arrays are made of; array.h tells why their sizes and chains are what they are. */
#ifndef AWK_TABLE_H
#define AWK_TABLE_H

#include "array.h"

/* The hash of a text key. */
uint32_t awk_table_hash(const char *bytes, size_t length);

/* The chain that a hash belongs to; the table has buckets. */
AwkEntry **awk_table_bucket(const AwkArray *array, const AwkTable *table, uint32_t hash);

/* Prepare for one more entry; false without memory. */
bool awk_table_make_room(AwkVm *vm, AwkArray *array, AwkTable *table);

void awk_table_link(AwkArray *array, AwkTable *table, AwkEntry *entry);

#endif
