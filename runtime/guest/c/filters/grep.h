/* The parts of grep: choosing lines (grep.c) and printing them (grep_print.c). */
#ifndef AMLA_GREP_H
#define AMLA_GREP_H

#include "filter.h"
#include "regex/regex.h"

/* What is printed of a file. */
typedef enum { GREP_LINES, GREP_MATCHES, GREP_NOTHING } GrepShow;

typedef struct {
    AmlaRegex *regex;
    bool bytewise; /* each byte is a character, and all but NUL are text */
    bool invert, line_numbers, byte_offsets, initial_tab, color, lenient;
    GrepShow show;
    uint8_t end;        /* '\n' or NUL */
    int64_t most;       /* lines selected at most; -1 for no limit */
    int64_t before, after;
    char *prefix;       /* owned: what each line begins with, separator not included; NULL for none */
    size_t prefix_length;
    bool null_after_name;
    bool grouped; /* context was asked for, be it of no lines */
    char *separator;    /* owned: between groups of context; NULL for none */
    size_t separator_length;
    /* of the present file */
    AmlaBuffer held;    /* lines kept for context, then a line that is not whole yet */
    size_t history;     /* bytes of `held` that were looked at already */
    uint64_t offset;    /* of held.data[0] (or of the chunk) in the file */
    uint64_t line;      /* lines before the point that was counted to */
    int64_t selected;
    int64_t trailing;   /* lines of context still to print */
    bool printed;       /* any group yet, in any file */
    bool adjacent;      /* some line was printed of which `floor` is the end */
    size_t floor;       /* where the next context may begin, in the next stretch */
    bool binary;        /* bytes that are no text were seen */
    bool done;
} Grep;

/* Print what stands between groups of context. */
void grep_print_separator(const Grep *grep, AmlaBuffer *out);

/* Print one line of text[start..end); `mark` is ':' for a selected one, '-' for context.  False when the regex gave up. */
AmlaRegexResult grep_print(Grep *grep, const char *text, size_t length, AmlaSpan line, uint64_t offset, char mark,
                           AmlaBuffer *out);

#endif
