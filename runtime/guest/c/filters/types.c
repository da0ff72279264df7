#include "types.h"

extern const AmlaFilterType amla_filter_cat;
extern const AmlaFilterType amla_filter_cut;
extern const AmlaFilterType amla_filter_grep;
extern const AmlaFilterType amla_filter_head;
extern const AmlaFilterType amla_filter_seq;
extern const AmlaFilterType amla_filter_sort;
extern const AmlaFilterType amla_filter_tail;
extern const AmlaFilterType amla_filter_tr;
extern const AmlaFilterType amla_filter_uniq;
extern const AmlaFilterType amla_filter_wc;

const AmlaFilterType *const amla_filter_types[] = {
    &amla_filter_cat,
    &amla_filter_cut,
    &amla_filter_grep,
    &amla_filter_head,
    &amla_filter_seq,
    &amla_filter_sort,
    &amla_filter_tail,
    &amla_filter_tr,
    &amla_filter_uniq,
    &amla_filter_wc,
};

const size_t amla_filter_type_count = sizeof amla_filter_types / sizeof *amla_filter_types;
