#include <stdio.h>
#include <stdlib.h>

#include "engine.h"

#define COMMAND(name) static SedOutcome name(AmlaSed *sed, const SedCommand *command)
#define IGNORED (void)sed, (void)command

bool sed_later(AmlaSed *sed, SedLater later)
{
    if (sed->later_count == sed->later_room) {
        const size_t room = sed->later_room * 2 + 8;
        SedLater *list = realloc(sed->later, room * sizeof *list);
        if (!list) {
            sed->memory = true;
            return false;
        }
        sed->later = list;
        sed->later_room = room;
    }
    sed->later[sed->later_count++] = later;
    return true;
}

static SedOutcome next(AmlaSed *sed)
{
    sed->pc++;
    return SED_GO;
}

static SedOutcome to_phase(AmlaSed *sed, SedPhase phase, SedThen then)
{
    sed->phase = phase;
    sed->then = then;
    return SED_GO;
}

static size_t first_line(const AmlaSed *sed)
{
    const AmlaBuffer *text = &sed->pattern.text;
    const uint8_t *end = text->length ? memchr(text->data, sed->end, text->length) : NULL;
    return end ? (size_t)(end - text->data) : text->length;
}

static void copy_space(AmlaSed *sed, SedSpace *to, const SedSpace *from)
{
    to->text.length = 0;
    amla_buffer_append(&to->text, from->text.data, from->text.length);
    to->ended = from->ended;
    sed->memory |= to->text.failed;
}

static void join_space(AmlaSed *sed, SedSpace *to, const SedSpace *from)
{
    amla_buffer_put(&to->text, (uint8_t)sed->end);
    amla_buffer_append(&to->text, from->text.data, from->text.length);
    to->ended = from->ended;
    sed->memory |= to->text.failed;
}

/* --- printing -------------------------------------------------------------------------------- */

COMMAND(do_print)
{
    (void)command;
    sed_put_line(sed, SED_MAIN(sed), sed->pattern.text.data, sed->pattern.text.length, sed->pattern.ended);
    return next(sed);
}

COMMAND(do_print_first)
{
    (void)command;
    const size_t length = first_line(sed);
    sed_put_line(sed, SED_MAIN(sed), sed->pattern.text.data, length, length < sed->pattern.text.length || sed->pattern.ended);
    return next(sed);
}

COMMAND(do_write)
{
    sed_put_line(sed, command->output, sed->pattern.text.data, sed->pattern.text.length, sed->pattern.ended);
    return next(sed);
}

COMMAND(do_write_first)
{
    const size_t length = first_line(sed);
    sed_put_line(sed, command->output, sed->pattern.text.data, length, length < sed->pattern.text.length || sed->pattern.ended);
    return next(sed);
}

COMMAND(do_line_number)
{
    char text[32];
    (void)command;
    const int length = snprintf(text, sizeof text, "%llu", (unsigned long long)sed->line);
    sed_put_line(sed, SED_MAIN(sed), text, (size_t)length, true);
    return next(sed);
}

COMMAND(do_file_name)
{
    (void)command;
    sed_put_line(sed, SED_MAIN(sed), sed->file ? sed->file : "-", sed->file ? strlen(sed->file) : 1, true);
    return next(sed);
}

COMMAND(do_list)
{
    sed_list(sed, command->number >= 0 ? (uint64_t)command->number : sed->options.width);
    return next(sed);
}

COMMAND(do_insert)
{
    sed_put_block(sed, SED_MAIN(sed), &command->text);
    return next(sed);
}

COMMAND(do_append)
{
    sed_later(sed, (SedLater){ .command = command->name, .of = command });
    return next(sed);
}

COMMAND(do_read)
{
    if (command->from.kind != SED_AT_HEAD)
        return do_append(sed, command);
    if (sed->again)
        return next(sed);
    sed_put_missing_end(sed, SED_MAIN(sed));
    return sed_want(sed, AMLA_SED_COPY, SED_MAIN(sed), command->text.data, command->text.length);
}

COMMAND(do_read_line)
{
    if (!sed->answered)
        return sed_want(sed, AMLA_SED_LINE, 0, command->text.data, command->text.length);
    sed->answered = false;
    if (sed->answer.length > 0) {
        const size_t start = sed->lines.length;
        amla_buffer_append(&sed->lines, sed->answer.data, sed->answer.length);
        sed->memory |= sed->lines.failed;
        sed_later(sed, (SedLater){ .command = 'R', .of = command, .start = start, .length = sed->answer.length });
    }
    return next(sed);
}

/* --- the flow --------------------------------------------------------------------------------- */

COMMAND(do_nothing)
{
    (void)command;
    return next(sed);
}

COMMAND(do_delete)
{
    (void)command;
    return to_phase(sed, SED_APPENDING, SED_THEN_CYCLE);
}

COMMAND(do_change)
{
    if (command->range != SED_INSIDE)
        do_insert(sed, command);
    return do_delete(sed, command);
}

COMMAND(do_delete_first)
{
    const size_t length = first_line(sed);
    if (length == sed->pattern.text.length)
        return do_delete(sed, command);
    amla_buffer_consume(&sed->pattern.text, length + 1);
    return to_phase(sed, SED_APPENDING, SED_THEN_AGAIN);
}

COMMAND(do_next)
{
    (void)command;
    const SedAnswer last = sed_at_last(sed);
    if (last == SED_UNKNOWN)
        return SED_WANT;
    if (last == SED_YES) {
        if (sed->options.posix)
            return to_phase(sed, SED_APPENDING, SED_THEN_CYCLE);
        return to_phase(sed, SED_ENDING, SED_THEN_CYCLE);
    }
    sed->pc++;
    return to_phase(sed, SED_ENDING, SED_THEN_LINE);
}

COMMAND(do_join_next)
{
    (void)command;
    const SedAnswer last = sed_at_last(sed);
    if (last == SED_UNKNOWN)
        return SED_WANT;
    if (last == SED_YES)
        return to_phase(sed, sed->options.posix ? SED_APPENDING : SED_ENDING, SED_THEN_CYCLE);
    sed->pc++;
    return to_phase(sed, SED_APPENDING, SED_THEN_JOIN);
}

COMMAND(do_quit)
{
    sed->status = command->number >= 0 ? (int)(command->number & 255) : 0;
    if (command->name == 'Q')
        return to_phase(sed, SED_STOPPING, SED_THEN_STOP);
    return to_phase(sed, SED_ENDING, SED_THEN_STOP);
}

COMMAND(do_jump)
{
    sed->pc = command->target;
    return SED_GO;
}

COMMAND(do_jump_if)
{
    const bool jumps = sed->replaced == (command->name == 't');
    sed->replaced = false;
    sed->pc = jumps ? command->target : sed->pc + 1;
    return SED_GO;
}

/* --- the spaces -------------------------------------------------------------------------------- */

COMMAND(do_hold)
{
    (void)command;
    copy_space(sed, &sed->hold, &sed->pattern);
    return next(sed);
}

COMMAND(do_hold_join)
{
    (void)command;
    join_space(sed, &sed->hold, &sed->pattern);
    return next(sed);
}

COMMAND(do_get)
{
    (void)command;
    copy_space(sed, &sed->pattern, &sed->hold);
    return next(sed);
}

COMMAND(do_get_join)
{
    (void)command;
    join_space(sed, &sed->pattern, &sed->hold);
    return next(sed);
}

COMMAND(do_exchange)
{
    (void)command;
    const SedSpace hold = sed->hold;
    sed->hold = sed->pattern;
    sed->pattern = hold;
    return next(sed);
}

COMMAND(do_clear)
{
    (void)command;
    sed->pattern.text.length = 0;
    return next(sed);
}

COMMAND(do_substitute)
{
    const SedOutcome outcome = sed_substitute(sed, command->substitution);
    return outcome == SED_GO ? next(sed) : outcome;
}

COMMAND(do_translate)
{
    sed_translate(sed, command->translation);
    return next(sed);
}

typedef SedOutcome Work(AmlaSed *sed, const SedCommand *command);

static Work *const works[128] = {
    ['#'] = do_nothing,   [':'] = do_nothing,      ['='] = do_line_number, ['D'] = do_delete_first, ['F'] = do_file_name,
    ['G'] = do_get_join,  ['H'] = do_hold_join,    ['N'] = do_join_next,   ['P'] = do_print_first,  ['Q'] = do_quit,
    ['R'] = do_read_line, ['T'] = do_jump_if,      ['W'] = do_write_first, ['a'] = do_append,       ['b'] = do_jump,
    ['c'] = do_change,    ['d'] = do_delete,       ['g'] = do_get,         ['h'] = do_hold,         ['i'] = do_insert,
    ['l'] = do_list,      ['n'] = do_next,         ['p'] = do_print,       ['q'] = do_quit,         ['r'] = do_read,
    ['s'] = do_substitute, ['t'] = do_jump_if,     ['v'] = do_nothing,     ['w'] = do_write,        ['x'] = do_exchange,
    ['y'] = do_translate, ['z'] = do_clear,        ['{'] = do_nothing,     ['}'] = do_nothing,
};

/* Whether the command applies; one that is done again, as its request was to be answered, was asked before. */
static SedAnswer applies(AmlaSed *sed, SedCommand *command)
{
    if (sed->again)
        return SED_YES;
    const SedAnswer selected = command->from.kind == SED_NOWHERE ? SED_YES : sed_selects(sed, command);
    return selected == SED_UNKNOWN ? selected : (selected == SED_YES) != command->negated;
}

SedOutcome sed_execute(AmlaSed *sed)
{
    SedCommand *command = &sed->program.commands[sed->pc];
    switch (applies(sed, command)) {
    case SED_YES: {
        const SedOutcome outcome = works[(unsigned char)command->name](sed, command);
        sed->again = outcome == SED_WANT;
        return outcome;
    }
    case SED_UNKNOWN: return sed->request.state == AMLA_SED_DONE ? SED_STOP : SED_WANT;
    default: sed->pc = command->name == '{' ? command->target : sed->pc + 1; return SED_GO;
    }
}
