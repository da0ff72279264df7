/* What join prints of a pair of lines, or of one alone. */
#ifndef AMLA_JOIN_PRINT_H
#define AMLA_JOIN_PRINT_H

#include "join_fields.h"

/* A field to print: of file 1 or 2, by number from 0; of file 0 the one that is joined by. */
typedef struct {
    uint32_t file, field;
} JoinColumn;

typedef struct {
    int separator; /* of fields that are read */
    uint32_t keys[2];
    uint8_t between, end;
    char *filler; /* owned: stands for fields that are empty or missing */
    size_t filler_length;
    JoinColumn *columns; /* owned; NULL: the usual ones */
    size_t column_count;
} JoinLayout;

/* `left` or `right` may be NULL. */
void join_print(const JoinLayout *layout, const AmlaInputLine *left, const AmlaInputLine *right, AmlaBuffer *out);

/* For `-o auto`: the field that is joined by, then as many others as the first lines have.  False without memory. */
bool join_columns_of(JoinLayout *layout, const AmlaInputLine *left, const AmlaInputLine *right);

void join_layout_clear(JoinLayout *layout);

#endif
