#include "inputs.h"

#include "cells.h"

bool amla_input_feed(AmlaInput *input, const uint8_t *bytes, size_t length)
{
    const size_t kept = input->present ? input->start : input->next;
    amla_buffer_consume(&input->text, kept);
    input->start -= input->present ? kept : input->start;
    input->next -= kept;
    amla_buffer_append(&input->text, bytes, length);
    return !input->text.failed;
}

AmlaInputState amla_input_peek(const AmlaInput *input, uint8_t end, AmlaInputLine *line)
{
    const size_t left = input->text.length - input->next;
    const uint8_t *from = left ? input->text.data + input->next : NULL;
    const uint8_t *stop = left ? memchr(from, end, left) : NULL;
    if (!stop && !input->whole)
        return AMLA_INPUT_WANTED;
    if (!left)
        return AMLA_INPUT_OVER;
    *line = (AmlaInputLine){ from, stop ? (size_t)(stop - from) : left };
    return AMLA_INPUT_LINE;
}

void amla_input_take(AmlaInput *input, const AmlaInputLine *line)
{
    input->present = line != NULL;
    if (!line)
        return;
    input->start = input->next;
    input->length = line->length;
    const size_t behind = input->next + line->length + 1;
    input->next = behind < input->text.length ? behind : input->text.length;
}

void amla_input_clear(AmlaInput *input)
{
    amla_buffer_clear(&input->text);
}

bool amla_output_is_full(const AmlaBuffer *out, AmlaFilterState *state)
{
    if (out->length < AMLA_FILTER_CHUNK)
        return false;
    *state = amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_FULL;
    return true;
}
