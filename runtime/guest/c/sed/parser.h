/* The parts of the parser.  Each returns false after a fault (sed_wrong). */
#ifndef SED_PARSER_H
#define SED_PARSER_H

#include "engine.h"

/* Reads [addr1][,addr2] and what negates them. */
bool sed_parse_addresses(AmlaSed *sed, SedCommand *command);

/* Text up to the delimiter, which is taken; `\n` and the escaped delimiter are resolved.  False, with no message, when
 * it is not terminated. */
bool sed_parse_delimited(AmlaSed *sed, int delimiter, bool regex, AmlaBuffer *text);

/* Compiles a pattern; `text` empty is the last regex. `flags`: IGNORE_CASE and MULTILINE. */
bool sed_parse_regex(AmlaSed *sed, AmlaBuffer *text, unsigned flags, SedRegex *regex);

bool sed_parse_substitution(AmlaSed *sed, SedCommand *command);
bool sed_parse_translation(AmlaSed *sed, SedCommand *command);

/* The text of a, i and c. */
bool sed_parse_text(AmlaSed *sed, SedCommand *command);

/* The rest of the line. */
bool sed_parse_file_name(AmlaSed *sed, AmlaBuffer *name);

/* What ends a command. */
bool sed_parse_end(AmlaSed *sed);

/* An escape behind its backslash that stands for a byte: \a \f \n \r \t \v \cX \dNNN \oNNN \xHH.  text[*at] is the
 * letter; *at moves behind it.  -1, and *at stays, for others. */
int sed_escape(const uint8_t *text, size_t length, size_t *at);

static inline uint64_t sed_parse_number(SedSource *source)
{
    uint64_t number = 0;
    for (int c; (c = sed_peek(source)) >= '0' && c <= '9'; source->at++)
        number = number > UINT64_MAX / 20 ? number : number * 10 + (uint64_t)(c - '0');
    return number;
}

#endif
