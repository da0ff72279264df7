/* Where fmt breaks a paragraph into lines: the way that costs least.  A line costs by how far its length is from the goal,
 * by how much it differs from the next one's, and by where it is broken; the last line is free.  Costs are GNU fmt's. */
#ifndef AMLA_FMT_BREAK_H
#define AMLA_FMT_BREAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t start;  /* of its text in the paragraph's */
    int32_t length;
    int32_t space; /* blanks behind it where the line goes on */
    bool opens, punctuated; /* begins with an opening bracket or quote; ends with punctuation */
    bool period, final;     /* ends with a mark that can end a sentence; ends one */
    /* What break_words() finds, if a line begins here: where the next begins, how long it is, what all from here cost. */
    uint32_t next;
    int32_t line;
    int64_t cost;
} FmtWord;

typedef struct {
    int32_t most, goal, first_indent, indent;
} FmtMeasures;

/* Choose breaks; follow `next` from 0 on.  `before`: the length of the line before, or 0. */
void fmt_break_words(FmtWord *words, uint32_t count, const FmtMeasures *measures, int32_t before);

/* Where to end a part of a paragraph that is too long to be looked at at once. */
uint32_t fmt_part_end(const FmtWord *words, uint32_t count);

#endif
