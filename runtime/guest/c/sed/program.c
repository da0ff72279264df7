#include "program.h"

#include <stdlib.h>

SedCommand *sed_program_add(SedProgram *program)
{
    if (program->count == program->capacity) {
        const size_t capacity = program->capacity ? 2 * program->capacity : 16;
        SedCommand *commands = realloc(program->commands, capacity * sizeof *commands);
        if (!commands)
            return NULL;
        program->commands = commands;
        program->capacity = capacity;
    }
    SedCommand *command = &program->commands[program->count++];
    *command = (SedCommand){ .number = -1, .output = SED_NO_OUTPUT };
    return command;
}

static void free_substitution(SedSubstitution *substitution)
{
    if (!substitution)
        return;
    amla_regex_free(substitution->regex.regex);
    amla_buffer_clear(&substitution->literals);
    free(substitution->parts);
    free(substitution);
}

static void free_translation(SedTranslation *translation)
{
    if (!translation)
        return;
    amla_buffer_clear(&translation->from);
    amla_buffer_clear(&translation->to);
    free(translation);
}

void sed_program_clear(SedProgram *program)
{
    for (size_t i = 0; i < program->count; i++) {
        SedCommand *command = &program->commands[i];
        amla_regex_free(command->from.regex.regex);
        amla_regex_free(command->to.regex.regex);
        amla_buffer_clear(&command->text);
        free_substitution(command->substitution);
        free_translation(command->translation);
    }
    free(program->commands);
    *program = (SedProgram){ 0 };
}
