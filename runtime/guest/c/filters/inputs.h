/* Lines of files that a filter reads side by side (join, comm, paste).
 *
 * Such a filter is told by configure() which file the next feed() or end() is of, and says in its report() which one it
 * wants to go on with; ts/commands/merging.ts drives it.
 */
#ifndef AMLA_FILTER_INPUTS_H
#define AMLA_FILTER_INPUTS_H

#include "filter.h"

typedef struct {
    const uint8_t *data; /* borrowed from the input */
    size_t length;
} AmlaInputLine;

/* Zeroed, it is ready; free with amla_input_clear(). */
typedef struct {
    AmlaBuffer text;
    size_t start, length; /* of the present line */
    size_t next;          /* where the line behind it begins */
    bool present;         /* there is a present line */
    bool whole;           /* no more bytes come */
} AmlaInput;

typedef enum { AMLA_INPUT_LINE, AMLA_INPUT_WANTED, AMLA_INPUT_OVER } AmlaInputState;

/* Take bytes behind those that are there; the present line stays, but moves. */
bool amla_input_feed(AmlaInput *input, const uint8_t *bytes, size_t length);

/* Look at the line behind the present one, which lives until the next feed; WANTED: it is not all there yet. */
AmlaInputState amla_input_peek(const AmlaInput *input, uint8_t end, AmlaInputLine *line);

/* Make the line that was looked at the present one; with NULL, no line is present any more. */
void amla_input_take(AmlaInput *input, const AmlaInputLine *line);

static inline AmlaInputLine amla_input_line(const AmlaInput *input)
{
    return (AmlaInputLine){ input->text.data + input->start, input->length };
}

void amla_input_clear(AmlaInput *input);

/* What a filter's loop asks each time round: whether it has to stop here, and with what. */
bool amla_output_is_full(const AmlaBuffer *out, AmlaFilterState *state);

#endif
