#include <stdlib.h>

#include "parser.h"

/* --- the replacement ---------------------------------------------------------------------- */

static SedPart *add_part(SedSubstitution *substitution)
{
    SedPart *parts = realloc(substitution->parts, (substitution->part_count + 1) * sizeof *parts);
    if (!parts)
        return NULL;
    substitution->parts = parts;
    SedPart *part = &parts[substitution->part_count++];
    *part = (SedPart){ .group = -1, .start = substitution->literals.length };
    return part;
}

static SedPart *last_part(SedSubstitution *substitution)
{
    if (substitution->part_count == 0 || substitution->parts[substitution->part_count - 1].group >= 0)
        return add_part(substitution);
    return &substitution->parts[substitution->part_count - 1];
}

static bool put_literal(SedSubstitution *substitution, uint8_t byte)
{
    SedPart *part = last_part(substitution);
    if (!part)
        return false;
    part->length++;
    amla_buffer_put(&substitution->literals, byte);
    return true;
}

static bool put_group(SedSubstitution *substitution, int group)
{
    SedPart *part = last_part(substitution);
    if (!part)
        return false;
    part->group = group;
    if (group > substitution->highest)
        substitution->highest = group;
    return true;
}

static bool put_case(SedSubstitution *substitution, char letter)
{
    SedPart *part = last_part(substitution);
    if (part && part->length > 0)
        part = add_part(substitution);
    if (!part)
        return false;
    if (letter == 'u' || letter == 'l') {
        part->once = letter;
    } else {
        part->mode = letter;
        part->once = 0; /* \u\L: the second takes the first's place, as in GNU sed */
    }
    substitution->plain = false;
    return true;
}

static bool put_escaped(SedSubstitution *substitution, const AmlaBuffer *text, size_t *at)
{
    const uint8_t c = text->data[*at];
    if (c >= '0' && c <= '9') {
        ++*at;
        return put_group(substitution, c - '0');
    }
    if (memchr("ULEul", c, 5)) {
        ++*at;
        return put_case(substitution, (char)c);
    }
    const int byte = sed_escape(text->data, text->length, at);
    if (byte < 0)
        ++*at;
    return put_literal(substitution, byte < 0 ? c : (uint8_t)byte);
}

static bool parse_replacement(SedSubstitution *substitution, const AmlaBuffer *text)
{
    bool fine = !text->failed;
    for (size_t at = 0; fine && at < text->length;) {
        const uint8_t c = text->data[at++];
        if (c == '\\' && at < text->length)
            fine = put_escaped(substitution, text, &at);
        else
            fine = c == '&' ? put_group(substitution, 0) : put_literal(substitution, c);
    }
    return fine && !substitution->literals.failed;
}

/* --- flags --------------------------------------------------------------------------------- */

typedef struct {
    SedSubstitution *substitution;
    unsigned regex; /* flags of regex.h */
    bool numbered;
} Flags;

static bool parse_number_flag(AmlaSed *sed, Flags *flags)
{
    SedSource *source = &sed->source;
    if (flags->numbered)
        return sed_wrong(sed, source->at + 1, "multiple number options to `s' command");
    flags->numbered = true;
    flags->substitution->number = sed_parse_number(source);
    return flags->substitution->number > 0 || sed_wrong(sed, source->at, "number option to `s' command may not be zero");
}

static bool parse_once(AmlaSed *sed, bool *flag, char letter)
{
    if (*flag)
        return sed_wrong(sed, sed->source.at, "multiple `%c' options to `s' command", letter);
    return *flag = true;
}

static bool parse_output_flag(AmlaSed *sed, SedSubstitution *substitution)
{
    AmlaBuffer name = { 0 };
    if (sed->options.sandbox)
        return sed_wrong(sed, sed->source.at, "e/r/w commands disabled in sandbox mode");
    const bool fine = sed_parse_file_name(sed, &name);
    if (fine)
        substitution->output = sed_output(sed, &name);
    amla_buffer_clear(&name);
    return fine && !sed->memory;
}

/* *last says that the flags ended. */
static bool parse_flag(AmlaSed *sed, Flags *flags, bool *last)
{
    SedSource *source = &sed->source;
    const int c = sed_peek(source);
    if (c >= '0' && c <= '9')
        return parse_number_flag(sed, flags);
    if (c == '}' || c == '#') {
        *last = true;
        return true;
    }
    sed_next(source);
    switch (c) {
    case 'i':
    case 'I': flags->regex |= AMLA_REGEX_IGNORE_CASE; return true;
    case 'm':
    case 'M': flags->regex |= AMLA_REGEX_MULTILINE; return true;
    case 'g': return parse_once(sed, &flags->substitution->all, 'g');
    case 'p': return parse_once(sed, &flags->substitution->print, 'p');
    case 'e': return sed_wrong(sed, source->at, "running commands (the flag e) is not supported here");
    case 'w': *last = true; return parse_output_flag(sed, flags->substitution);
    case ' ':
    case '\r': return true;
    case SED_END:
    case '\n':
    case ';': *last = true; return true;
    default: return sed_wrong(sed, source->at, "unknown option to `s'");
    }
}

static bool parse_parts(AmlaSed *sed, SedSubstitution *substitution, AmlaBuffer *pattern, AmlaBuffer *replacement)
{
    SedSource *source = &sed->source;
    const int delimiter = sed_next(source);
    Flags flags = { .substitution = substitution };
    bool last = false;
    if (delimiter == SED_END || delimiter == '\n' || delimiter == '\\' || !sed_parse_delimited(sed, delimiter, true, pattern) ||
        !sed_parse_delimited(sed, delimiter, false, replacement))
        return sed_wrong(sed, source->at, "unterminated `s' command");
    while (!last)
        if (!parse_flag(sed, &flags, &last))
            return false;
    if (!parse_replacement(substitution, replacement)) {
        sed->memory = true;
        return false;
    }
    if (!sed_parse_regex(sed, pattern, flags.regex, &substitution->regex))
        return false;
    const AmlaRegex *regex = substitution->regex.regex;
    if (regex && substitution->highest > (int)amla_regex_groups(regex))
        return sed_wrong(sed, source->at, "invalid reference \\%d on `s' command's RHS", substitution->highest);
    return true;
}

bool sed_parse_substitution(AmlaSed *sed, SedCommand *command)
{
    AmlaBuffer pattern = { 0 }, replacement = { 0 };
    SedSubstitution *substitution = calloc(1, sizeof *substitution);
    if (!substitution) {
        sed->memory = true;
        return false;
    }
    *substitution = (SedSubstitution){ .number = 1, .plain = true, .output = SED_NO_OUTPUT };
    command->substitution = substitution;
    const bool fine = parse_parts(sed, substitution, &pattern, &replacement);
    amla_buffer_clear(&pattern);
    amla_buffer_clear(&replacement);
    return fine;
}
