#include "engine.h"

AmlaRegex *sed_regex(AmlaSed *sed, const SedRegex *regex)
{
    if (regex->regex)
        sed->last_regex = regex->regex;
    if (!sed->last_regex)
        sed_fail(sed, 1, "-e expression #1, char 0: no previous regular expression");
    return sed->last_regex;
}

SedOutcome sed_regex_failed(AmlaSed *sed, AmlaRegexResult result)
{
    if (result == AMLA_REGEX_INTERRUPTED)
        return SED_STOP;
    return sed_fail(sed, 4, "line %llu: the regular expression needs too many steps on this text", (unsigned long long)sed->line);
}

static SedAnswer matches_regex(AmlaSed *sed, const SedAddress *address)
{
    AmlaRegex *regex = sed_regex(sed, &address->regex);
    if (!regex)
        return SED_UNKNOWN;
    const AmlaBuffer *text = &sed->pattern.text;
    const AmlaRegexResult result = amla_regex_search(regex, text->data ? (const char *)text->data : "", text->length, 0, NULL, 0);
    if (result >= 0)
        return result == AMLA_REGEX_MATCH ? SED_YES : SED_NO;
    sed_regex_failed(sed, result);
    return SED_UNKNOWN;
}

static SedAnswer matches(AmlaSed *sed, const SedAddress *address)
{
    const uint64_t line = sed->line;
    switch (address->kind) {
    case SED_AT_LINE: return line == address->number;
    case SED_AT_HEAD: return line == 1;
    case SED_AT_STEP: return line >= address->number && (line - address->number) % address->step == 0;
    case SED_AT_LAST: return sed_at_last(sed);
    case SED_AT_REGEX: return matches_regex(sed, address);
    case SED_NOWHERE: return SED_YES;
    default: return SED_NO;
    }
}

/* The line with which a range that begins here ends; *numbered is false when that isn't known by number. */
static uint64_t end_of_range(const AmlaSed *sed, const SedAddress *to, bool *numbered)
{
    *numbered = true;
    switch (to->kind) {
    case SED_AT_LINE: return to->number;
    case SED_LINES_LATER: return sed->line + to->number;
    case SED_AT_MULTIPLE: return (sed->line / to->number + 1) * to->number; /* behind this line, also when it is a multiple */
    default: *numbered = false; return 0;
    }
}

/* A range that begins with a line's number begins once, also behind that line if commands skipped it. */
static SedAnswer begins(AmlaSed *sed, const SedCommand *command)
{
    if (command->from.kind != SED_AT_LINE)
        return matches(sed, &command->from);
    return command->range != SED_PAST && sed->line >= command->from.number;
}

static SedAnswer begin_range(AmlaSed *sed, SedCommand *command)
{
    const SedAnswer first = begins(sed, command);
    if (first != SED_YES)
        return first;
    bool numbered;
    command->range_end = end_of_range(sed, &command->to, &numbered);
    command->range = !numbered || command->range_end > sed->line ? SED_INSIDE : SED_PAST;
    const bool skipped = command->from.kind == SED_AT_LINE && command->from.number < sed->line;
    return !(skipped && numbered && command->range_end < sed->line);
}

static SedAnswer continue_range(AmlaSed *sed, SedCommand *command)
{
    bool numbered;
    end_of_range(sed, &command->to, &numbered);
    if (numbered) {
        if (sed->line >= command->range_end)
            command->range = SED_PAST;
        return sed->line <= command->range_end || command->to.kind != SED_AT_LINE;
    }
    const SedAnswer last = matches(sed, &command->to);
    if (last == SED_UNKNOWN)
        return last;
    if (last == SED_YES)
        command->range = SED_PAST;
    return SED_YES;
}

SedAnswer sed_selects(AmlaSed *sed, SedCommand *command)
{
    if (command->to.kind == SED_NOWHERE)
        return matches(sed, &command->from);
    return command->range == SED_INSIDE ? continue_range(sed, command) : begin_range(sed, command);
}

void sed_reset_ranges(AmlaSed *sed)
{
    for (size_t i = 0; i < sed->program.count; i++) {
        SedCommand *command = &sed->program.commands[i];
        command->range = command->from.kind == SED_AT_ZERO ? SED_INSIDE : SED_OUTSIDE;
    }
}
