/* The command l: the pattern space, with everything that is not plain text spelled out. */
#include <stdio.h>

#include "engine.h"

/* Writes the byte to `room`; its length. */
static size_t spell(uint8_t byte, char *room)
{
    static const char special[] = "\\\a\b\f\n\r\t\v", letters[] = "\\abfnrtv";
    const char *found = byte ? strchr(special, byte) : NULL;
    if (found)
        return (size_t)snprintf(room, 8, "\\%c", letters[found - special]);
    if (byte >= 32 && byte < 127)
        return (size_t)snprintf(room, 8, "%c", byte);
    return (size_t)snprintf(room, 8, "\\%03o", byte);
}

void sed_list(AmlaSed *sed, uint64_t width)
{
    const AmlaBuffer *text = &sed->pattern.text;
    const size_t output = SED_MAIN(sed);
    uint64_t column = 0;
    char room[8];
    sed_put_missing_end(sed, output);
    for (size_t i = 0; i < text->length; i++) {
        const size_t length = spell(text->data[i], room);
        if (width > 0 && column + length > width - 1) {
            sed_put_line(sed, output, "\\", 1, true);
            column = 0;
        }
        sed_put(sed, output, room, length);
        column += length;
    }
    sed_put_line(sed, output, "$", 1, true);
}
