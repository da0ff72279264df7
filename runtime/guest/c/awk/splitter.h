/* Ways to cut a text into fields: FS in its forms, FIELDWIDTHS, FPAT, and the separators of split(). */
#ifndef AWK_SPLITTER_H
#define AWK_SPLITTER_H

#include "pattern.h"

typedef struct AwkSplitter AwkSplitter;

/* A run of bytes within a text. */
typedef struct {
    size_t start, end;
} AwkRun;

/* Where splitting has got to. */
typedef struct {
    size_t at;
    uint32_t index; /* fields found so far */
    bool done;
} AwkCursor;

/* Finds the next field from the cursor on, and the separator behind it.  False when there is none. */
typedef bool AwkNextField(AwkVm *vm, const AwkSplitter *splitter, const char *bytes, size_t length, AwkCursor *cursor,
                          AwkRun *field, AwkRun *separator);

struct AwkSplitter {
    AwkNextField *next;
    char byte;           /* the separator, if it is one byte */
    bool lines;          /* a newline separates fields as well as the byte (RS = "") */
    AwkPattern *pattern; /* regular expressions: of the separator, or of a field */
    AwkText *widths;     /* FIELDWIDTHS */
};

/* The splitter for a separator: a text as FS takes it, or a regular expression. */
AwkSplitter awk_splitter(AwkVm *vm, AwkValue *separator, bool lines);

AwkSplitter awk_splitter_by_content(AwkVm *vm, AwkValue *pattern);

/* `widths` stays with the caller. */
AwkSplitter awk_splitter_by_width(AwkText *widths);

#endif
