#include "jq_filter.h"

#include <stdlib.h>
#include <string.h>

#include <jq.h>
#include <jv.h>
#include <jv_alloc.h>

#include "attempt.h"
#include "cells.h"
#include "jq_heap.h"

extern char **environ;

/* Two functions that the build adds to jq's util.c, so that `input`, `input_filename` and
 * positions in errors work on what a filter was fed: it makes jq call the first one for `input`,
 * and the second tells jq where the input is.  A third, in execute.c, tells whether jq_next()
 * returned only because a program had run for a while. */
jv amla_jq_input(void *filter);
void amla_jq_place(jq_util_input_state *state, jv name, size_t line);
bool amla_jq_pauses(jq_state *jq);

enum {
    STATUS_OK = 0,
    STATUS_NULL = 1,
    STATUS_COMPILE = 3,
    STATUS_NO_OUTPUT = 4,
    STATUS_ERROR = 5,
    STATUS_ABORTED = 134, /* 128 + SIGABRT */
};

#define OUTPUT_MOST (64 * 1024) /* bytes that are gathered before they go out */

typedef enum { PULL_VALUE, PULL_FAULT, PULL_WANT, PULL_END } Pull;

struct AmlaJq {
    AmlaJqHeap *heap; /* of all jv and jq's own; NULL when memory ran out, and nothing of them is left */
    jq_state *jq;
    jv_parser *parser;          /* NULL for raw input */
    jq_util_input_state *place; /* jq's own record of file name and line */
    AmlaJqOptions options;
    int dump_flags;

    AmlaBuffer input; /* what was fed; the parser may point into it, up to `at` */
    size_t at;
    bool last;   /* the end of input was told */
    bool closed; /* … and the parser knows */

    jv name;    /* of the input's file */
    size_t line; /* lines handed out so far */
    jv slurped; /* array or string being gathered; invalid when not slurping, or handed out */

    bool greedy;  /* the program reads input by itself: all of it has to be there before it starts */
    bool running; /* jq_next may have more results for the current input */
    bool started; /* the one run of null input or slurped input has begun */
    bool done;
    int status, last_result; /* last_result: 1 truthy, 0 false or null, -1 no output yet */
    AmlaBuffer output, errors;
};

/* --- text ----------------------------------------------------------------------------- */

static void append(AmlaBuffer *text, const char *bytes, size_t length)
{
    amla_buffer_append(text, bytes, length);
    if (text->failed)
        amla_give_up();
}

/* Consumes `piece`, a string. */
static void append_string(AmlaBuffer *text, jv piece)
{
    append(text, jv_string_value(piece), (size_t)jv_string_length_bytes(jv_copy(piece)));
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
    append(&filter->errors, "\n", 1);
}

static void on_debug(void *data, jv value)
{
    AmlaJq *filter = data;
    jv line = JV_ARRAY(jv_string("DEBUG:"), value);
    append_string(&filter->errors, jv_dump_string(line, filter->dump_flags & ~JV_PRINT_INDENT_FLAGS(7)));
    append(&filter->errors, "\n", 1);
}

static void on_stderr(void *data, jv value)
{
    AmlaJq *filter = data;
    append_string(&filter->errors, plain(value));
}

/* --- input ---------------------------------------------------------------------------- */

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

static Pull pull(AmlaJq *filter, jv *value)
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
    pull(data, &value);
    return value;
}

/* --- output ---------------------------------------------------------------------------- */

static bool has_nul(jv string)
{
    return memchr(jv_string_value(string), 0, (size_t)jv_string_length_bytes(jv_copy(string))) != NULL;
}

/* Write `result`, which is consumed.  False when it cannot be written. */
static bool write_result(AmlaJq *filter, jv result)
{
    const AmlaJqOptions *options = &filter->options;
    jv_kind kind = jv_get_kind(result);
    bool raw = options->raw_output || options->join_output || options->raw_output0;
    filter->status = kind == JV_KIND_FALSE || kind == JV_KIND_NULL ? STATUS_NULL : STATUS_OK;
    if (!raw || kind != JV_KIND_STRING) {
        if (options->seq)
            append(&filter->output, "\036", 1);
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
        append(&filter->output, "\0", 1);
    else if (!options->join_output)
        append(&filter->output, "\n", 1);
    return true;
}

/* Consumes `message`. */
static void report(AmlaJq *filter, jv message)
{
    bool text = jv_get_kind(message) == JV_KIND_STRING;
    jv at = jq_util_input_get_position(filter->jq);
    const char *note = text ? "" : " (not a string)";
    append_string(&filter->errors, jv_string_fmt("jq: error (at %s)%s: ", jv_string_value(at), note));
    append_string(&filter->errors, plain(message));
    append(&filter->errors, "\n", 1);
    jv_free(at);
    filter->status = STATUS_ERROR;
}

/* `halt` and `halt_error`. */
static void halt(AmlaJq *filter)
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
            append(&filter->errors, "\n", 1);
    } else {
        jv_free(message);
    }
    filter->done = true;
}

/* --- running ------------------------------------------------------------------------------ */

/* One result of the current input, or its end.  `STATUS_NO_OUTPUT` is left when it had none. */
static void run(AmlaJq *filter)
{
    jv result = jq_next(filter->jq);
    if (amla_jq_pauses(filter->jq))
        return;
    if (jv_is_valid(result)) {
        if (write_result(filter, result))
            return;
        report(filter, jv_string("Cannot dump a string containing NUL with --raw-output0 option"));
    } else if (jq_halted(filter->jq)) {
        halt(filter);
        jv_free(result);
    } else if (jv_invalid_has_msg(jv_copy(result))) {
        report(filter, jv_invalid_get_msg(result));
    } else {
        jv_free(result);
    }
    filter->running = false;
    if (filter->status == STATUS_OK || filter->status == STATUS_NULL)
        filter->last_result = filter->status == STATUS_OK;
}

static void begin(AmlaJq *filter, jv value)
{
    filter->status = STATUS_NO_OUTPUT;
    filter->running = filter->started = true;
    jq_start(filter->jq, value, 0);
}

static void parse_error(AmlaJq *filter, jv fault)
{
    bool fatal = !filter->options.seq;
    append_string(&filter->errors, jv_string(fatal ? "jq: parse error: " : "jq: ignoring parse error: "));
    append_string(&filter->errors, plain(jv_invalid_get_msg(fault)));
    append(&filter->errors, "\n", 1);
    if (!fatal)
        return;
    filter->status = STATUS_ERROR;
    filter->done = true;
}

/* Take the next input and start on it.  False when input is wanted. */
static bool start_next(AmlaJq *filter)
{
    if (filter->greedy && !filter->last)
        return false;
    if (filter->options.null_input) {
        filter->done = filter->started;
        if (!filter->done)
            begin(filter, jv_null());
        return true;
    }
    jv value;
    switch (pull(filter, &value)) {
    case PULL_VALUE: begin(filter, value); return true;
    case PULL_FAULT: parse_error(filter, value); return true;
    case PULL_END: filter->done = true; return true;
    case PULL_WANT: break;
    }
    return false;
}

static AmlaJqState advance(AmlaJq *filter)
{
    for (;;) {
        if (filter->running)
            run(filter);
        else if (filter->done)
            return AMLA_JQ_DONE;
        else if (!start_next(filter))
            return AMLA_JQ_WANT;
        if (amla_interrupted())
            return AMLA_JQ_INTERRUPTED;
        if (filter->errors.length || filter->output.length >= OUTPUT_MOST)
            return AMLA_JQ_OUTPUT;
        if (filter->running && amla_jq_pauses(filter->jq))
            return AMLA_JQ_PAUSE;
    }
}

/* --- life ----------------------------------------------------------------------------------- */

static int dump_flags(const AmlaJqOptions *options)
{
    int flags = options->tab ? JV_PRINT_TAB | JV_PRINT_PRETTY : 0;
    if (!options->tab && options->indent > 0)
        flags = JV_PRINT_INDENT_FLAGS(options->indent);
    return flags | (options->ascii_output ? JV_PRINT_ASCII : 0) | (options->sort_keys ? JV_PRINT_SORTED : 0) |
           (options->color_output ? JV_PRINT_COLOR : 0);
}

/* The variables that the program sees.  Texts that are no JSON count as absent. */
static jv arguments(const AmlaJqOptions *options)
{
    jv named = options->named ? jv_parse(options->named) : jv_object();
    jv positional = options->positional ? jv_parse(options->positional) : jv_array();
    if (jv_get_kind(named) != JV_KIND_OBJECT)
        jv_free(named), named = jv_object();
    if (jv_get_kind(positional) != JV_KIND_ARRAY)
        jv_free(positional), positional = jv_array();
    jv both = JV_OBJECT(jv_string("positional"), positional, jv_string("named"), jv_copy(named));
    return jv_object_set(named, jv_string("ARGS"), both);
}

/* jq opens no files here; but its record keeps our pointer only together with a callback. */
static void no_file(void *filter, const char *name)
{
    (void)filter, (void)name;
}

static void connect(AmlaJq *filter)
{
    filter->place = jq_util_input_init(no_file, filter);
    filter->name = jv_string("<stdin>"); /* but jq knows of no input before it has read some */
    jq_set_input_cb(filter->jq, jq_util_input_next_input_cb, filter->place);
    jq_set_error_cb(filter->jq, on_error, filter);
    jq_set_debug_cb(filter->jq, on_debug, filter);
    jq_set_stderr_cb(filter->jq, on_stderr, filter);
    jq_set_attr(filter->jq, jv_string("JQ_LIBRARY_PATH"), jv_array());
    jq_set_attr(filter->jq, jv_string("JQ_ORIGIN"), jv_string("/usr/bin"));
    jq_set_attr(filter->jq, jv_string("PROGRAM_ORIGIN"), jv_string("."));
}

/* What is asked of a filter, as one value: what does it may give up in the middle. */
typedef struct {
    AmlaJq *filter;
    const char *text; /* a program, a name or input */
    size_t length;
    AmlaJqState state; /* the answer */
} Request;

static void start(void *data)
{
    const Request *request = data;
    AmlaJq *filter = request->filter;
    filter->slurped = jv_array();
    filter->jq = jq_init();
    connect(filter);
    if (!filter->options.raw_input)
        filter->parser = jv_parser_new((filter->options.stream ? JV_PARSE_STREAMING : 0) |
                                       (filter->options.seq ? JV_PARSE_SEQ : 0));
    if (!jq_compile_args(filter->jq, request->text, arguments(&filter->options))) {
        filter->status = STATUS_COMPILE;
        filter->done = true;
    }
    filter->options.named = filter->options.positional = NULL;
}

static void feed(void *data)
{
    const Request *request = data;
    AmlaJq *filter = request->filter;
    if (filter->at == filter->input.length)
        filter->at = filter->input.length = 0;
    append(&filter->input, request->text, request->length);
}

static void name_source(void *data)
{
    const Request *request = data;
    AmlaJq *filter = request->filter;
    jv_free(filter->name);
    filter->name = jv_string(request->text);
    filter->line = 0;
    amla_jq_place(filter->place, jv_copy(filter->name), 0);
}

static void go_on(void *data)
{
    Request *request = data;
    request->state = advance(request->filter);
}

/* Memory ran out: jq says what it does elsewhere before it aborts, and nothing of it is left. */
static void exhaust(AmlaJq *filter)
{
    static const char message[] = "jq: error: cannot allocate memory\n";
    amla_jq_heap_drop(filter->heap);
    filter->heap = NULL;
    amla_buffer_clear(&filter->input);
    amla_buffer_append(&filter->errors, message, sizeof message - 1);
    filter->done = true;
    filter->running = false;
    filter->status = STATUS_ABORTED;
}

static void fulfil(void (*work)(void *), Request *request)
{
    AmlaJq *filter = request->filter;
    if (!filter->heap)
        return;
    environ = filter->options.environment;
    amla_jq_heap_use(filter->heap);
    if (!amla_attempt(work, request))
        exhaust(filter);
}

AmlaJq *amla_jq_create(const char *program, const AmlaJqOptions *options)
{
    static char *no_environment[] = { NULL };
    AmlaJq *filter = calloc(1, sizeof *filter);
    if (!filter)
        return NULL;
    filter->options = *options;
    if (!options->environment)
        filter->options.environment = no_environment;
    filter->dump_flags = dump_flags(options);
    filter->last_result = -1;
    filter->status = STATUS_NO_OUTPUT;
    filter->greedy = strstr(program, "input") != NULL;
    filter->heap = amla_jq_heap_new();
    if (filter->heap)
        fulfil(start, &(Request){ .filter = filter, .text = program });
    else
        exhaust(filter);
    return filter;
}

void amla_jq_feed(AmlaJq *filter, const char *bytes, size_t length)
{
    fulfil(feed, &(Request){ .filter = filter, .text = bytes, .length = length });
}

void amla_jq_end(AmlaJq *filter)
{
    filter->last = true;
}

void amla_jq_source(AmlaJq *filter, const char *name)
{
    fulfil(name_source, &(Request){ .filter = filter, .text = name });
}

AmlaJqState amla_jq_next(AmlaJq *filter)
{
    Request request = { .filter = filter, .state = AMLA_JQ_DONE };
    fulfil(go_on, &request);
    return filter->heap ? request.state : AMLA_JQ_DONE;
}

AmlaBuffer *amla_jq_output(AmlaJq *filter)
{
    return &filter->output;
}

AmlaBuffer *amla_jq_errors(AmlaJq *filter)
{
    return &filter->errors;
}

int amla_jq_status(const AmlaJq *filter)
{
    int status = filter->status;
    if (!filter->options.exit_status)
        return status == STATUS_NULL || status == STATUS_NO_OUTPUT ? STATUS_OK : status;
    if (status != STATUS_NO_OUTPUT)
        return status;
    return filter->last_result < 0 ? STATUS_NO_OUTPUT : filter->last_result ? STATUS_OK : STATUS_NULL;
}

void amla_jq_free(AmlaJq *filter)
{
    amla_jq_heap_drop(filter->heap);
    amla_buffer_clear(&filter->input);
    amla_buffer_clear(&filter->output);
    amla_buffer_clear(&filter->errors);
    free(filter);
}
