/* paste.  Options: columns (u32s: for each, which file its lines are of), delimiters (u32s: bytes, or 256 for nothing),
 * serial (all lines of a file on one), end (what ends lines).  Before feed() or end(): source.  Report: the file wanted. */
#include <stdlib.h>

#include "filter.h"
#include "inputs.h"
#include "options.h"

enum { NOTHING = 256 };

typedef struct {
    uint32_t *columns, *delimiters; /* owned */
    size_t column_count, delimiter_count;
    bool serial;
    uint8_t end;
    AmlaInput *inputs; /* owned */
    size_t input_count, source;
    size_t column;  /* where the row goes on; of serial files, which one it is */
    size_t line;    /* of a serial file, how many are printed */
    bool any;       /* the row has a line */
    AmlaBuffer row; /* what there is of it */
} Paste;

static int configure(JSContext *ctx, void *self, JSValueConst options)
{
    Paste *paste = self;
    paste->source = (size_t)amla_option_integer(ctx, options, "source", 0);
    return 0;
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Paste *paste = self;
    paste->columns = (uint32_t *)amla_option_text(ctx, options, "columns", &paste->column_count);
    paste->delimiters = (uint32_t *)amla_option_text(ctx, options, "delimiters", &paste->delimiter_count);
    paste->serial = amla_option_flag(ctx, options, "serial");
    paste->end = (uint8_t)amla_option_integer(ctx, options, "end", '\n');
    paste->column_count /= sizeof *paste->columns;
    paste->delimiter_count /= sizeof *paste->delimiters;
    for (size_t i = 0; paste->columns && i < paste->column_count; i++)
        if (paste->columns[i] >= paste->input_count)
            paste->input_count = paste->columns[i] + 1;
    paste->inputs = calloc(paste->input_count + 1, sizeof *paste->inputs);
    if (paste->columns && paste->delimiters && paste->inputs)
        return 0;
    JS_ThrowOutOfMemory(ctx);
    return -1;
}

static void put_delimiter(Paste *paste, size_t index, AmlaBuffer *out)
{
    const uint32_t delimiter = paste->delimiters[index % paste->delimiter_count];
    if (delimiter != NOTHING)
        amla_buffer_put(out, (uint8_t)delimiter);
}

static void end_row(Paste *paste, AmlaBuffer *out)
{
    amla_buffer_put(&paste->row, paste->end);
    amla_buffer_append(out, paste->row.data, paste->row.length);
    paste->row.length = paste->column = 0;
    paste->any = false;
}

/* The next column of the row, or what keeps it from being printed. */
static AmlaInputState next_column(Paste *paste)
{
    AmlaInputLine line;
    AmlaInput *input = &paste->inputs[paste->columns[paste->column]];
    const AmlaInputState state = amla_input_peek(input, paste->end, &line);
    if (state == AMLA_INPUT_WANTED)
        return state;
    if (paste->column > 0)
        put_delimiter(paste, paste->column - 1, &paste->row);
    if (state == AMLA_INPUT_LINE) {
        amla_buffer_append(&paste->row, line.data, line.length);
        amla_input_take(input, &line);
        amla_input_take(input, NULL);
        paste->any = true;
    }
    paste->column++;
    return state;
}

static AmlaFilterState put_rows(Paste *paste, AmlaBuffer *out)
{
    for (AmlaFilterState state = AMLA_FILTER_MORE;;) {
        if (amla_output_is_full(out, &state))
            return state;
        while (paste->column < paste->column_count)
            if (next_column(paste) == AMLA_INPUT_WANTED)
                return paste->row.failed ? AMLA_FILTER_MEMORY : AMLA_FILTER_MORE;
        if (!paste->any)
            return AMLA_FILTER_DONE;
        end_row(paste, out);
    }
}

static AmlaFilterState put_files(Paste *paste, AmlaBuffer *out)
{
    AmlaFilterState state = AMLA_FILTER_MORE;
    while (paste->column < paste->column_count) {
        if (amla_output_is_full(out, &state))
            return state;
        AmlaInputLine line;
        AmlaInput *input = &paste->inputs[paste->columns[paste->column]];
        const AmlaInputState found = amla_input_peek(input, paste->end, &line);
        if (found == AMLA_INPUT_WANTED)
            return AMLA_FILTER_MORE;
        if (found == AMLA_INPUT_OVER) {
            amla_buffer_put(out, paste->end);
            paste->column++;
            paste->line = 0;
            continue;
        }
        if (paste->line++ > 0)
            put_delimiter(paste, paste->line - 2, out);
        amla_buffer_append(out, line.data, line.length);
        amla_input_take(input, &line);
        amla_input_take(input, NULL);
    }
    return AMLA_FILTER_DONE;
}

static AmlaFilterState put(Paste *paste, AmlaBuffer *out)
{
    return paste->serial ? put_files(paste, out) : put_rows(paste, out);
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Paste *paste = self;
    if (paste->source >= paste->input_count)
        return AMLA_FILTER_DONE;
    return amla_input_feed(&paste->inputs[paste->source], bytes, length) ? put(paste, out) : AMLA_FILTER_MEMORY;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Paste *paste = self;
    if (paste->source < paste->input_count)
        paste->inputs[paste->source].whole = true;
    return put(paste, out);
}

static JSValue report(JSContext *ctx, void *self)
{
    const Paste *paste = self;
    return JS_NewInt32(ctx, paste->column < paste->column_count ? (int32_t)paste->columns[paste->column] : 0);
}

static void destroy(void *self)
{
    Paste *paste = self;
    for (size_t i = 0; paste->inputs && i < paste->input_count; i++)
        amla_input_clear(&paste->inputs[i]);
    free(paste->inputs);
    free(paste->columns);
    free(paste->delimiters);
    amla_buffer_clear(&paste->row);
}

const AmlaFilterType amla_filter_paste = {
    .name = "paste",
    .size = sizeof(Paste),
    .create = create,
    .configure = configure,
    .feed = feed,
    .end = end,
    .report = report,
    .destroy = destroy,
};
