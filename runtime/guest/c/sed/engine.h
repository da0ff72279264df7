/* The engine's own state, shared by its parts. */
#ifndef SED_ENGINE_H
#define SED_ENGINE_H

#include "program.h"
#include "regex/utf8.h"
#include "sed.h"
#include "source.h"

/* A space of the program; `ended` says whether its last line had its end. */
typedef struct {
    AmlaBuffer text;
    bool ended;
} SedSpace;

typedef struct {
    AmlaBuffer name;    /* empty for the first two */
    AmlaBuffer pending; /* not yet asked to be written */
    bool open_line;     /* what was written last had no end */
    size_t into;        /* the output whose pending bytes these are: its own, or 0 */
} SedOutput;

/* What is put out when the cycle ends. */
typedef struct {
    char command;       /* a: text, r: a file, R: text among `lines` */
    const SedCommand *of;
    size_t start, length; /* in `lines` */
} SedLater;

typedef enum { SED_STARTING, SED_READING, SED_RUNNING, SED_ENDING, SED_APPENDING, SED_STOPPING } SedPhase;

/* What comes behind the appended texts. */
typedef enum { SED_THEN_CYCLE, SED_THEN_AGAIN, SED_THEN_LINE, SED_THEN_JOIN, SED_THEN_STOP } SedThen;

struct AmlaSed {
    AmlaSedOptions options;
    SedSource source;
    SedProgram program;
    char end; /* of lines */

    SedSpace pattern, hold;
    AmlaBuffer work;
    AmlaRegex *last_regex; /* of the program */
    bool replaced;         /* for t */

    SedPhase phase;
    SedThen then;
    size_t pc;
    unsigned steps;

    AmlaBuffer held; /* input; used up to `at`, searched for an end of line up to `scanned` */
    size_t at, scanned;
    bool opened, file_over, input_over;
    char *file; /* owned: the current one's name */
    uint64_t line;

    SedLater *later;
    size_t later_count, later_room, later_at;
    AmlaBuffer lines, answer;
    bool answered;
    bool again; /* the command's work was left for a request */

    SedOutput *outputs;
    size_t output_count, created;
    bool full; /* an output has much pending */

    AmlaSedRequest request;
    int status;
    char fault[256];
    bool parsed;
    bool memory; /* it ran out */
};

/* How a step of the engine ended. */
typedef enum {
    SED_GO,   /* go on */
    SED_WANT, /* `request` has to be answered; then the same step is done again */
    SED_STOP, /* the engine has failed */
} SedOutcome;

/* The character at text[0..left), left > 0, and its length: a byte that is none of ASCII as rx_decode() has those that
 * are no characters, where each byte is one. */
static inline size_t sed_decode(const AmlaSed *sed, const uint8_t *text, size_t left, uint32_t *c)
{
    return rx_decode(text, sed->options.bytewise ? 1 : left, c);
}

/* parser.c: the whole script.  False with a fault. */
bool sed_parse(AmlaSed *sed);

/* A message of a wrong script at its place; always false. */
bool sed_wrong(AmlaSed *sed, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A fault of the run, for SED_STOP. */
SedOutcome sed_fail(AmlaSed *sed, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* input.c: */
typedef enum { SED_NO, SED_YES, SED_UNKNOWN } SedAnswer;

/* Whether this is the last line; SED_UNKNOWN after a request. */
SedAnswer sed_at_last(AmlaSed *sed);
/* Reads a line to the pattern space, or behind what is there; *found is false at the end of all input. */
SedOutcome sed_read_line(AmlaSed *sed, bool join, bool *found);

/* output.c: */
#define SED_MAIN(sed) ((sed)->options.in_place ? 1u : 0u)
/* The number of the output of that name; SED_NO_OUTPUT without memory. */
size_t sed_output(AmlaSed *sed, const AmlaBuffer *name);
void sed_put(AmlaSed *sed, size_t output, const void *bytes, size_t length);
/* A line; an end is put behind it if `ended`. */
void sed_put_line(AmlaSed *sed, size_t output, const void *bytes, size_t length, bool ended);
/* Closes a line without end, as before anything else is written. */
void sed_put_missing_end(AmlaSed *sed, size_t output);
/* The text of i or c, whose last newline becomes the end of lines. */
void sed_put_block(AmlaSed *sed, size_t output, const AmlaBuffer *text);
/* Asks to write something that is pending; false when nothing is. */
bool sed_flush(AmlaSed *sed);
SedOutcome sed_want(AmlaSed *sed, AmlaSedState state, size_t stream, const void *text, size_t length);

/* address.c: */
SedAnswer sed_selects(AmlaSed *sed, SedCommand *command);
void sed_reset_ranges(AmlaSed *sed);
/* The regex, or the last one used; NULL after a fault. */
AmlaRegex *sed_regex(AmlaSed *sed, const SedRegex *regex);
SedOutcome sed_regex_failed(AmlaSed *sed, AmlaRegexResult result);

/* commands.c: does the command at pc, and moves on. */
SedOutcome sed_execute(AmlaSed *sed);
/* Puts out text at the end of the cycle. */
bool sed_later(AmlaSed *sed, SedLater later);

/* substitute.c, translate.c, list.c: */
SedOutcome sed_substitute(AmlaSed *sed, const SedSubstitution *substitution);
void sed_translate(AmlaSed *sed, const SedTranslation *translation);
void sed_list(AmlaSed *sed, uint64_t width);

#endif
