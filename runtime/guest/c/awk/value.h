/* Values: what a variable, a field or an element holds.
 *
 * A value that comes from input is AWK_INPUT until somebody asks whether it looks like a number; then it is AWK_STRNUM
 * or AWK_TEXT for good.  Copying a value with awk_copy() takes a reference, awk_drop() gives it back.
 */
#ifndef AWK_VALUE_H
#define AWK_VALUE_H

#include <string.h>

#include "text.h"

typedef struct AwkVm AwkVm;
typedef struct AwkArray AwkArray;
typedef struct AwkList AwkList;
typedef struct AwkElement AwkElement;

typedef enum {
    AWK_UNSET,  /* never used, or an element that was made by looking at it: "" and 0, and may become an array */
    AWK_NUMBER,
    AWK_ABSENT, /* read but never assigned, so no array; else as AWK_UNSET */
    AWK_TEXT,   /* from here on there is a text */
    AWK_INPUT,
    AWK_STRNUM, /* text and number */
    AWK_REGEX,  /* @/…/: the pattern's text */
    AWK_ARRAY,  /* an array, counted */
    AWK_LIST,   /* keys that a loop or a sort goes through; owned, only on the stack */
    AWK_LINK,   /* a parameter whose argument was an unset variable or element (see place.h) */
} AwkKind;

typedef struct {
    AwkKind kind;
    union {
        AwkText *text;
        AwkArray *array;
        AwkList *list;
        AwkElement *element; /* of a link: NULL, or the element that it names */
    };
    double number;
} AwkValue;

static inline bool awk_has_text(const AwkValue *value)
{
    return value->kind >= AWK_TEXT && value->kind <= AWK_REGEX;
}

static inline AwkValue awk_number(double number)
{
    return (AwkValue){ .kind = AWK_NUMBER, .number = number };
}

/* Takes over the caller's reference. */
static inline AwkValue awk_text(AwkText *text)
{
    return (AwkValue){ .kind = AWK_TEXT, .text = text };
}

/* What a field that there is not holds: a text that typeof() calls unassigned, which its number tells of. */
static inline AwkValue awk_no_field(void)
{
    return (AwkValue){ .kind = AWK_TEXT, .text = awk_text_empty(), .number = 1 };
}

/* Takes the text over; it may be a number. */
static inline AwkValue awk_input(AwkText *text)
{
    return (AwkValue){ .kind = AWK_INPUT, .text = text };
}

void awk_drop_slowly(AwkVm *vm, AwkValue *value);

/* Give the value back; the place is then to be written. */
static inline void awk_drop(AwkVm *vm, AwkValue *value)
{
    if (value->kind >= AWK_TEXT)
        awk_drop_slowly(vm, value);
}

AwkValue awk_copy_slowly(const AwkValue *value);

/* Another reference to the same.  Not for lists. */
static inline AwkValue awk_copy(const AwkValue *value)
{
    return value->kind < AWK_TEXT ? *value : awk_copy_slowly(value);
}

/* Put `value`, which is taken over, in place of what is there. */
static inline void awk_replace(AwkVm *vm, AwkValue *place, AwkValue value)
{
    AwkValue old = *place;
    *place = value;
    awk_drop(vm, &old);
}

double awk_to_number_slowly(AwkValue *value);

/* The value as a number.  Makes up its mind about AWK_INPUT. */
static inline double awk_to_number(AwkValue *value)
{
    return value->kind == AWK_NUMBER ? value->number : awk_to_number_slowly(value);
}

/* The value as a text, a new reference; numbers by CONVFMT. */
AwkText *awk_to_text(AwkVm *vm, const AwkValue *value);

/* Likewise by the format that print uses, OFMT. */
AwkText *awk_to_output(AwkVm *vm, const AwkValue *value);

/* Settle whether an AWK_INPUT is a number. */
void awk_settle(AwkValue *value);

bool awk_is_true(AwkValue *value);

/* Below, equal, above as for the operators: numbers as numbers, else as texts.  2 when not comparable (NaN). */
int awk_compare(AwkVm *vm, AwkValue *a, AwkValue *b);

/* Likewise, as texts. */
int awk_compare_texts(AwkVm *vm, const AwkValue *a, const AwkValue *b);

/* What typeof() says. */
const char *awk_type_name(const AwkValue *value);

#endif
