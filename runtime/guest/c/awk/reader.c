#include "reader.h"

#include "vm.h"

typedef enum { FOUND, MAYBE, NONE } Finding; /* MAYBE: the end of the buffer keeps it open */

static const char *bytes_of(const AwkStream *stream)
{
    return stream->buffer.data ? (const char *)stream->buffer.data : "";
}

static Finding find_byte(AwkStream *stream, char byte, AwkRun *terminator)
{
    const char *bytes = bytes_of(stream);
    const size_t from = stream->at + stream->searched;
    const char *found = memchr(bytes + from, byte, stream->buffer.length - from);
    if (!found) {
        stream->searched = stream->buffer.length - stream->at;
        return NONE;
    }
    *terminator = (AwkRun){ (size_t)(found - bytes), (size_t)(found - bytes) + 1 };
    return FOUND;
}

/* RS = "": blank lines separate records, those before the first are skipped. */
static Finding find_blank_lines(AwkStream *stream, AwkRun *terminator)
{
    const char *bytes = bytes_of(stream);
    const size_t length = stream->buffer.length;
    while (stream->at < length && bytes[stream->at] == '\n')
        stream->at++;
    for (size_t at = stream->at; at < length;) {
        const char *newline = memchr(bytes + at, '\n', length - at);
        if (!newline)
            return NONE;
        const size_t start = (size_t)(newline - bytes);
        size_t end = start;
        while (end < length && bytes[end] == '\n')
            end++;
        *terminator = (AwkRun){ start, end };
        if (end == length && !stream->ended)
            return MAYBE;
        if (end - start > 1 || end == length)
            return FOUND;
        at = end;
    }
    return NONE;
}

/* An empty match separates nothing. */
static Finding find_pattern(AwkVm *vm, AwkStream *stream, AwkRun *terminator)
{
    const char *bytes = bytes_of(stream);
    const size_t length = stream->buffer.length;
    AmlaSpan span = { 0 };
    size_t from = stream->at;
    do {
        if (from >= length || !awk_pattern_search(vm, vm->separator.pattern, bytes, length, from, &span, 1))
            return NONE;
        from = span.start + 1;
    } while (span.end == span.start);
    *terminator = (AwkRun){ span.start, span.end };
    return span.end == length && !stream->ended ? MAYBE : FOUND;
}

static Finding find_terminator(AwkVm *vm, AwkStream *stream, AwkRun *terminator)
{
    switch (vm->separator.kind) {
    case AWK_RS_BYTE:
        return find_byte(stream, vm->separator.byte, terminator);
    case AWK_RS_LINES:
        return find_blank_lines(stream, terminator);
    default:
        return find_pattern(vm, stream, terminator);
    }
}

AwkReading awk_read(AwkVm *vm, AwkStream *stream, AwkRun *record, AwkRun *terminator)
{
    const Finding finding = find_terminator(vm, stream, terminator);
    if (finding != FOUND && !stream->ended)
        return AWK_READ_MORE;
    const size_t length = stream->buffer.length;
    if (finding == NONE)
        *terminator = (AwkRun){ length, length };
    if (finding == NONE && stream->at == length)
        return AWK_READ_END;
    *record = (AwkRun){ stream->at, terminator->start };
    stream->at = terminator->end;
    stream->searched = 0;
    return AWK_READ_RECORD;
}

void awk_read_terminator(AwkVm *vm, const AwkStream *stream, const AwkRun *terminator)
{
    const size_t length = terminator->end - terminator->start;
    const char *bytes = bytes_of(stream) + terminator->start;
    AwkValue *known = &vm->globals[AWK_RT];
    if (known->kind == AWK_TEXT && known->text->length == length && !memcmp(known->text->bytes, bytes, length))
        return;
    awk_special_put(vm, AWK_RT, awk_text(awk_text_create(&vm->pool, bytes, length)));
}
