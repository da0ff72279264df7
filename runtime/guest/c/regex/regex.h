/* Regular expressions as POSIX and GNU tools have them, in linear time.
 *
 * One engine stands behind grep, sed, awk, expr, find -regex and [[ =~ ]].  The
 * match is the leftmost, and of those the longest.  Its span is found by a lazy
 * DFA over bytes; groups, when asked for, by a second pass over that span alone.
 * Only back-references and Perl syntax backtrack, within a limit on steps.
 *
 * Text is UTF-8 unless AMLA_REGEX_BYTES is set.  A byte that is no part of valid
 * UTF-8 matches no character: not `.`, no bracket expression (as in GNU tools).
 *
 * The work polls amla_interrupted(), and gives up with AMLA_REGEX_INTERRUPTED.
 */
#ifndef AMLA_REGEX_H
#define AMLA_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct AmlaRegex AmlaRegex;

enum {
    AMLA_REGEX_EXTENDED = 1 << 0, /* ERE instead of BRE, both with the GNU operators: \w \W \s \S \b \B \< \> \` \'; in BRE \| \+ \? */
    AMLA_REGEX_PERL = 1 << 1,     /* what grep -P has, as far as a backtracking matcher of moderate size goes */
    AMLA_REGEX_LITERAL = 1 << 2,  /* no operators at all: fixed strings, one a line (grep -F) */
    AMLA_REGEX_AWK = 1 << 3,      /* ERE with awk's escapes: \n \t \/ \" \ddd; brackets honour backslashes */
    AMLA_REGEX_IGNORE_CASE = 1 << 4,
    AMLA_REGEX_BYTES = 1 << 5,    /* every byte is a character */
    AMLA_REGEX_LINES = 1 << 6,    /* the text has lines: ^ and $ match at them, `.` and [^…] match no newline, no match crosses one */
    AMLA_REGEX_MULTILINE = 1 << 7, /* sed's M: ^ and $ match at newlines too, `.` and [^…] match none */
    AMLA_REGEX_WHOLE_WORD = 1 << 8, /* grep -w */
    AMLA_REGEX_WHOLE_LINE = 1 << 9, /* grep -x */
    AMLA_REGEX_NEWLINE_LIST = 1 << 10, /* newlines in the pattern separate alternatives (grep) */
    AMLA_REGEX_NUL_LINES = 1 << 11, /* lines end in NUL instead (grep -z, sed -z); with LINES or MULTILINE */
    AMLA_REGEX_LONE_PAREN = 1 << 12, /* ERE: a ) without its ( is ordinary, as for regcomp() (bash's =~) */
};

/* Where a group lies in the text, in bytes; start is AMLA_REGEX_UNSET for a group that took no part. */
#define AMLA_REGEX_UNSET SIZE_MAX
typedef struct {
    size_t start, end;
} AmlaSpan;

typedef enum {
    AMLA_REGEX_NONE = 0,
    AMLA_REGEX_MATCH = 1,
    AMLA_REGEX_INTERRUPTED = -1,
    AMLA_REGEX_TOO_COMPLEX = -2, /* the limit on backtracking or on memory was met */
} AmlaRegexResult;

/* Compile `pattern`.  NULL when it is wrong or too large: then `*error` is a static text in the GNU tools' words
 * ("Unmatched ( or \\("), or "Memory exhausted".  Free with amla_regex_free(). */
AmlaRegex *amla_regex_create(const char *pattern, size_t length, unsigned flags, const char **error);

void amla_regex_free(AmlaRegex *regex);

/* How many groups the pattern has, the whole match not counted. */
unsigned amla_regex_groups(const AmlaRegex *regex);

/* Find the first match that starts at or after `from` in text[0..length); what lies before `from` is context for
 * anchors and word boundaries.  Fills spans[0..count): the whole match, then the groups; the fewer are asked for, the
 * faster (count 0: only whether; 1: only the span). */
AmlaRegexResult amla_regex_search(AmlaRegex *regex, const char *text, size_t length, size_t from, AmlaSpan *spans,
                                  size_t count);

/* For a text of lines (AMLA_REGEX_LINES): find the first line at or after `from`, the start of a line, that has a
 * match; *line is then that line without its end. */
AmlaRegexResult amla_regex_search_line(AmlaRegex *regex, const char *text, size_t length, size_t from, AmlaSpan *line);

#endif
