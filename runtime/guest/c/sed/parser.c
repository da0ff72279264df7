#include "parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool sed_wrong(AmlaSed *sed, size_t at, const char *format, ...)
{
    sed_source_place(&sed->source, at, sed->fault, sizeof sed->fault);
    size_t length = strlen(sed->fault);
    length += (size_t)snprintf(sed->fault + length, sizeof sed->fault - length, ": ");
    if (length < sizeof sed->fault) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(sed->fault + length, sizeof sed->fault - length, format, arguments);
        va_end(arguments);
    }
    sed->status = 1;
    return false;
}

/* --- arguments of commands ------------------------------------------------------------------ */

/* Where { stands that are not closed yet. */
typedef struct {
    size_t *at;
    size_t count, room;
} Blocks;

static bool parse_nothing(AmlaSed *sed, SedCommand *command)
{
    (void)command;
    return sed_parse_end(sed);
}

static bool parse_code(AmlaSed *sed, SedCommand *command)
{
    const int c = sed_skip_blanks(&sed->source);
    if (c >= '0' && c <= '9')
        command->number = (int64_t)(sed_parse_number(&sed->source) & INT32_MAX);
    return sed_parse_end(sed);
}

static bool parse_label(AmlaSed *sed, SedCommand *command)
{
    SedSource *source = &sed->source;
    for (int c = sed_skip_blanks(source); c != SED_END && !strchr(" \t\n\v\f\r;}", c); c = sed_peek(source))
        amla_buffer_put(&command->text, (uint8_t)sed_next(source));
    sed->memory |= command->text.failed;
    if (command->name == ':' && command->text.length == 0)
        return sed_wrong(sed, source->at, "\":\" lacks a label");
    return !sed->memory;
}

static bool parse_read(AmlaSed *sed, SedCommand *command)
{
    if (sed->options.sandbox)
        return sed_wrong(sed, sed->source.at, "e/r/w commands disabled in sandbox mode");
    return sed_parse_file_name(sed, &command->text);
}

static bool parse_write(AmlaSed *sed, SedCommand *command)
{
    if (!parse_read(sed, command))
        return false;
    command->output = sed_output(sed, &command->text);
    return !sed->memory;
}

static bool parse_execute(AmlaSed *sed, SedCommand *command)
{
    (void)command;
    if (sed->options.sandbox)
        return sed_wrong(sed, sed->source.at, "e/r/w commands disabled in sandbox mode");
    return sed_wrong(sed, sed->source.at, "running commands (the command e) is not supported here");
}

/* v: any version up to that of GNU sed whose language this is. */
static bool parse_version(AmlaSed *sed, SedCommand *command)
{
    SedSource *source = &sed->source;
    unsigned version[2] = { 0 };
    (void)command;
    sed_skip_blanks(source);
    version[0] = (unsigned)sed_parse_number(source);
    if (sed_peek(source) == '.') {
        source->at++;
        version[1] = (unsigned)sed_parse_number(source);
    }
    while (sed_peek(source) == '.' || (sed_peek(source) >= '0' && sed_peek(source) <= '9'))
        source->at++;
    if (version[0] > 4 || (version[0] == 4 && version[1] > 9))
        return sed_wrong(sed, source->at, "expected newer version of sed");
    return sed_parse_end(sed);
}

static bool parse_comment(AmlaSed *sed, SedCommand *command)
{
    SedSource *source = &sed->source;
    (void)command;
    for (int c = sed_peek(source); c != SED_END && c != '\n'; c = sed_peek(source))
        source->at++;
    return true;
}

static bool parse_block(AmlaSed *sed, SedCommand *command)
{
    (void)sed, (void)command;
    return true;
}

typedef struct {
    char name;
    unsigned char addresses;
    bool (*parse)(AmlaSed *sed, SedCommand *command);
} Syntax;

static const Syntax syntaxes[] = {
    { '#', 0, parse_comment }, { ':', 0, parse_label },   { '=', 2, parse_nothing }, { 'D', 2, parse_nothing },
    { 'F', 2, parse_nothing }, { 'G', 2, parse_nothing }, { 'H', 2, parse_nothing }, { 'N', 2, parse_nothing },
    { 'P', 2, parse_nothing }, { 'Q', 1, parse_code },    { 'R', 2, parse_read },    { 'T', 2, parse_label },
    { 'W', 2, parse_write },   { 'a', 2, sed_parse_text }, { 'b', 2, parse_label },  { 'c', 2, sed_parse_text },
    { 'd', 2, parse_nothing }, { 'e', 2, parse_execute }, { 'g', 2, parse_nothing }, { 'h', 2, parse_nothing },
    { 'i', 2, sed_parse_text }, { 'l', 2, parse_code },   { 'n', 2, parse_nothing }, { 'p', 2, parse_nothing },
    { 'q', 1, parse_code },    { 'r', 2, parse_read },    { 's', 2, sed_parse_substitution }, { 't', 2, parse_label },
    { 'v', 2, parse_version }, { 'w', 2, parse_write },   { 'x', 2, parse_nothing }, { 'y', 2, sed_parse_translation },
    { 'z', 2, parse_nothing }, { '{', 2, parse_block },   { '}', 0, parse_nothing },
};

static const Syntax *find_syntax(int name)
{
    for (size_t i = 0; i < sizeof syntaxes / sizeof *syntaxes; i++)
        if (syntaxes[i].name == name)
            return &syntaxes[i];
    return NULL;
}

static bool check_addresses(AmlaSed *sed, const Syntax *syntax, const SedCommand *command)
{
    const size_t at = sed->source.at;
    const int count = command->to.kind != SED_NOWHERE ? 2 : command->from.kind != SED_NOWHERE;
    if (count <= syntax->addresses)
        return true;
    switch (syntax->name) {
    case '#': return sed_wrong(sed, at, "comments don't accept any addresses");
    case ':': return sed_wrong(sed, at, ": doesn't want any addresses");
    case '}': return sed_wrong(sed, at, "`}' doesn't want any addresses");
    default: return sed_wrong(sed, at, "command only uses one address");
    }
}

/* --- structure ------------------------------------------------------------------------------- */

static bool open_block(AmlaSed *sed, Blocks *blocks, size_t index)
{
    if (blocks->count == blocks->room) {
        size_t *at = realloc(blocks->at, (blocks->room * 2 + 8) * sizeof *at);
        if (!at) {
            sed->memory = true;
            return false;
        }
        blocks->at = at;
        blocks->room = blocks->room * 2 + 8;
    }
    blocks->at[blocks->count++] = index;
    return true;
}

static bool parse_command(AmlaSed *sed, Blocks *blocks)
{
    SedSource *source = &sed->source;
    SedCommand *command = sed_program_add(&sed->program);
    if (!command) {
        sed->memory = true;
        return false;
    }
    if (!sed_parse_addresses(sed, command))
        return false;
    const int name = sed_next(source);
    if (name == SED_END || name == '\n')
        return sed_wrong(sed, name == SED_END ? source->at : source->at - 1, "missing command");
    const Syntax *syntax = find_syntax(name);
    if (!syntax)
        return sed_wrong(sed, source->at, "unknown command: `%c'", name);
    if (name == '}' && blocks->count == 0)
        return sed_wrong(sed, source->at, "unexpected `}'");
    if (!check_addresses(sed, syntax, command))
        return false;
    command->name = (char)name;
    command->position = source->at;
    if (name == '{' && !open_block(sed, blocks, sed->program.count - 1))
        return false;
    if (name == '}')
        sed->program.commands[blocks->at[--blocks->count]].target = sed->program.count;
    return syntax->parse(sed, command);
}

static bool parse_all(AmlaSed *sed, Blocks *blocks)
{
    SedSource *source = &sed->source;
    for (int c; (c = sed_skip_space(source)) != SED_END;) {
        if (c == ';')
            source->at++;
        else if (!parse_command(sed, blocks))
            return false;
    }
    return blocks->count == 0 || sed_wrong(sed, 0, "unmatched `{'");
}

static bool same_text(const AmlaBuffer *left, const AmlaBuffer *right)
{
    return left->length == right->length && (left->length == 0 || !memcmp(left->data, right->data, left->length));
}

static bool find_label(AmlaSed *sed, SedCommand *jump)
{
    const SedProgram *program = &sed->program;
    jump->target = program->count;
    if (jump->text.length == 0)
        return true;
    for (size_t i = 0; i < program->count; i++)
        if (program->commands[i].name == ':' && same_text(&program->commands[i].text, &jump->text)) {
            jump->target = i;
            return true;
        }
    snprintf(sed->fault, sizeof sed->fault, "can't find label for jump to `%.*s'", (int)jump->text.length, (const char *)jump->text.data);
    sed->status = 4;
    return false;
}

bool sed_parse(AmlaSed *sed)
{
    const AmlaBuffer *text = &sed->source.text;
    Blocks blocks = { 0 };
    if (text->length >= 2 && !memcmp(text->data, "#n", 2) && (text->length == 2 || text->data[2] == '\n'))
        sed->options.quiet = true;
    bool fine = parse_all(sed, &blocks);
    free(blocks.at);
    for (size_t i = 0; fine && i < sed->program.count; i++)
        if (strchr("btT", sed->program.commands[i].name))
            fine = find_label(sed, &sed->program.commands[i]);
    return fine;
}
