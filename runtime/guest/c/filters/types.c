#include "types.h"

extern const AmlaFilterType amla_filter_cat;
extern const AmlaFilterType amla_filter_grep;

const AmlaFilterType *const amla_filter_types[] = {
    &amla_filter_cat,
    &amla_filter_grep,
};

const size_t amla_filter_type_count = sizeof amla_filter_types / sizeof *amla_filter_types;
