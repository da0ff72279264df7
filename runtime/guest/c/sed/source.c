#include "source.h"

#include <stdio.h>
#include <stdlib.h>

bool sed_source_add(SedSource *source, const char *file, const char *text, size_t length)
{
    SedChunk *chunks = realloc(source->chunks, (source->chunk_count + 1) * sizeof *chunks);
    if (!chunks)
        return false;
    source->chunks = chunks;
    if (source->text.length > 0 && source->text.data[source->text.length - 1] != '\n')
        amla_buffer_put(&source->text, '\n');
    else if (source->chunk_count > 0 && !chunks[source->chunk_count - 1].file)
        amla_buffer_put(&source->text, '\n');
    SedChunk *chunk = &chunks[source->chunk_count++];
    *chunk = (SedChunk){ .start = source->text.length, .end = source->text.length + length };
    if (file)
        chunk->file = strdup(file);
    else
        chunk->number = ++source->expressions;
    amla_buffer_append(&source->text, text, length);
    return !source->text.failed && (!file || chunk->file);
}

void sed_source_clear(SedSource *source)
{
    for (size_t i = 0; i < source->chunk_count; i++)
        free(source->chunks[i].file);
    free(source->chunks);
    amla_buffer_clear(&source->text);
    *source = (SedSource){ 0 };
}

int sed_skip_blanks(SedSource *source)
{
    int c;
    while ((c = sed_peek(source)) == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f')
        source->at++;
    return c;
}

int sed_skip_space(SedSource *source)
{
    int c;
    while ((c = sed_skip_blanks(source)) == '\n')
        source->at++;
    return c;
}

static size_t line_of(const SedSource *source, const SedChunk *chunk, size_t at)
{
    size_t line = 1;
    for (size_t i = chunk->start; i < at && i < chunk->end; i++)
        line += source->text.data[i] == '\n' && i + 1 < at;
    return line;
}

void sed_source_place(const SedSource *source, size_t at, char *room, size_t size)
{
    const SedChunk *chunk = source->chunks;
    for (size_t i = 1; i < source->chunk_count && source->chunks[i].start < at; i++)
        chunk = &source->chunks[i];
    if (chunk->file) {
        snprintf(room, size, "file %s line %zu", chunk->file, line_of(source, chunk, at));
        return;
    }
    const size_t end = at < chunk->end ? at : chunk->end;
    snprintf(room, size, "-e expression #%u, char %zu", chunk->number, at ? end - chunk->start : 0);
}
