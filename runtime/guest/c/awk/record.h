/* The current record and its fields.
 *
 * Fields are found only as far as somebody asks, and become values only when looked at.  When a field or NF was assigned,
 * $0 is put together again when somebody wants it.
 */
#ifndef AWK_RECORD_H
#define AWK_RECORD_H

#include "filters/buffer.h"
#include "splitter.h"

typedef struct {
    AwkRun run;     /* within the record's text, as long as value is unset */
    AwkValue value; /* AWK_UNSET until looked at or assigned */
} AwkField;

typedef struct {
    AmlaBuffer text;
    AmlaBuffer spare;   /* for putting together */
    AwkValue whole;     /* $0; AWK_UNSET until looked at */
    bool stale;         /* fields were assigned: the text is not what they say */
    bool complete;      /* all fields were found */
    AwkField *fields;   /* number 1 first */
    uint32_t count;     /* fields found so far; all, if complete */
    uint32_t high;      /* fields from here on have no value */
    uint32_t room;
    AwkCursor cursor;
    AwkSplitter splitter; /* as FS was when the record was read */
} AwkRecord;

enum { AWK_FIELDS_MAX = 10000000 };

/* Make a text the current record. */
void awk_record_set(AwkVm *vm, const char *bytes, size_t length);

/* $0's bytes, valid until the record changes. */
const char *awk_record_text(AwkVm *vm, size_t *length);

/* A field as a value of the caller's; 0 is the record. */
AwkValue awk_record_field(AwkVm *vm, uint32_t index);

/* A field as a number, without making a value. */
double awk_record_number(AwkVm *vm, uint32_t index);

/* Assign a field; `value` is taken over. */
void awk_record_assign(AwkVm *vm, uint32_t index, AwkValue value);

uint32_t awk_record_count(AwkVm *vm);

void awk_record_resize(AwkVm *vm, uint32_t count);

/* Find all fields, as must be before FS or OFS change. */
void awk_record_settle(AwkVm *vm);

/* Forget the text that fields need: $0 is put together if it is stale. */
void awk_record_rebuild(AwkVm *vm);

#endif
