#include "parser.h"

/* Copies a bracket expression whose `[` was taken, with its `]`; `\n` in it is a newline. */
static bool copy_bracket(SedSource *source, AmlaBuffer *text)
{
    int c = sed_peek(source);
    if (c == '^') {
        amla_buffer_put(text, (uint8_t)sed_next(source));
        c = sed_peek(source);
    }
    if (c == ']')
        amla_buffer_put(text, (uint8_t)sed_next(source));
    int inner = 0; /* the mark of [: :], [. .] or [= =] that is open */
    while ((c = sed_next(source)) != SED_END && c != '\n') {
        const int next = sed_peek(source);
        if (c == '\\' && next == 'n') {
            source->at++;
            c = '\n';
        }
        amla_buffer_put(text, (uint8_t)c);
        if (inner) {
            if (c == inner && next == ']') {
                amla_buffer_put(text, (uint8_t)sed_next(source));
                inner = 0;
            }
        } else if (c == ']')
            return true;
        else if (c == '[' && (next == ':' || next == '.' || next == '='))
            amla_buffer_put(text, (uint8_t)(inner = sed_next(source)));
    }
    return false;
}

bool sed_parse_delimited(AmlaSed *sed, int delimiter, bool regex, AmlaBuffer *text)
{
    SedSource *source = &sed->source;
    for (int c; (c = sed_next(source)) != SED_END;) {
        if (c == delimiter)
            return true;
        if (c == '\n') {
            source->at--;
            return false;
        }
        const bool escaped = c == '\\';
        if (escaped) {
            c = sed_next(source);
            if (c == SED_END)
                return false;
            if (c == 'n' && regex && delimiter != 'n')
                c = '\n';
            else if (c != '\n' && (c != delimiter || (!regex && c == '&')))
                amla_buffer_put(text, '\\');
        }
        amla_buffer_put(text, (uint8_t)c);
        if (regex && c == '[' && !escaped && !copy_bracket(source, text))
            return false;
    }
    return false;
}

/* Turns escapes that stand for bytes into those, in place; other backslashes stay. */
static void resolve_escapes(AmlaBuffer *text)
{
    size_t to = 0;
    for (size_t at = 0; at < text->length;) {
        const uint8_t c = text->data[at++];
        if (c != '\\' || at == text->length) {
            text->data[to++] = c;
            continue;
        }
        const int byte = sed_escape(text->data, text->length, &at);
        if (byte >= 0) {
            text->data[to++] = (uint8_t)byte;
            continue;
        }
        text->data[to++] = c;
        text->data[to++] = text->data[at++];
    }
    text->length = to;
}

bool sed_parse_regex(AmlaSed *sed, AmlaBuffer *text, unsigned flags, SedRegex *regex)
{
    const size_t at = sed->source.at;
    if (text->failed) {
        sed->memory = true;
        return false;
    }
    if (text->length == 0)
        return flags ? sed_wrong(sed, at, "cannot specify modifiers on empty regexp") : true;
    resolve_escapes(text);
    if (sed->options.extended)
        flags |= AMLA_REGEX_EXTENDED;
    if (sed->options.bytewise)
        flags |= AMLA_REGEX_BYTES;
    if (sed->options.nul)
        flags |= AMLA_REGEX_NUL_LINES;
    const char *error = NULL;
    regex->regex = amla_regex_create((const char *)text->data, text->length, flags, &error);
    return regex->regex || sed_wrong(sed, at, "%s", error ? error : "Memory exhausted");
}
