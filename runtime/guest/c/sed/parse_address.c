#include "parser.h"

static bool parse_pattern(AmlaSed *sed, int delimiter, SedAddress *address)
{
    AmlaBuffer text = { 0 };
    SedSource *source = &sed->source;
    unsigned flags = 0;
    bool fine = delimiter != SED_END && delimiter != '\n' && delimiter != '\\' && sed_parse_delimited(sed, delimiter, true, &text);
    if (!fine)
        sed_wrong(sed, source->at, "unterminated address regex");
    address->kind = SED_AT_REGEX;
    for (int c; fine; source->at++) {
        c = sed_skip_blanks(source);
        if (c == 'I')
            flags |= AMLA_REGEX_IGNORE_CASE;
        else if (c == 'M')
            flags |= AMLA_REGEX_MULTILINE;
        else
            break;
    }
    fine = fine && sed_parse_regex(sed, &text, flags, &address->regex);
    amla_buffer_clear(&text);
    return fine;
}

static void parse_line(SedSource *source, SedAddress *address)
{
    *address = (SedAddress){ .kind = SED_AT_LINE, .number = sed_parse_number(source) };
    if (sed_skip_blanks(source) != '~')
        return;
    source->at++;
    sed_skip_blanks(source);
    address->step = sed_parse_number(source);
    if (address->step > 0)
        address->kind = SED_AT_STEP;
}

static bool parse_address(AmlaSed *sed, SedAddress *address)
{
    SedSource *source = &sed->source;
    const int c = sed_peek(source);
    if (c == '/' || c == '\\') {
        source->at++;
        return parse_pattern(sed, c == '/' ? c : sed_next(source), address);
    }
    if (c >= '0' && c <= '9') {
        parse_line(source, address);
    } else if (c == '$') {
        source->at++;
        address->kind = SED_AT_LAST;
    } else if (c == '+' || c == '~') {
        source->at++;
        sed_skip_blanks(source);
        address->kind = c == '+' ? SED_LINES_LATER : SED_AT_MULTIPLE;
        address->number = sed_parse_number(source);
        if (c == '~' && address->number == 0)
            address->kind = SED_LINES_LATER;
    }
    return true;
}

static bool parse_second(AmlaSed *sed, SedCommand *command)
{
    SedSource *source = &sed->source;
    source->at++;
    sed_skip_blanks(source);
    const size_t at = source->at;
    if (!parse_address(sed, &command->to))
        return false;
    if (command->to.kind == SED_NOWHERE)
        return sed_wrong(sed, at + 1 > source->text.length ? at : at + 1, "unexpected `,'");
    return true;
}

/* 0,/regex/ and 0r are the only uses of line 0, but for 0~step. */
static bool check_zero(AmlaSed *sed, SedCommand *command)
{
    if (command->from.kind != SED_AT_LINE || command->from.number > 0)
        return true;
    if (command->to.kind == SED_NOWHERE && sed_peek(&sed->source) == 'r' && !sed->options.posix) {
        command->from.kind = SED_AT_HEAD;
        return true;
    }
    if (command->to.kind != SED_AT_REGEX || sed->options.posix)
        return sed_wrong(sed, sed->source.at + (sed_peek(&sed->source) != SED_END), "invalid usage of line address 0");
    command->from.kind = SED_AT_ZERO;
    command->range = SED_INSIDE;
    return true;
}

bool sed_parse_addresses(AmlaSed *sed, SedCommand *command)
{
    SedSource *source = &sed->source;
    if (!parse_address(sed, &command->from))
        return false;
    if (command->from.kind == SED_LINES_LATER || command->from.kind == SED_AT_MULTIPLE)
        return sed_wrong(sed, source->at, "invalid usage of +N or ~N as first address");
    if (command->from.kind != SED_NOWHERE && sed_skip_blanks(source) == ',' && !parse_second(sed, command))
        return false;
    sed_skip_blanks(source);
    if (!check_zero(sed, command))
        return false;
    for (; sed_skip_blanks(source) == '!'; source->at++) {
        if (command->negated)
            return sed_wrong(sed, source->at + 1, "multiple `!'s");
        command->negated = true;
    }
    return true;
}
