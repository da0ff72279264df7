#include "engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cells.h"

AmlaSed *amla_sed_create(const AmlaSedOptions *options)
{
    AmlaSed *sed = calloc(1, sizeof *sed);
    SedOutput *outputs = calloc(2, sizeof *outputs);
    if (!sed || !outputs) {
        free(sed);
        free(outputs);
        return NULL;
    }
    sed->options = *options;
    sed->options.separate |= options->in_place;
    sed->end = options->nul ? '\0' : '\n';
    sed->hold.ended = true;
    sed->outputs = outputs;
    outputs[1].into = 1;
    sed->output_count = sed->created = 2;
    return sed;
}

void amla_sed_free(AmlaSed *sed)
{
    if (!sed)
        return;
    sed_source_clear(&sed->source);
    sed_program_clear(&sed->program);
    for (size_t i = 0; i < sed->output_count; i++) {
        amla_buffer_clear(&sed->outputs[i].name);
        amla_buffer_clear(&sed->outputs[i].pending);
    }
    free(sed->outputs);
    amla_buffer_clear(&sed->pattern.text);
    amla_buffer_clear(&sed->hold.text);
    amla_buffer_clear(&sed->work);
    amla_buffer_clear(&sed->held);
    amla_buffer_clear(&sed->lines);
    amla_buffer_clear(&sed->answer);
    free(sed->later);
    free(sed->file);
    free(sed);
}

void amla_sed_source(AmlaSed *sed, const char *name, const char *text, size_t length)
{
    sed->memory |= !sed_source_add(&sed->source, name, text, length);
}

const AmlaSedRequest *amla_sed_request(const AmlaSed *sed)
{
    return &sed->request;
}

int amla_sed_status(const AmlaSed *sed)
{
    return sed->status;
}

const char *amla_sed_fault(const AmlaSed *sed)
{
    return sed->fault;
}

SedOutcome sed_fail(AmlaSed *sed, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sed->fault, sizeof sed->fault, format, arguments);
    va_end(arguments);
    sed->status = status;
    return SED_STOP;
}

SedOutcome sed_want(AmlaSed *sed, AmlaSedState state, size_t stream, const void *text, size_t length)
{
    sed->request = (AmlaSedRequest){ .state = state, .stream = (unsigned)stream, .text = text, .length = length };
    return SED_WANT;
}

/* --- phases ---------------------------------------------------------------------------------- */

static SedOutcome create_outputs(AmlaSed *sed)
{
    if (sed->created == sed->output_count) {
        sed->phase = SED_READING;
        return SED_GO;
    }
    const AmlaBuffer *name = &sed->outputs[sed->created].name;
    if (sed->outputs[sed->created].into == 0) {
        sed->created++;
        return SED_GO;
    }
    return sed_want(sed, AMLA_SED_CREATE, sed->created, name->data, name->length);
}

/* Reads the line that the next commands work on. */
static SedOutcome read_line(AmlaSed *sed)
{
    bool found = false;
    const SedOutcome outcome = sed_read_line(sed, sed->then == SED_THEN_JOIN, &found);
    if (outcome != SED_GO)
        return outcome;
    if (sed->then == SED_THEN_CYCLE)
        sed->pc = 0;
    sed->replaced = false;
    sed->phase = found ? SED_RUNNING : SED_STOPPING;
    return SED_GO;
}

static SedOutcome end_cycle(AmlaSed *sed)
{
    const SedSpace *pattern = &sed->pattern;
    if (!sed->options.quiet)
        sed_put_line(sed, SED_MAIN(sed), pattern->text.data, pattern->text.length, pattern->ended);
    sed->phase = SED_APPENDING;
    return SED_GO;
}

static SedOutcome append(AmlaSed *sed)
{
    const size_t output = SED_MAIN(sed);
    for (; sed->later_at < sed->later_count; sed->later_at++) {
        const SedLater *later = &sed->later[sed->later_at];
        const AmlaBuffer *text = &later->of->text;
        sed_put_missing_end(sed, output);
        if (later->command == 'r')
            return sed_want(sed, AMLA_SED_COPY, output, text->data, text->length);
        if (later->command == 'R')
            sed_put(sed, output, sed->lines.data + later->start, later->length);
        else
            sed_put(sed, output, text->data, text->length);
    }
    sed->later_at = sed->later_count = 0;
    sed->lines.length = 0;
    switch (sed->then) {
    case SED_THEN_STOP:
        sed_put_missing_end(sed, output);
        sed->phase = SED_STOPPING;
        break;
    case SED_THEN_AGAIN:
        sed->pc = 0;
        sed->phase = SED_RUNNING;
        break;
    default: sed->phase = SED_READING; break;
    }
    if (sed->options.unbuffered)
        sed->full = true;
    return SED_GO;
}

/* Commands between two looks at the flags, and between two pauses: powers of two. */
enum { LOOK = 4096, PAUSE = 16384 };

static SedOutcome run_commands(AmlaSed *sed)
{
    while (sed->phase == SED_RUNNING && !sed->full) {
        if (sed->pc >= sed->program.count) {
            sed->phase = SED_ENDING;
            sed->then = SED_THEN_CYCLE;
            break;
        }
        if ((++sed->steps & (LOOK - 1)) == 0) {
            if (amla_interrupted())
                return SED_STOP;
            if ((sed->steps & (PAUSE - 1)) == 0)
                return sed_want(sed, AMLA_SED_PAUSED, 0, NULL, 0);
        }
        const SedOutcome outcome = sed_execute(sed);
        if (outcome != SED_GO)
            return outcome;
    }
    return SED_GO;
}

static SedOutcome step(AmlaSed *sed)
{
    switch (sed->phase) {
    case SED_STARTING: return create_outputs(sed);
    case SED_READING: return read_line(sed);
    case SED_RUNNING: return run_commands(sed);
    case SED_ENDING: return end_cycle(sed);
    case SED_APPENDING: return append(sed);
    default: return sed_want(sed, AMLA_SED_DONE, 0, NULL, 0);
    }
}

/* --- polling --------------------------------------------------------------------------------- */

/* Takes note that the last request was fulfilled. */
static void settle(AmlaSed *sed)
{
    switch (sed->request.state) {
    case AMLA_SED_CREATE: sed->created++; break;
    case AMLA_SED_COPY: sed->later_at += sed->phase == SED_APPENDING; break;
    case AMLA_SED_WRITE: sed->outputs[sed->request.stream].pending.length = 0; break;
    default: break;
    }
    sed->request.state = AMLA_SED_DONE;
}

static AmlaSedState start(AmlaSed *sed)
{
    if (sed->memory)
        return AMLA_SED_MEMORY;
    if (sed_parse(sed))
        return AMLA_SED_DONE;
    return sed->memory ? AMLA_SED_MEMORY : AMLA_SED_FAILED;
}

AmlaSedState amla_sed_run(AmlaSed *sed)
{
    if (!sed->parsed) {
        sed->parsed = true;
        const AmlaSedState state = start(sed);
        if (state != AMLA_SED_DONE)
            return state;
    }
    settle(sed);
    for (;;) {
        if (sed->full && sed_flush(sed))
            return AMLA_SED_WRITE;
        sed->full = false;
        const SedOutcome outcome = step(sed);
        if (sed->memory)
            return AMLA_SED_MEMORY;
        if (outcome == SED_STOP)
            return !*sed->fault ? AMLA_SED_INTERRUPTED : sed_flush(sed) ? AMLA_SED_WRITE : AMLA_SED_FAILED;
        if (outcome == SED_WANT) {
            const AmlaSedRequest wanted = sed->request;
            if (sed_flush(sed))
                return AMLA_SED_WRITE; /* the step is done again behind it */
            sed->request = wanted;
            return wanted.state;
        }
    }
}
