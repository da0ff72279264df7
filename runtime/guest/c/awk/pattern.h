/* Regular expressions of a program: compiled when first used, in both cases of IGNORECASE. */
#ifndef AWK_PATTERN_H
#define AWK_PATTERN_H

#include "regex/regex.h"
#include "value.h"

typedef struct AwkPattern AwkPattern;

struct AwkPattern {
    AwkText *source;
    AmlaRegex *compiled[2]; /* the second ignores case */
    AwkPattern *next;       /* among all of an engine */
};

enum { AWK_PATTERN_CACHE = 128 };

/* A new pattern over a text, of which it takes a reference; NULL without memory. */
AwkPattern *awk_pattern_create(AwkVm *vm, AwkText *source);

/* The pattern that a value stands for: a regular expression of the program, or any text (kept in a cache: valid until
 * some more were asked for).  NULL without memory. */
AwkPattern *awk_pattern_of(AwkVm *vm, AwkValue *value);

AwkPattern *awk_pattern_of_text(AwkVm *vm, AwkText *text);

/* As amla_regex_search().  False also after a fatal error. */
bool awk_pattern_search(AwkVm *vm, AwkPattern *pattern, const char *text, size_t length, size_t from, AmlaSpan *spans,
                        size_t count);

/* Compiles it; what is wrong with it, NULL if nothing is. */
const char *awk_pattern_fault(AwkVm *vm, AwkPattern *pattern);

/* How many groups it has. */
unsigned awk_pattern_groups(AwkVm *vm, AwkPattern *pattern);

void awk_patterns_free(AwkVm *vm);

#endif
