#include <stdlib.h>

#include "diff.h"

enum { KEPT = 0, ALONE = 1, FREQUENT = 2 }; /* has no partner; has so many that it says little */

static size_t *count_classes(const AmlaDiff *diff, const AmlaDiffSide *side)
{
    size_t *counts = calloc(diff->class_count, sizeof *counts);
    for (size_t i = side->first; counts && i < side->last; i++)
        counts[side->classes[i]]++;
    return counts;
}

static void mark(const AmlaDiffSide *side, const size_t *others, uint8_t *marks)
{
    const size_t lines = side->last - side->first;
    size_t many = 5;
    for (size_t rest = lines / 256; rest > 0; rest /= 4)
        many *= 2;
    for (size_t i = 0; i < lines; i++) {
        const size_t partners = others[side->classes[side->first + i]];
        marks[i] = partners == 0 ? ALONE : partners > many ? FREQUENT : KEPT;
    }
}

/* Keeps all frequent lines in groups of `least` and more. */
static void keep_groups(uint8_t *marks, size_t length, size_t least)
{
    size_t group = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && marks[i] == FREQUENT) {
            group++;
            continue;
        }
        for (size_t k = group >= least ? group : 0; k > 0; k--)
            marks[i - k] = KEPT;
        group = 0;
    }
}

/* Keeps frequent lines from one end of a run until three lines that stay marked follow each other, or until one is
 * eight lines in.  `step` is 1, or -1 from the end. */
static void keep_margin(uint8_t *marks, size_t length, int step)
{
    size_t row = 0;
    for (size_t i = 0; i < length && row < 3; i++, marks += step) {
        if (i >= 8 && *marks == ALONE)
            return;
        row = *marks == ALONE ? row + 1 : 0;
        if (*marks == FREQUENT)
            *marks = KEPT;
    }
}

/* marks[0..length) begins and ends with ALONE. */
static void settle_run(uint8_t *marks, size_t length, size_t frequent)
{
    if (frequent * 4 > length) {
        for (size_t i = 0; i < length; i++)
            if (marks[i] == FREQUENT)
                marks[i] = KEPT;
        return;
    }
    size_t least = 1;
    for (size_t rest = length >> 4; rest > 0; rest >>= 2)
        least *= 2;
    keep_groups(marks, length, least + 1);
    keep_margin(marks, length, 1);
    keep_margin(marks + length - 1, length, -1);
}

/* A frequent line is left out only amid lines that have no partner. */
static void settle(uint8_t *marks, size_t lines)
{
    for (size_t i = 0; i < lines;) {
        if (marks[i] != ALONE) {
            marks[i++] = KEPT;
            continue;
        }
        size_t end = i, frequent = 0;
        for (; end < lines && marks[end] != KEPT; end++)
            frequent += marks[end] == FREQUENT;
        for (; marks[end - 1] == FREQUENT; frequent--)
            marks[--end] = KEPT;
        settle_run(marks + i, end - i, frequent);
        i = end;
    }
}

static bool keep(const AmlaDiff *diff, AmlaDiffSide *side, const uint8_t *marks)
{
    const size_t lines = side->last - side->first;
    side->kept = malloc((lines + 1) * sizeof *side->kept);
    side->places = malloc((lines + 1) * sizeof *side->places);
    if (!side->kept || !side->places)
        return false;
    for (size_t i = 0; i < lines; i++) {
        if (marks[i] != KEPT && !(diff->flags & AMLA_DIFF_MINIMAL)) {
            side->changed[side->first + i] = 1;
            continue;
        }
        side->kept[side->kept_count] = side->classes[side->first + i];
        side->places[side->kept_count++] = side->first + i;
    }
    return true;
}

bool diff_discard(AmlaDiff *diff)
{
    bool fine = true;
    for (int i = 0; fine && i < 2; i++) {
        AmlaDiffSide *side = &diff->sides[i];
        const size_t lines = side->last - side->first;
        size_t *others = count_classes(diff, &diff->sides[1 - i]);
        uint8_t *marks = malloc(lines + 1);
        fine = others && marks;
        if (fine) {
            mark(side, others, marks);
            settle(marks, lines);
            fine = keep(diff, side, marks);
        }
        free(others);
        free(marks);
    }
    return fine;
}
