#include <stdlib.h>

#include "regex/charset.h"
#include "parser.h"

/* The characters of one side, escapes resolved. */
static bool characters_of(const AmlaSed *sed, AmlaBuffer *text, AmlaBuffer *characters)
{
    for (size_t at = 0; at < text->length;) {
        uint32_t c;
        const uint8_t *here = text->data + at;
        if (*here == '\\' && at + 1 < text->length) {
            at++;
            const int byte = sed_escape(text->data, text->length, &at);
            c = byte < 0 ? text->data[at++] : (uint32_t)byte;
            if (c >= 0x80 && sed->options.bytewise)
                c += RX_RAW;
        } else
            at += sed_decode(sed, here, text->length - at, &c);
        amla_buffer_append(characters, &c, sizeof c);
    }
    return !text->failed && !characters->failed;
}

static void fill_bytes(SedTranslation *translation)
{
    const uint32_t *from = (const uint32_t *)(void *)translation->from.data, *to = (const uint32_t *)(void *)translation->to.data;
    for (unsigned i = 0; i < 256; i++)
        translation->bytes[i] = (uint8_t)i;
    for (size_t i = translation->from.length / sizeof *from; i-- > 0;) {
        if (from[i] < 128 && to[i] < 128)
            translation->bytes[from[i]] = (uint8_t)to[i];
        else
            translation->wide = true;
    }
}

static bool parse_sides(AmlaSed *sed, SedTranslation *translation, AmlaBuffer *from, AmlaBuffer *to)
{
    SedSource *source = &sed->source;
    const int delimiter = sed_next(source);
    if (delimiter == SED_END || delimiter == '\n' || delimiter == '\\' || !sed_parse_delimited(sed, delimiter, false, from) ||
        !sed_parse_delimited(sed, delimiter, false, to))
        return sed_wrong(sed, source->at, "unterminated `y' command");
    if (!characters_of(sed, from, &translation->from) || !characters_of(sed, to, &translation->to)) {
        sed->memory = true;
        return false;
    }
    if (translation->from.length != translation->to.length)
        return sed_wrong(sed, source->at, "strings for `y' command are different lengths");
    fill_bytes(translation);
    return sed_parse_end(sed);
}

bool sed_parse_translation(AmlaSed *sed, SedCommand *command)
{
    AmlaBuffer from = { 0 }, to = { 0 };
    SedTranslation *translation = calloc(1, sizeof *translation);
    if (!translation) {
        sed->memory = true;
        return false;
    }
    command->translation = translation;
    const bool fine = parse_sides(sed, translation, &from, &to);
    amla_buffer_clear(&from);
    amla_buffer_clear(&to);
    return fine;
}
