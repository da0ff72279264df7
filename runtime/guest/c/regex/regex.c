#include "regex.h"

/* Placeholder until the engine is written. */
AmlaRegex *amla_regex_create(const char *pattern, size_t length, unsigned flags, const char **error)
{
    (void)pattern, (void)length, (void)flags;
    *error = "Memory exhausted";
    return NULL;
}

void amla_regex_free(AmlaRegex *regex)
{
    (void)regex;
}

unsigned amla_regex_groups(const AmlaRegex *regex)
{
    (void)regex;
    return 0;
}

AmlaRegexResult amla_regex_search(AmlaRegex *regex, const char *text, size_t length, size_t from, AmlaSpan *spans,
                                  size_t count)
{
    (void)regex, (void)text, (void)length, (void)from, (void)spans, (void)count;
    return AMLA_REGEX_NONE;
}

AmlaRegexResult amla_regex_search_line(AmlaRegex *regex, const char *text, size_t length, size_t from, AmlaSpan *line)
{
    (void)regex, (void)text, (void)length, (void)from, (void)line;
    return AMLA_REGEX_NONE;
}
