/* jq as a filter that is fed chunks and polled for output.
 *
 * A filter is one run of one program over one stream of input.  The caller
 * alternates: amla_jq_next() until it says AMLA_JQ_WANT, then amla_jq_feed().
 * Nothing blocks and nothing is read or written behind the caller's back.
 *
 * Every call may leave text for standard output and for standard error, which the
 * caller takes away.  The error text comes first in time.
 *
 * jq stands still after some thousand instructions, to see the guest's interrupt
 * flag and to let others run.  Where it aborts for want of memory, the filter is done:
 * its memory is a heap of its own (jq_heap.h), which is dropped.
 */
#ifndef AMLA_JQ_FILTER_H
#define AMLA_JQ_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "filters/buffer.h"

typedef struct AmlaJq AmlaJq;

/* jq's command-line options of the same names; zero is jq's default except for indent. */
typedef struct {
    bool null_input, raw_input, slurp, stream, seq;
    bool raw_output, join_output, raw_output0, ascii_output, sort_keys, color_output, tab;
    bool exit_status;
    int indent;             /* 0 (compact) to 7 */
    const char *named;      /* a JSON object for $ARGS.named and the variables, or NULL */
    const char *positional; /* a JSON array for $ARGS.positional, or NULL */
    char **environment;     /* NAME=value, NULL-terminated, for $ENV; outlives the filter; or NULL */
} AmlaJqOptions;

typedef enum {
    AMLA_JQ_OUTPUT,      /* there is output or error text; call again */
    AMLA_JQ_WANT,        /* feed input, or tell its end, before calling again */
    AMLA_JQ_DONE,        /* nothing more will come; amla_jq_status() is final */
    AMLA_JQ_INTERRUPTED, /* the interrupt flag was up; the filter is of no more use */
    AMLA_JQ_PAUSE,       /* the program has run for a while; call again */
} AmlaJqState;

/* Start `program` (NUL-terminated, need not outlive the call).  A program that does not
 * compile makes a filter that is done, with status 3 and jq's messages as its error
 * text.  NULL without memory.  Free with amla_jq_free(). */
AmlaJq *amla_jq_create(const char *program, const AmlaJqOptions *options);

/* Give the next `length` bytes of input, copied.  Only before the first
 * amla_jq_next() or after AMLA_JQ_WANT. */
void amla_jq_feed(AmlaJq *filter, const char *bytes, size_t length);

/* Tell that no more input follows. */
void amla_jq_end(AmlaJq *filter);

/* Name the file that the coming bytes are from, and count its lines from 0;
 * errors say "<stdin>" until then. */
void amla_jq_source(AmlaJq *filter, const char *name);

AmlaJqState amla_jq_next(AmlaJq *filter);

/* What is there for standard output and for standard error; whoever takes it sets the length to 0. */
AmlaBuffer *amla_jq_output(AmlaJq *filter);
AmlaBuffer *amla_jq_errors(AmlaJq *filter);

/* The exit status that jq has after this input. */
int amla_jq_status(const AmlaJq *filter);

void amla_jq_free(AmlaJq *filter);

#endif
