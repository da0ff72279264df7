#include "engine.h"

static void put_character(AmlaBuffer *out, uint32_t c)
{
    if (c < 0x80 || c > 0x10ffff) {
        amla_buffer_put(out, (uint8_t)c);
        return;
    }
    const unsigned size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    amla_buffer_put(out, (uint8_t)((0xf00 >> size & 0xff) | c >> 6 * (size - 1)));
    for (unsigned left = size - 1; left-- > 0;)
        amla_buffer_put(out, (uint8_t)(0x80 | (c >> 6 * left & 0x3f)));
}

static void translate_wide(AmlaSed *sed, const SedTranslation *translation)
{
    const AmlaBuffer *text = &sed->pattern.text;
    const uint32_t *from = (const uint32_t *)(const void *)translation->from.data;
    const uint32_t *to = (const uint32_t *)(const void *)translation->to.data;
    const size_t count = translation->from.length / sizeof *from;
    sed->work.length = 0;
    for (size_t at = 0, size; at < text->length; at += size) {
        uint32_t c;
        size = sed_decode(sed, text->data + at, text->length - at, &c);
        size_t i = 0;
        while (i < count && from[i] != c)
            i++;
        if (i < count)
            put_character(&sed->work, to[i]);
        else
            amla_buffer_append(&sed->work, text->data + at, size);
    }
    const AmlaBuffer old = sed->pattern.text;
    sed->pattern.text = sed->work;
    sed->work = old;
    sed->memory |= sed->pattern.text.failed;
}

void sed_translate(AmlaSed *sed, const SedTranslation *translation)
{
    if (translation->wide) {
        translate_wide(sed, translation);
        return;
    }
    uint8_t *text = sed->pattern.text.data;
    for (size_t i = 0; i < sed->pattern.text.length; i++)
        text[i] = translation->bytes[text[i]];
}
