/* What a jq filter is, for the files that make it up: jq_filter.c runs it, jq_input.c reads for it,
 * jq_output.c says what comes of it.  All but jq_filter.c work within an attempt (attempt.h). */
#ifndef AMLA_JQ_STATE_H
#define AMLA_JQ_STATE_H

#include "jq_filter.h"

#include <jq.h>
#include <jv.h>

#include "jq_heap.h"

enum {
    STATUS_OK = 0,
    STATUS_NULL = 1,
    STATUS_COMPILE = 3,
    STATUS_NO_OUTPUT = 4,
    STATUS_ERROR = 5,
    STATUS_ABORTED = 134, /* 128 + SIGABRT */
};

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
    AmlaBuffer key; /* by which it is found when it is a spare one (jq_spare.h) */
};

/* The next input.  `value` is invalid unless it is one, with a message for a fault. */
Pull amla_jq_pull(AmlaJq *filter, jv *value);

/* Name the file that the coming input is from. */
void amla_jq_name(AmlaJq *filter, const char *name);

/* Free what belongs to the input; jq knows of none then. */
void amla_jq_forget_input(AmlaJq *filter);

void amla_jq_append(AmlaBuffer *text, const char *bytes, size_t length);

/* Let jq say what it has to say through the filter. */
void amla_jq_listen(AmlaJq *filter);

/* Write `result`, which is consumed.  False when it cannot be written. */
bool amla_jq_write(AmlaJq *filter, jv result);

/* Tell of an error.  Consumes `message`. */
void amla_jq_report(AmlaJq *filter, jv message);

/* Tell of input that is no JSON, which ends the filter unless it reads a sequence.  Consumes `fault`. */
void amla_jq_refuse(AmlaJq *filter, jv fault);

/* `halt` and `halt_error`. */
void amla_jq_halt(AmlaJq *filter);

#endif
