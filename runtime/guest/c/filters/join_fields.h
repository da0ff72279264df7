/* Lines of join as fields. */
#ifndef AMLA_JOIN_FIELDS_H
#define AMLA_JOIN_FIELDS_H

#include "inputs.h"

enum { JOIN_BLANKS = -1, JOIN_WHOLE = -2 }; /* in place of a byte that separates: blanks do, or nothing does */

/* The fields of a line, one after the other. */
typedef struct {
    const uint8_t *at, *stop; /* `at` is NULL behind the last */
    int separator;
} JoinFields;

JoinFields join_fields(AmlaInputLine line, int separator);
bool join_next_field(JoinFields *fields, AmlaInputLine *field);

/* The field with this number, from 0; an empty one at the line's end if there are fewer. */
AmlaInputLine join_field(AmlaInputLine line, int separator, uint32_t number);

#endif
