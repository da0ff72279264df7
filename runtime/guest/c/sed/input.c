#include <stdlib.h>

#include "engine.h"

size_t amla_sed_unused(const AmlaSed *sed)
{
    return sed->held.length - sed->at;
}

void amla_sed_opened(AmlaSed *sed, const char *name)
{
    if (name) { /* behind the last file, its name stays */
        free(sed->file);
        sed->file = strdup(name);
        sed->memory |= !sed->file;
    }
    sed->opened = name != NULL;
    sed->input_over = !name;
    sed->file_over = false;
    if (!name || !sed->options.separate)
        return;
    sed->line = 0;
    sed->hold.text.length = 0;
    sed->hold.ended = true;
    sed_reset_ranges(sed);
    sed->outputs[1].open_line = false;
}

void amla_sed_feed(AmlaSed *sed, const void *bytes, size_t length)
{
    if (sed->request.state == AMLA_SED_LINE) {
        sed->answer.length = 0;
        amla_buffer_append(&sed->answer, bytes, length);
        sed->answered = true;
        sed->memory |= sed->answer.failed;
        return;
    }
    sed->file_over = length == 0;
    amla_buffer_consume(&sed->held, sed->at);
    sed->scanned -= sed->at;
    sed->at = 0;
    amla_buffer_append(&sed->held, bytes, length);
    sed->memory |= sed->held.failed;
}

SedAnswer sed_at_last(AmlaSed *sed)
{
    if (sed->at < sed->held.length)
        return SED_NO;
    if (sed->opened && !sed->file_over) {
        sed_want(sed, AMLA_SED_READ, 0, NULL, 0);
        return SED_UNKNOWN;
    }
    if (sed->options.separate || sed->input_over)
        return SED_YES;
    sed_want(sed, AMLA_SED_OPEN, 0, NULL, 0);
    return SED_UNKNOWN;
}

static void take(AmlaSed *sed, size_t to, bool ended, bool join)
{
    SedSpace *pattern = &sed->pattern;
    if (join)
        amla_buffer_put(&pattern->text, (uint8_t)sed->end);
    else
        pattern->text.length = 0;
    amla_buffer_append(&pattern->text, sed->held.data + sed->at, to - sed->at);
    sed->memory |= pattern->text.failed;
    pattern->ended = ended;
    sed->at = sed->scanned = to + ended;
    sed->line++;
}

SedOutcome sed_read_line(AmlaSed *sed, bool join, bool *found)
{
    const AmlaBuffer *held = &sed->held;
    *found = true;
    if (sed->scanned < sed->at)
        sed->scanned = sed->at;
    const uint8_t *end = held->length > sed->scanned ? memchr(held->data + sed->scanned, sed->end, held->length - sed->scanned) : NULL;
    if (end) {
        take(sed, (size_t)(end - held->data), true, join);
        return SED_GO;
    }
    sed->scanned = held->length;
    if (sed->opened && !sed->file_over)
        return sed_want(sed, AMLA_SED_READ, 0, NULL, 0);
    if (held->length > sed->at) {
        take(sed, held->length, false, join);
        return SED_GO;
    }
    *found = false;
    return sed->input_over ? SED_GO : sed_want(sed, AMLA_SED_OPEN, 0, NULL, 0);
}
