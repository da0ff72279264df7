/* What can be assigned, as instructions find it in code and on the stack. */
#ifndef AWK_PLACE_H
#define AWK_PLACE_H

#include "ops.h"

typedef struct {
    AwkPlaceKind kind;
    uint32_t index;  /* number of the variable, or of the field */
    AwkArray *array; /* of an element; a reference */
    AwkValue key;
} AwkPlace;

/* Take a place off code and stack.  False after a fatal error. */
bool awk_place_take(AwkVm *vm, AwkPlace *place);

/* Where the value is, for places that nothing follows from; NULL for specials and fields. */
AwkValue *awk_place_value(AwkVm *vm, const AwkPlace *place);

/* Assign; the value is taken over.  False after a fatal error. */
bool awk_place_assign(AwkVm *vm, const AwkPlace *place, AwkValue value);

/* The value as a number.  False after a fatal error. */
bool awk_place_number(AwkVm *vm, const AwkPlace *place, double *number);

void awk_place_drop(AwkVm *vm, AwkPlace *place);

/* An element that a link names. */
struct AwkElement {
    uint32_t references;
    AwkArray *array;
    AwkValue key;
};

void awk_element_release(AwkVm *vm, AwkElement *element);

/* A link to an element; takes over array and key.  AWK_UNSET without memory. */
AwkValue awk_link_element(AwkVm *vm, AwkArray *array, AwkValue key);

/* The value that a link stands for. */
AwkValue *awk_linked(AwkVm *vm, const AwkValue *link);

/* Who reads or assigns a variable says that it is no array, nor what it is a link to. */
void awk_become_scalar(AwkVm *vm, AwkValue *value);

/* Name of a variable for messages. */
const char *awk_place_name(AwkVm *vm, AwkPlaceKind kind, uint32_t index);

#endif
