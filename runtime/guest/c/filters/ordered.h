/* The two files of join and comm: each line is looked at in turn, and whether it is in order. */
#ifndef AMLA_FILTER_ORDERED_H
#define AMLA_FILTER_ORDERED_H

#include "inputs.h"

typedef enum { AMLA_ORDER_NEVER, AMLA_ORDER_UNPAIRED, AMLA_ORDER_ALWAYS } AmlaOrderCheck;

/* What a line is ordered by: a part of it. */
typedef AmlaInputLine AmlaKeyOf(const void *self, int side, AmlaInputLine line);
typedef int AmlaKeyOrder(const void *self, AmlaInputLine left, AmlaInputLine right);

typedef struct {
    AmlaInput input;
    size_t key, key_length; /* of the present line; the first is a place in it */
    bool due;               /* the present line is done with */
    uint64_t number;        /* of the present line */
    AmlaBuffer stray;       /* the first line that was out of order */
    uint64_t stray_number;  /* 0: none was */
} AmlaOrderedSide;

typedef struct {
    AmlaOrderedSide sides[2];
    AmlaOrderCheck check;
    uint8_t end;
    bool unpaired; /* a line was alone: order matters from here on */
    int source, wanted;
    AmlaKeyOf *key_of;
    AmlaKeyOrder *order;
    const void *self; /* for the two above */
} AmlaOrderedFiles;

/* Reads the options end, checking, source; `sides` must be zeroed, and both start before their first line. */
void amla_ordered_create(AmlaOrderedFiles *files, JSContext *ctx, JSValueConst options);
void amla_ordered_configure(AmlaOrderedFiles *files, JSContext *ctx, JSValueConst options);

/* Bytes of the file that is told of, or its end. */
bool amla_ordered_feed(AmlaOrderedFiles *files, const uint8_t *bytes, size_t length);
void amla_ordered_end(AmlaOrderedFiles *files);

/* Go to the next lines where they are due.  True: the present lines are there, unless their files are at an end.  False:
 * the filter returns *state; FULL once for each file that is out of order, so that this is told where it was found. */
bool amla_ordered_advance(AmlaOrderedFiles *files, AmlaFilterState *state);

static inline bool amla_ordered_has(const AmlaOrderedFiles *files, int side)
{
    return files->sides[side].input.present;
}

static inline AmlaInputLine amla_ordered_line(const AmlaOrderedFiles *files, int side)
{
    return amla_input_line(&files->sides[side].input);
}

static inline AmlaInputLine amla_ordered_key(const AmlaOrderedFiles *files, int side)
{
    return (AmlaInputLine){ amla_ordered_line(files, side).data + files->sides[side].key, files->sides[side].key_length };
}

/* [wanted file, strays], where a stray is [file, number, line]. */
JSValue amla_ordered_report(JSContext *ctx, const AmlaOrderedFiles *files);

void amla_ordered_clear(AmlaOrderedFiles *files);

/* By bytes, a longer text after its start. */
static inline int amla_order_bytes(AmlaInputLine left, AmlaInputLine right)
{
    const size_t common = left.length < right.length ? left.length : right.length;
    const int order = common ? memcmp(left.data, right.data, common) : 0;
    return order ? order : (left.length > right.length) - (left.length < right.length);
}

#endif
