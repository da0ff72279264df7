#include "jq_state.h"

#include <string.h>

/* Two functions that the build adds to jq's util.c, so that `input`, `input_filename` and
 * positions in errors work on what a filter was fed: it makes jq call the first one for `input`,
 * and the second tells jq where the input is. */
jv amla_jq_input(void *filter);
void amla_jq_place(jq_util_input_state *state, jv name, size_t line);

/* The next piece of what was fed: up to the end of a line, or of the bytes. */
static const char *take_piece(AmlaJq *filter, size_t *length)
{
    const char *piece = (const char *)filter->input.data + filter->at;
    size_t rest = filter->input.length - filter->at;
    const char *newline = memchr(piece, '\n', rest);
    *length = newline ? (size_t)(newline - piece) + 1 : rest;
    filter->at += *length;
    filter->line += newline ? 1 : 0;
    amla_jq_place(filter->place, jv_copy(filter->name), filter->line);
    return piece;
}

static bool advance_parser(AmlaJq *filter)
{
    size_t length = 0;
    if (filter->at < filter->input.length) {
        const char *piece = take_piece(filter, &length);
        jv_parser_set_buf(filter->parser, piece, (int)length, 1);
        return true;
    }
    if (!filter->last)
        return false;
    jv_parser_set_buf(filter->parser, "", 0, 0);
    filter->closed = true;
    return true;
}

static Pull pull_json(AmlaJq *filter, jv *value)
{
    for (;;) {
        *value = jv_parser_next(filter->parser);
        if (jv_is_valid(*value))
            return PULL_VALUE;
        if (jv_invalid_has_msg(jv_copy(*value)))
            return PULL_FAULT;
        if (filter->closed)
            return PULL_END;
        if (!advance_parser(filter))
            return PULL_WANT;
    }
}

/* A whole line without its newline, or all of the input when slurping. */
static Pull pull_raw(AmlaJq *filter, jv *value)
{
    size_t rest = filter->input.length - filter->at, length = 0;
    bool slurp = filter->options.slurp;
    if (!filter->last && (slurp || !rest || !memchr((const char *)filter->input.data + filter->at, '\n', rest)))
        return PULL_WANT;
    if (slurp ? filter->closed : !rest)
        return PULL_END;
    const char *piece = (const char *)filter->input.data + filter->at;
    if (slurp) {
        filter->closed = true;
        while (filter->at < filter->input.length)
            take_piece(filter, &length);
        length = rest;
    } else {
        take_piece(filter, &length);
        length -= piece[length - 1] == '\n';
    }
    *value = jv_string_sized(piece ? piece : "", (int)length);
    return PULL_VALUE;
}

static Pull pull_slurped(AmlaJq *filter, jv *value)
{
    if (!jv_is_valid(filter->slurped))
        return PULL_END;
    for (;;) {
        Pull pull = pull_json(filter, value);
        if (pull == PULL_VALUE) {
            filter->slurped = jv_array_append(filter->slurped, *value);
            continue;
        }
        if (pull != PULL_END)
            return pull;
        *value = filter->slurped;
        filter->slurped = jv_invalid();
        return PULL_VALUE;
    }
}

Pull amla_jq_pull(AmlaJq *filter, jv *value)
{
    *value = jv_invalid();
    if (filter->options.raw_input)
        return pull_raw(filter, value);
    return filter->options.slurp ? pull_slurped(filter, value) : pull_json(filter, value);
}

/* `input`: the next value, an error, or the end, as jq expects them. */
jv amla_jq_input(void *data)
{
    jv value;
    amla_jq_pull(data, &value);
    return value;
}

void amla_jq_name(AmlaJq *filter, const char *name)
{
    jv_free(filter->name);
    filter->name = jv_string(name);
    filter->line = 0;
    amla_jq_place(filter->place, jv_copy(filter->name), 0);
}

void amla_jq_forget_input(AmlaJq *filter)
{
    if (filter->parser)
        jv_parser_free(filter->parser);
    filter->parser = NULL;
    jv_free(filter->name);
    jv_free(filter->slurped);
    amla_jq_place(filter->place, jv_invalid(), 0);
}
