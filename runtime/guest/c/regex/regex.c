#include "regex.h"

#include <stdlib.h>

#include "matcher.h"
#include "parser.h"

static bool parse(AmlaRegex *regex, const char *pattern, size_t length, const char **error)
{
    RxParser parser = { .arena = &regex->arena, .text = (const uint8_t *)pattern, .length = length,
                        .flags = regex->flags };
    regex->tree = rx_parse(&parser);
    regex->groups = parser.groups;
    regex->backtracks = parser.backrefs || regex->flags & AMLA_REGEX_PERL;
    *error = parser.error ? parser.error : regex->arena.failed || !regex->tree ? "Memory exhausted" : NULL;
    return !*error;
}

static void find_sides(AmlaRegex *regex)
{
    const bool ascii = regex->flags & (AMLA_REGEX_BYTES | AMLA_REGEX_PERL) || !regex->search.word_asserts;
    if (!ascii)
        rx_set_add_class(&regex->arena, &regex->words, RX_WORD, false);
    rx_sides_init(&regex->sides, ascii ? NULL : &regex->words, regex->line_end);
}

AmlaRegex *amla_regex_create(const char *pattern, size_t length, unsigned flags, const char **error)
{
    AmlaRegex *regex = calloc(1, sizeof *regex);
    *error = "Memory exhausted";
    if (!regex)
        return NULL;
    regex->flags = flags;
    regex->line_end = flags & AMLA_REGEX_NUL_LINES ? '\0' : '\n';
    if (parse(regex, pattern, length, error) && rx_compile_for(regex, &regex->search, RX_PROGRAM_SEARCH, error)) {
        regex->exact = !regex->search.approximate;
        find_sides(regex);
        rx_literal_init(&regex->literal, regex->tree, flags & AMLA_REGEX_BYTES);
        if (!regex->arena.failed)
            return regex;
        *error = "Memory exhausted";
    }
    amla_regex_free(regex);
    return NULL;
}

void amla_regex_free(AmlaRegex *regex)
{
    if (!regex)
        return;
    rx_machines_free(regex);
    rx_arena_free(&regex->arena);
    free(regex);
}

unsigned amla_regex_groups(const AmlaRegex *regex)
{
    return regex->groups;
}
