#include <stdlib.h>

#include "engine.h"

#define MUCH (64 * 1024)

static bool named(const AmlaBuffer *name, const char *text)
{
    return name->length == strlen(text) && !memcmp(name->data, text, name->length);
}

size_t sed_output(AmlaSed *sed, const AmlaBuffer *name)
{
    for (size_t i = 2; i < sed->output_count; i++) {
        const AmlaBuffer *known = &sed->outputs[i].name;
        if (known->length == name->length && !memcmp(known->data, name->data, name->length))
            return i;
    }
    SedOutput *outputs = realloc(sed->outputs, (sed->output_count + 1) * sizeof *outputs);
    if (!outputs) {
        sed->memory = true;
        return SED_NO_OUTPUT;
    }
    sed->outputs = outputs;
    SedOutput *output = &outputs[sed->output_count];
    *output = (SedOutput){ .into = named(name, "/dev/stdout") ? 0 : sed->output_count };
    amla_buffer_append(&output->name, name->data, name->length);
    sed->memory |= output->name.failed;
    return sed->output_count++;
}

void sed_put(AmlaSed *sed, size_t output, const void *bytes, size_t length)
{
    AmlaBuffer *pending = &sed->outputs[sed->outputs[output].into].pending;
    amla_buffer_append(pending, bytes, length);
    sed->memory |= pending->failed;
    if (pending->length >= MUCH)
        sed->full = true;
}

void sed_put_missing_end(AmlaSed *sed, size_t output)
{
    if (!sed->outputs[output].open_line)
        return;
    sed->outputs[output].open_line = false;
    sed_put(sed, output, &sed->end, 1);
}

void sed_put_line(AmlaSed *sed, size_t output, const void *bytes, size_t length, bool ended)
{
    SedOutput *to = &sed->outputs[output];
    if (to->open_line)
        sed_put_missing_end(sed, output);
    sed_put(sed, output, bytes, length);
    if (ended)
        amla_buffer_put(&sed->outputs[to->into].pending, (uint8_t)sed->end);
    else
        to->open_line = true;
}

void sed_put_block(AmlaSed *sed, size_t output, const AmlaBuffer *text)
{
    sed_put_missing_end(sed, output);
    if (text->length == 0)
        return;
    sed_put(sed, output, text->data, text->length - 1);
    sed_put(sed, output, &sed->end, 1);
}

bool sed_flush(AmlaSed *sed)
{
    for (size_t i = 0; i < sed->output_count; i++) {
        const AmlaBuffer *pending = &sed->outputs[i].pending;
        if (pending->length > 0) {
            sed_want(sed, AMLA_SED_WRITE, i, pending->data, pending->length);
            return true;
        }
    }
    return false;
}
