/* The script's text while it is parsed: its parts joined by newlines, and where each began. */
#ifndef SED_SOURCE_H
#define SED_SOURCE_H

#include "filters/buffer.h"

#define SED_END (-1)

typedef struct {
    char *file; /* owned; NULL for a part of the command line */
    unsigned number; /* among those of the command line */
    size_t start, end;
} SedChunk;

typedef struct {
    AmlaBuffer text;
    SedChunk *chunks;
    size_t chunk_count;
    unsigned expressions;
    size_t at;
} SedSource;

/* False without memory. */
bool sed_source_add(SedSource *source, const char *file, const char *text, size_t length);

void sed_source_clear(SedSource *source);

/* The next byte, or SED_END. */
static inline int sed_peek(const SedSource *source)
{
    return source->at < source->text.length ? source->text.data[source->at] : SED_END;
}

static inline int sed_next(SedSource *source)
{
    const int c = sed_peek(source);
    source->at += c != SED_END;
    return c;
}

/* Passes over blanks (and newlines), returns what then comes without taking it. */
int sed_skip_blanks(SedSource *source);
int sed_skip_space(SedSource *source);

/* The start of a message: "-e expression #1, char 3", "file x line 2". */
void sed_source_place(const SedSource *source, size_t at, char *room, size_t size);

#endif
