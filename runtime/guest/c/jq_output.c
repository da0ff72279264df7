#include "jq_state.h"

#include <string.h>

#include "attempt.h"

void amla_jq_append(AmlaBuffer *text, const char *bytes, size_t length)
{
    amla_buffer_append(text, bytes, length);
    if (text->failed)
        amla_give_up();
}

/* Consumes `piece`, a string. */
static void append_string(AmlaBuffer *text, jv piece)
{
    amla_jq_append(text, jv_string_value(piece), (size_t)jv_string_length_bytes(jv_copy(piece)));
    jv_free(piece);
}

/* As text: a string as it is, anything else as compact JSON.  Consumes `value`. */
static jv plain(jv value)
{
    return jv_get_kind(value) == JV_KIND_STRING ? value : jv_dump_string(value, 0);
}

/* --- what jq tells ---------------------------------------------------------------------- */

static void on_error(void *data, jv message)
{
    AmlaJq *filter = data;
    append_string(&filter->errors, plain(jq_format_error(message)));
    amla_jq_append(&filter->errors, "\n", 1);
}

static void on_debug(void *data, jv value)
{
    AmlaJq *filter = data;
    jv line = JV_ARRAY(jv_string("DEBUG:"), value);
    append_string(&filter->errors, jv_dump_string(line, filter->dump_flags & ~JV_PRINT_INDENT_FLAGS(7)));
    amla_jq_append(&filter->errors, "\n", 1);
}

static void on_stderr(void *data, jv value)
{
    AmlaJq *filter = data;
    append_string(&filter->errors, plain(value));
}

void amla_jq_listen(AmlaJq *filter)
{
    jq_set_error_cb(filter->jq, on_error, filter);
    jq_set_debug_cb(filter->jq, on_debug, filter);
    jq_set_stderr_cb(filter->jq, on_stderr, filter);
}

/* --- results and faults ---------------------------------------------------------------------- */

static bool has_nul(jv string)
{
    return memchr(jv_string_value(string), 0, (size_t)jv_string_length_bytes(jv_copy(string))) != NULL;
}

bool amla_jq_write(AmlaJq *filter, jv result)
{
    const AmlaJqOptions *options = &filter->options;
    jv_kind kind = jv_get_kind(result);
    bool raw = options->raw_output || options->join_output || options->raw_output0;
    filter->status = kind == JV_KIND_FALSE || kind == JV_KIND_NULL ? STATUS_NULL : STATUS_OK;
    if (!raw || kind != JV_KIND_STRING) {
        if (options->seq)
            amla_jq_append(&filter->output, "\036", 1);
        append_string(&filter->output, jv_dump_string(result, filter->dump_flags));
    } else if (options->ascii_output) {
        append_string(&filter->output, jv_dump_string(result, JV_PRINT_ASCII));
    } else if (options->raw_output0 && has_nul(result)) {
        jv_free(result);
        return false;
    } else {
        append_string(&filter->output, result);
    }
    if (options->raw_output0)
        amla_jq_append(&filter->output, "\0", 1);
    else if (!options->join_output)
        amla_jq_append(&filter->output, "\n", 1);
    return true;
}

void amla_jq_report(AmlaJq *filter, jv message)
{
    bool text = jv_get_kind(message) == JV_KIND_STRING;
    jv at = jq_util_input_get_position(filter->jq);
    const char *note = text ? "" : " (not a string)";
    append_string(&filter->errors, jv_string_fmt("jq: error (at %s)%s: ", jv_string_value(at), note));
    append_string(&filter->errors, plain(message));
    amla_jq_append(&filter->errors, "\n", 1);
    jv_free(at);
    filter->status = STATUS_ERROR;
}

void amla_jq_halt(AmlaJq *filter)
{
    jv code = jq_get_exit_code(filter->jq), message = jq_get_error_message(filter->jq);
    if (!jv_is_valid(code))
        filter->status = STATUS_OK;
    else
        filter->status = jv_get_kind(code) == JV_KIND_NUMBER ? (int)jv_number_value(code) & 0xFF : STATUS_ERROR;
    jv_free(code);
    bool text = jv_get_kind(message) == JV_KIND_STRING;
    if (jv_is_valid(message) && jv_get_kind(message) != JV_KIND_NULL) {
        append_string(&filter->errors, plain(message));
        if (!text)
            amla_jq_append(&filter->errors, "\n", 1);
    } else {
        jv_free(message);
    }
    filter->done = true;
}

void amla_jq_refuse(AmlaJq *filter, jv fault)
{
    bool fatal = !filter->options.seq;
    append_string(&filter->errors, jv_string(fatal ? "jq: parse error: " : "jq: ignoring parse error: "));
    append_string(&filter->errors, plain(jv_invalid_get_msg(fault)));
    amla_jq_append(&filter->errors, "\n", 1);
    if (!fatal)
        return;
    filter->status = STATUS_ERROR;
    filter->done = true;
}
