#include "parser.h"

bool sed_parse_end(AmlaSed *sed)
{
    SedSource *source = &sed->source;
    const int c = sed_skip_blanks(source);
    if (c == SED_END || c == '}' || c == '#')
        return true;
    source->at++;
    return c == '\n' || c == ';' || sed_wrong(sed, source->at, "extra characters after command");
}

bool sed_parse_file_name(AmlaSed *sed, AmlaBuffer *name)
{
    SedSource *source = &sed->source;
    sed_skip_blanks(source);
    for (int c; (c = sed_next(source)) != SED_END && c != '\n';)
        amla_buffer_put(name, (uint8_t)c);
    sed->memory |= name->failed;
    if (name->length == 0)
        return sed_wrong(sed, source->at, "missing filename in r/R/w/W commands");
    return !sed->memory;
}

/* The lines of the text, up to one whose end is not escaped. */
static void parse_lines(SedSource *source, AmlaBuffer *text)
{
    for (int c; (c = sed_next(source)) != SED_END && c != '\n';) {
        if (c == '\\') {
            if (sed_peek(source) == SED_END)
                break;
            const int byte = sed_escape(source->text.data, source->text.length, &source->at);
            c = byte >= 0 ? byte : sed_next(source);
        }
        amla_buffer_put(text, (uint8_t)c);
    }
    amla_buffer_put(text, '\n');
}

bool sed_parse_text(AmlaSed *sed, SedCommand *command)
{
    SedSource *source = &sed->source;
    AmlaBuffer *text = &command->text;
    int c = sed_skip_blanks(source);
    if (c == SED_END || c == '\n')
        return sed_wrong(sed, source->at, "expected \\ after `a', `c' or `i'");
    if (c == '\\') {
        source->at++;
        const size_t after = source->at;
        c = sed_skip_blanks(source);
        if (c == '\n')
            source->at++;
        else if (c == SED_END)
            return true;
        else
            source->at = after; /* a\  text: blanks in front are kept */
    }
    parse_lines(source, text);
    sed->memory |= text->failed;
    return !sed->memory;
}
