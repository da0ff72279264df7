#include "types.h"

extern const AmlaFilterType amla_filter_cat;

const AmlaFilterType *const amla_filter_types[] = {
    &amla_filter_cat,
};

const size_t amla_filter_type_count = sizeof amla_filter_types / sizeof *amla_filter_types;
