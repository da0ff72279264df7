/* Which lines two texts have in common: Myers' comparison from both ends, with the adjustments that GNU diff makes so
 * that its choice among equally short answers is the same here.
 *
 *   sides.c    lines and their classes: lines that count as the same are of one class
 *   ends.c     lines at both ends that are the same need no comparison
 *   discard.c  lines without a partner are left out of the comparison
 *   compare.c  the comparison
 *   shift.c    changes slide to where GNU diff has them
 */
#ifndef AMLA_DIFF_H
#define AMLA_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AMLA_DIFF_IGNORE_CASE = 1 << 0,
    AMLA_DIFF_IGNORE_ALL_SPACE = 1 << 1,
    AMLA_DIFF_IGNORE_SPACE_CHANGE = 1 << 2,
    AMLA_DIFF_IGNORE_TRAILING_SPACE = 1 << 3,
    AMLA_DIFF_STRIP_RETURN = 1 << 4, /* --strip-trailing-cr: lines come without it already; their ends are alike */
    AMLA_DIFF_MINIMAL = 1 << 5,
    AMLA_DIFF_IGNORE_TAB_EXPANSION = 1 << 6,
    AMLA_DIFF_IGNORE_OPEN_END = 1 << 7, /* a last line is the same with and without its newline */
};

typedef struct {
    const uint8_t *text; /* lent */
    size_t length;
    size_t *starts;      /* owned: of each line, and the length */
    uint32_t *classes;   /* owned */
    uint8_t *flags;      /* owned: one for each line, a zero before and one behind */
    uint8_t *changed;    /* flags + 1 */
    size_t lines;
    bool open_end; /* the last line has no newline */

    size_t first, last;  /* lines that are compared: those between the ends */
    uint32_t *kept;      /* owned: classes of those that were not discarded, */
    size_t *places;      /* owned: and which lines they are, from `first` */
    size_t kept_count;
} AmlaDiffSide;

typedef struct {
    AmlaDiffSide sides[2];
    unsigned flags;
    size_t horizon; /* lines that the same ends leave to the comparison */
    size_t class_count;
} AmlaDiff;

typedef enum { AMLA_DIFF_FINE, AMLA_DIFF_INTERRUPTED, AMLA_DIFF_MEMORY } AmlaDiffResult;

/* Fills sides[].starts and .changed; the caller has set text, length, flags, horizon. */
AmlaDiffResult amla_diff_run(AmlaDiff *diff);

void amla_diff_clear(AmlaDiff *diff);

/* The parts; false without memory. */
bool diff_split(AmlaDiff *diff);
bool diff_classify(AmlaDiff *diff);
void diff_find_ends(AmlaDiff *diff);
bool diff_discard(AmlaDiff *diff);
AmlaDiffResult diff_compare(AmlaDiff *diff);
void diff_shift(AmlaDiff *diff);

#endif
