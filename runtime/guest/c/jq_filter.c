#include "jq_state.h"

#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "cells.h"
#include "jq_spare.h"

extern char **environ;

/* Added to jq's execute.c: whether jq_next() returned only because a program had run for a while. */
bool amla_jq_pauses(jq_state *jq);

#define OUTPUT_MOST (64 * 1024)       /* bytes that are gathered before they go out */
#define SPARE_MOST (2 * 1024 * 1024) /* bytes of a heap that is worth keeping */

/* --- running ------------------------------------------------------------------------------ */

/* One result of the current input, or its end.  `STATUS_NO_OUTPUT` is left when it had none. */
static void run(AmlaJq *filter)
{
    jv result = jq_next(filter->jq);
    if (amla_jq_pauses(filter->jq))
        return;
    if (jv_is_valid(result)) {
        if (amla_jq_write(filter, result))
            return;
        amla_jq_report(filter, jv_string("Cannot dump a string containing NUL with --raw-output0 option"));
    } else if (jq_halted(filter->jq)) {
        amla_jq_halt(filter);
        jv_free(result);
    } else if (jv_invalid_has_msg(jv_copy(result))) {
        amla_jq_report(filter, jv_invalid_get_msg(result));
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
    switch (amla_jq_pull(filter, &value)) {
    case PULL_VALUE: begin(filter, value); return true;
    case PULL_FAULT: amla_jq_refuse(filter, value); return true;
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
    jq_set_input_cb(filter->jq, jq_util_input_next_input_cb, filter->place);
    amla_jq_listen(filter);
    jq_set_attr(filter->jq, jv_string("JQ_LIBRARY_PATH"), jv_array());
    jq_set_attr(filter->jq, jv_string("JQ_ORIGIN"), jv_string("/usr/bin"));
    jq_set_attr(filter->jq, jv_string("PROGRAM_ORIGIN"), jv_string("."));
}

/* What is asked of a filter, as one value: what does that may give up in the middle. */
typedef struct {
    AmlaJq *filter;
    const char *text; /* a program, a name or input */
    size_t length;
    AmlaJqState state; /* the answer */
} Request;

static void open_input(AmlaJq *filter)
{
    const AmlaJqOptions *options = &filter->options;
    filter->slurped = jv_array();
    filter->name = jv_string("<stdin>"); /* but jq knows of no input before it has read some */
    if (!options->raw_input)
        filter->parser =
            jv_parser_new((options->stream ? JV_PARSE_STREAMING : 0) | (options->seq ? JV_PARSE_SEQ : 0));
}

/* Colours are jq's, not the filter's: they are chosen before each piece of its work. */
static bool choose_colors(void)
{
    const char *codes = getenv("JQ_COLORS");
    return jq_set_colors(codes ? codes : "");
}

static void demand_colors(AmlaJq *filter)
{
    static const char message[] = "Failed to set $JQ_COLORS\n";
    if (!choose_colors())
        amla_jq_append(&filter->errors, message, sizeof message - 1);
}

/* A spare filter becomes one whose program has not run. */
static void start_again(void *data)
{
    const Request *request = data;
    AmlaJq *filter = request->filter;
    amla_jq_forget_input(filter);
    demand_colors(filter);
    open_input(filter);
}

static void start(void *data)
{
    const Request *request = data;
    AmlaJq *filter = request->filter;
    filter->jq = jq_init();
    connect(filter);
    demand_colors(filter);
    open_input(filter);
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
    amla_jq_append(&filter->input, request->text, request->length);
}

static void name_source(void *data)
{
    const Request *request = data;
    amla_jq_name(request->filter, request->text);
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
    if (filter->options.color_output)
        choose_colors();
    if (!amla_attempt(work, request))
        exhaust(filter);
}

/* A filter that has nothing but its key and, if it is a spare one, its program. */
static AmlaJq *find(const char *program, const AmlaJqOptions *options)
{
    AmlaBuffer key = amla_jq_key(program, options);
    AmlaJq *filter = key.failed ? NULL : amla_jq_spare_take(&key);
    if (filter) {
        amla_buffer_clear(&key);
        return filter;
    }
    filter = calloc(1, sizeof *filter);
    if (filter)
        filter->key = key;
    else
        amla_buffer_clear(&key);
    return filter;
}

AmlaJq *amla_jq_create(const char *program, const AmlaJqOptions *options)
{
    static char *no_environment[] = { NULL };
    AmlaJq *filter = find(program, options);
    if (!filter)
        return NULL;
    filter->options = *options;
    if (!options->environment)
        filter->options.environment = no_environment;
    filter->dump_flags = dump_flags(options);
    filter->last_result = -1;
    filter->status = STATUS_NO_OUTPUT;
    filter->greedy = strstr(program, "input") != NULL;
    filter->last = filter->closed = filter->started = filter->done = false;
    filter->at = filter->line = 0;
    const bool is_spare = filter->heap != NULL;
    if (!is_spare)
        filter->heap = amla_jq_heap_new();
    if (filter->heap)
        fulfil(is_spare ? start_again : start, &(Request){ .filter = filter, .text = program });
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

/* Frees what a filter holds besides its heap. */
static void let_go(AmlaJq *filter)
{
    amla_buffer_clear(&filter->input);
    amla_buffer_clear(&filter->output);
    amla_buffer_clear(&filter->errors);
}

/* Whether its program is compiled and at its end. */
static bool is_whole(const AmlaJq *filter)
{
    return filter->heap && filter->done && !filter->running && filter->status != STATUS_COMPILE &&
           !filter->key.failed && amla_jq_heap_size(filter->heap) <= SPARE_MOST;
}

void amla_jq_free(AmlaJq *filter)
{
    let_go(filter);
    AmlaJq *gone = is_whole(filter) ? amla_jq_spare_keep(filter) : filter;
    if (!gone)
        return;
    amla_jq_heap_drop(gone->heap);
    amla_buffer_clear(&gone->key);
    free(gone);
}
