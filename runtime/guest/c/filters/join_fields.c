#include "join_fields.h"

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n';
}

static const uint8_t *skip_blanks(const uint8_t *at, const uint8_t *stop)
{
    while (at < stop && is_blank(*at))
        at++;
    return at;
}

JoinFields join_fields(AmlaInputLine line, int separator)
{
    const uint8_t *stop = line.data + line.length;
    const uint8_t *at = separator == JOIN_BLANKS ? skip_blanks(line.data, stop) : line.data;
    return (JoinFields){ at < stop ? at : NULL, stop, separator };
}

static bool next_word(JoinFields *fields, AmlaInputLine *field)
{
    const uint8_t *at = fields->at;
    while (at < fields->stop && !is_blank(*at))
        at++;
    *field = (AmlaInputLine){ fields->at, (size_t)(at - fields->at) };
    fields->at = at < fields->stop ? skip_blanks(at, fields->stop) : NULL; /* behind blanks at the end is an empty one */
    return true;
}

bool join_next_field(JoinFields *fields, AmlaInputLine *field)
{
    if (!fields->at)
        return false;
    if (fields->separator == JOIN_BLANKS)
        return next_word(fields, field);
    const size_t left = (size_t)(fields->stop - fields->at);
    const uint8_t *stop = fields->separator == JOIN_WHOLE || !left ? NULL : memchr(fields->at, fields->separator, left);
    *field = (AmlaInputLine){ fields->at, stop ? (size_t)(stop - fields->at) : left };
    fields->at = stop ? stop + 1 : NULL;
    return true;
}

AmlaInputLine join_field(AmlaInputLine line, int separator, uint32_t number)
{
    JoinFields fields = join_fields(line, separator);
    AmlaInputLine field = { 0 };
    for (uint32_t at = 0; join_next_field(&fields, &field); at++)
        if (at == number)
            return field;
    return (AmlaInputLine){ line.data + line.length, 0 };
}
