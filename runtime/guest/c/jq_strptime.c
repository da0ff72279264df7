#define _XOPEN_SOURCE 700
#include "jq_strptime.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* `Z`, `+hh`, `+hhmm` or `+hh:mm`. */
static const char *skip_offset(const char *text)
{
    text = skip_blanks(text);
    if (*text == 'Z')
        return text + 1;
    if (*text != '+' && *text != '-')
        return NULL;
    int value = 0, digits = 0;
    for (text++; digits < 4 && isdigit((unsigned char)*text); digits++) {
        value = value * 10 + (*text++ - '0');
        if (digits == 1 && *text == ':' && isdigit((unsigned char)text[1]))
            text++;
    }
    return digits == 2 || (digits == 4 && value % 100 < 60) ? text : NULL;
}

static const char *skip_name(const char *text)
{
    text = skip_blanks(text);
    while (*text && !isspace((unsigned char)*text))
        text++;
    return text;
}

/* The next zone in `format`, or its end. */
static const char *find_zone(const char *format)
{
    for (; *format; format++) {
        if (*format != '%')
            continue;
        if (format[1] == 'z' || format[1] == 'Z')
            return format;
        if (format[1])
            format++;
    }
    return format;
}

/* Reads what the first `length` bytes of `format` describe, which hold no zone. */
static const char *read_plain(const char *text, const char *format, size_t length, struct tm *time)
{
    char *plain = strndup(format, length);
    const char *end = plain ? strptime(text, plain, time) : NULL;
    free(plain);
    return end;
}

char *amla_jq_strptime(const char *text, const char *format, struct tm *time)
{
    while (text) {
        const char *zone = find_zone(format);
        if (zone > format)
            text = read_plain(text, format, (size_t)(zone - format), time);
        if (!text || !*zone)
            break;
        text = zone[1] == 'z' ? skip_offset(text) : skip_name(text);
        format = zone + 2;
    }
    return (char *)text;
}
