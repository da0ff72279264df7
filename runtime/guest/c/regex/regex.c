#include "regex.h"

#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "parser.h"

typedef enum { ANY, LONGEST, BACKWARD, MACHINES } Machine;

struct AmlaRegex {
    unsigned flags, groups;
    RxArena arena;
    RxNode *tree;
    RxSet words;
    RxSides sides;
    RxProgram search, captures; /* captures: made when groups are first asked for */
    RxDfa dfas[MACHINES];       /* each made when it is first needed */
    bool made[MACHINES];
    RxGroups *finder;
};

static bool compile(AmlaRegex *regex, RxProgram *program, RxPurpose purpose, const char **error)
{
    const RxCompileOptions options = {
        .purpose = purpose,
        .bytes = regex->flags & AMLA_REGEX_BYTES,
        .line_end = rx_line_end(regex->flags),
    };
    return rx_compile(program, regex->tree, options, error);
}

static bool parse(AmlaRegex *regex, const char *pattern, size_t length, const char **error)
{
    RxParser parser = { .arena = &regex->arena, .text = (const uint8_t *)pattern, .length = length,
                        .flags = regex->flags };
    regex->tree = rx_parse(&parser);
    regex->groups = parser.groups;
    *error = parser.error ? parser.error : regex->arena.failed || !regex->tree ? "Memory exhausted" : NULL;
    return !*error;
}

static void find_sides(AmlaRegex *regex)
{
    const bool ascii = regex->flags & (AMLA_REGEX_BYTES | AMLA_REGEX_PERL);
    if (!ascii && regex->search.word_asserts)
        rx_set_add_class(&regex->arena, &regex->words, RX_WORD, false);
    rx_sides_init(&regex->sides, !ascii && regex->search.word_asserts ? &regex->words : NULL,
                  regex->flags & AMLA_REGEX_NUL_LINES ? '\0' : '\n');
}

AmlaRegex *amla_regex_create(const char *pattern, size_t length, unsigned flags, const char **error)
{
    AmlaRegex *regex = calloc(1, sizeof *regex);
    *error = "Memory exhausted";
    if (!regex)
        return NULL;
    regex->flags = flags;
    if (parse(regex, pattern, length, error) && compile(regex, &regex->search, RX_PROGRAM_SEARCH, error)) {
        find_sides(regex);
        return regex;
    }
    amla_regex_free(regex);
    return NULL;
}

void amla_regex_free(AmlaRegex *regex)
{
    if (!regex)
        return;
    if (regex->finder)
        rx_groups_free(regex->finder);
    free(regex->finder);
    for (unsigned machine = 0; machine < MACHINES; machine++)
        if (regex->made[machine])
            rx_dfa_free(&regex->dfas[machine]);
    rx_program_free(&regex->search);
    rx_program_free(&regex->captures);
    rx_arena_free(&regex->arena);
    free(regex);
}

unsigned amla_regex_groups(const AmlaRegex *regex)
{
    return regex->groups;
}

/* NULL when memory is short. */
static RxDfa *machine(AmlaRegex *regex, Machine which)
{
    RxDfa *dfa = &regex->dfas[which];
    if (regex->made[which])
        return dfa;
    if (!rx_dfa_init(dfa, &regex->search, &regex->sides, (RxDfaKind)which)) {
        rx_dfa_free(dfa);
        return NULL;
    }
    regex->made[which] = true;
    return dfa;
}

static RxGroups *finder(AmlaRegex *regex)
{
    const char *error;
    if (regex->finder)
        return regex->finder;
    rx_program_free(&regex->captures);
    RxGroups *groups = calloc(1, sizeof *groups);
    if (!groups || !compile(regex, &regex->captures, RX_PROGRAM_CAPTURES, &error) ||
        !rx_groups_init(groups, &regex->captures, &regex->sides)) {
        if (groups)
            rx_groups_free(groups);
        free(groups);
        return NULL;
    }
    return regex->finder = groups;
}

static AmlaRegexResult find_span(AmlaRegex *regex, RxText text, size_t from, AmlaSpan *span)
{
    RxDfa *longest = machine(regex, LONGEST), *backward = machine(regex, BACKWARD);
    if (!longest || !backward)
        return AMLA_REGEX_TOO_COMPLEX;
    const AmlaRegexResult result = rx_dfa_forward(longest, text, from, &span->end);
    return result == AMLA_REGEX_MATCH ? rx_dfa_backward(backward, text, from, span->end, &span->start) : result;
}

static AmlaRegexResult find_groups(AmlaRegex *regex, RxText text, AmlaSpan *spans, size_t count)
{
    RxGroups *groups = finder(regex);
    if (!groups)
        return AMLA_REGEX_TOO_COMPLEX;
    const AmlaRegexResult result = rx_groups_find(groups, text, spans[0].start, spans[0].end);
    for (size_t i = 1; i < count; i++)
        spans[i] = i < groups->span_count ? groups->spans[i] : (AmlaSpan){ AMLA_REGEX_UNSET, AMLA_REGEX_UNSET };
    return result;
}

AmlaRegexResult amla_regex_search(AmlaRegex *regex, const char *bytes, size_t length, size_t from, AmlaSpan *spans,
                                  size_t count)
{
    const RxText text = { (const uint8_t *)bytes, length };
    size_t end;
    if (from > length)
        return AMLA_REGEX_NONE;
    if (count == 0)
        return machine(regex, ANY) ? rx_dfa_forward(machine(regex, ANY), text, from, &end) : AMLA_REGEX_TOO_COMPLEX;
    const AmlaRegexResult result = find_span(regex, text, from, &spans[0]);
    for (size_t i = 1; i < count; i++)
        spans[i] = (AmlaSpan){ AMLA_REGEX_UNSET, AMLA_REGEX_UNSET };
    return result == AMLA_REGEX_MATCH && count > 1 && regex->groups ? find_groups(regex, text, spans, count) : result;
}

AmlaRegexResult amla_regex_search_line(AmlaRegex *regex, const char *bytes, size_t length, size_t from, AmlaSpan *line)
{
    const RxText text = { (const uint8_t *)bytes, length };
    const uint8_t line_end = regex->flags & AMLA_REGEX_NUL_LINES ? '\0' : '\n';
    RxDfa *dfa = machine(regex, ANY);
    size_t at;
    if (!dfa)
        return AMLA_REGEX_TOO_COMPLEX;
    if (from >= length)
        return AMLA_REGEX_NONE;
    const AmlaRegexResult result = rx_dfa_forward(dfa, text, from, &at);
    if (result != AMLA_REGEX_MATCH)
        return result;
    if (at == length && text.bytes[at - 1] == line_end)
        return AMLA_REGEX_NONE; /* what follows the last line end is no line */
    const uint8_t *end = memchr(bytes + at, line_end, length - at);
    line->start = at;
    while (line->start > from && text.bytes[line->start - 1] != line_end)
        line->start--;
    line->end = end ? (size_t)(end - text.bytes) : length;
    return AMLA_REGEX_MATCH;
}
