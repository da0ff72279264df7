/* A parsed script. */
#ifndef SED_PROGRAM_H
#define SED_PROGRAM_H

#include "filters/buffer.h"
#include "regex/regex.h"

typedef struct {
    AmlaRegex *regex; /* owned; NULL stands for the one used last */
} SedRegex;

typedef enum {
    SED_NOWHERE, /* no address */
    SED_AT_LINE, /* number */
    SED_AT_STEP, /* number~step */
    SED_AT_LAST, /* $ */
    SED_AT_REGEX,
    SED_AT_ZERO,     /* 0,/regex/ */
    SED_AT_HEAD,     /* 0r: in front of the first line */
    SED_LINES_LATER, /* ,+number */
    SED_AT_MULTIPLE, /* ,~number */
} SedAddressKind;

typedef struct {
    SedAddressKind kind;
    uint64_t number, step;
    SedRegex regex;
} SedAddress;

typedef enum { SED_OUTSIDE, SED_INSIDE, SED_PAST } SedRange;

/* A piece of a replacement: changes of case, then literal text, then a group. */
typedef struct {
    char mode; /* U, L, E (neither), or 0: as before */
    char once; /* u, l, or 0 */
    int group; /* -1 for none */
    size_t start, length; /* in the literals */
} SedPart;

typedef struct {
    SedRegex regex;
    AmlaBuffer literals;
    SedPart *parts;
    size_t part_count;
    int highest;     /* group that is referred to */
    uint64_t number; /* of the first match to replace, from 1 */
    bool all, print;
    bool plain;      /* there are no changes of case */
    size_t output;   /* to write to, or SED_NO_OUTPUT */
} SedSubstitution;

#define SED_NO_OUTPUT SIZE_MAX

/* y: what each byte becomes, or, where characters have several, pairs of them. */
typedef struct {
    uint8_t bytes[256];
    bool wide;
    AmlaBuffer from, to; /* uint32_t each, in pairs */
} SedTranslation;

typedef struct {
    char name;
    bool negated;
    SedAddress from, to;
    SedRange range;
    uint64_t range_end;
    AmlaBuffer text;   /* of a, i, c; a file's name; a label */
    int64_t number;    /* of q, Q, l; -1 for none */
    size_t target;     /* of b, t, T and of { that is passed over */
    size_t output;     /* of w, W */
    size_t position;   /* in the script */
    SedSubstitution *substitution; /* owned, of s */
    SedTranslation *translation;   /* owned, of y */
} SedCommand;

typedef struct {
    SedCommand *commands;
    size_t count, capacity;
} SedProgram;

/* Another command, zeroed; NULL without memory.  It holds until the next call. */
SedCommand *sed_program_add(SedProgram *program);

void sed_program_clear(SedProgram *program);

#endif
