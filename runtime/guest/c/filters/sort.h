/* The parts of sort: lines in memory (sort.c), files side by side (sort_merge.c), options of both, their order (sort_order.c), what keys say (sort_keys.c), numbers
 * (sort_numbers.c), versions (sort_versions.c), putting lines that have numbers in their order (sort_ranked.c). */
#ifndef AMLA_SORT_H
#define AMLA_SORT_H

#include "filter.h"

typedef struct {
    const uint8_t *data;
    size_t length;
} SortText;

typedef enum { SORT_BYTES, SORT_NUMERIC, SORT_GENERAL, SORT_HUMAN, SORT_MONTH, SORT_RANDOM, SORT_VERSION } SortKind;

enum { SORT_SKIP_START = 1, SORT_SKIP_END = 2, SORT_DICTIONARY = 4, SORT_PRINTABLE = 8, SORT_FOLD = 16, SORT_REVERSE = 32 };

/* As TypeScript writes it: fields and characters to skip; end_field -1 when the key goes on to the end of the line. */
typedef struct {
    int32_t start_field, start_char, end_field, end_char;
    int32_t flags, kind;
} SortKey;

typedef struct {
    SortKey *keys; /* owned; none: lines are compared as bytes */
    size_t key_count;
    int tab;       /* what separates fields, or -1 for blanks */
    bool reverse;  /* of the comparison of whole lines */
    bool last_resort; /* lines with equal keys are ordered by their bytes */
    uint8_t seed[16]; /* of random order */
} SortOrder;

/* A line.  `rank` is a number for what it is being ordered by: a smaller one is a smaller line. */
typedef struct {
    uint64_t rank;
    const uint8_t *data; /* followed by the byte that ends lines */
    uint32_t length;
} SortLine;

/* Reads the options keys (SortKey structures as bytes), tab (a byte), reverse, stable, unique, seed (16 bytes, for random
 * order). */
void sort_order_read(SortOrder *order, JSContext *ctx, JSValueConst options);

/* --- keys -------------------------------------------------------------------------------- */

/* Where the key lies. */
SortText sort_key_text(const SortOrder *order, const SortKey *key, SortText line);

/* Whether the key is compared as the bytes that it has. */
bool sort_key_is_plain(const SortKey *key);

int sort_compare_key(const SortOrder *order, const SortKey *key, SortText left, SortText right);

/* By all keys, without the last resort. */
int sort_compare_keys(const SortOrder *order, SortText left, SortText right);

/* The order of whole lines: keys, then bytes. */
int sort_compare(const SortOrder *order, SortText left, SortText right);

int sort_compare_bytes(SortText left, SortText right);

/* The rank of a line by a key; clears *exact where lines of equal rank can differ in the key. */
uint64_t sort_rank(const SortOrder *order, const SortKey *key, SortText line, bool *exact);

/* --- kinds of keys ----------------------------------------------------------------------- */

int sort_compare_numeric(SortText left, SortText right);
int sort_compare_general(SortText left, SortText right);
int sort_compare_human(SortText left, SortText right);
int sort_compare_versions(SortText left, SortText right);
uint64_t sort_rank_numeric(SortText text, bool *exact);
uint64_t sort_rank_general(SortText text, bool *exact);
uint64_t sort_rank_human(SortText text, bool *exact);

/* --- order ------------------------------------------------------------------------------- */

/* Sort the lines in place, those that are equal staying as they are.  `scratch` holds as many. */
AmlaFilterState sort_lines(const SortOrder *order, SortLine *lines, size_t count, SortLine *scratch);

#endif
