/* The table of all filters: types.c lists each, one line a command. */
#ifndef AMLA_FILTER_TYPES_H
#define AMLA_FILTER_TYPES_H

#include "filter.h"

extern const AmlaFilterType *const amla_filter_types[];
extern const size_t amla_filter_type_count;

#endif
