/* Numbers of up to 15 digits, read and written without jq's decimal arithmetic.
 *
 * jq keeps each number of its input as it was written, in decimal: that is most of the
 * work of reading it, and again of calculating with it.  One of up to 15 digits that is
 * written as jq would write it needs no more than its double.  It is told apart from
 * numbers that were calculated by its `offset`, where jq compares both kinds with one that
 * is kept in decimal, and by its `size` from each other, as jq tells values apart.
 */
#ifndef AMLA_JQ_NUMBER_H
#define AMLA_JQ_NUMBER_H

#include <stddef.h>

#include <jv.h>
#include <jv_dtoa.h>

/* The number that `text` is, whose `length` bytes end in NUL; invalid where it is none. */
jv amla_jq_number(const char *text, size_t length);

/* A number of that kind with this value. */
jv amla_jq_written(double value);

/* Write `number` into `buffer` as jvp_dtoa_fmt() does; returns `buffer`. */
char *amla_jq_format(struct dtoa_context *context, char *buffer, double number);

#endif
