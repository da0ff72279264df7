#include "types.h"

extern const AmlaFilterType amla_filter_basenc;
extern const AmlaFilterType amla_filter_blake2;
extern const AmlaFilterType amla_filter_cat;
extern const AmlaFilterType amla_filter_comm;
extern const AmlaFilterType amla_filter_cut;
extern const AmlaFilterType amla_filter_deflate;
extern const AmlaFilterType amla_filter_expand;
extern const AmlaFilterType amla_filter_fmt;
extern const AmlaFilterType amla_filter_fold;
extern const AmlaFilterType amla_filter_grep;
extern const AmlaFilterType amla_filter_head;
extern const AmlaFilterType amla_filter_hexdump;
extern const AmlaFilterType amla_filter_inflate;
extern const AmlaFilterType amla_filter_join;
extern const AmlaFilterType amla_filter_nl;
extern const AmlaFilterType amla_filter_od;
extern const AmlaFilterType amla_filter_paste;
extern const AmlaFilterType amla_filter_rev;
extern const AmlaFilterType amla_filter_seq;
extern const AmlaFilterType amla_filter_sort;
extern const AmlaFilterType amla_filter_sort_merge;
extern const AmlaFilterType amla_filter_strings;
extern const AmlaFilterType amla_filter_sums;
extern const AmlaFilterType amla_filter_tac;
extern const AmlaFilterType amla_filter_tail;
extern const AmlaFilterType amla_filter_tr;
extern const AmlaFilterType amla_filter_unexpand;
extern const AmlaFilterType amla_filter_uniq;
extern const AmlaFilterType amla_filter_wc;
extern const AmlaFilterType amla_filter_xxd;
extern const AmlaFilterType amla_filter_xxd_revert;

const AmlaFilterType *const amla_filter_types[] = {
    &amla_filter_basenc,
    &amla_filter_blake2,
    &amla_filter_cat,
    &amla_filter_comm,
    &amla_filter_cut,
    &amla_filter_deflate,
    &amla_filter_expand,
    &amla_filter_fmt,
    &amla_filter_fold,
    &amla_filter_grep,
    &amla_filter_head,
    &amla_filter_hexdump,
    &amla_filter_inflate,
    &amla_filter_join,
    &amla_filter_nl,
    &amla_filter_od,
    &amla_filter_paste,
    &amla_filter_rev,
    &amla_filter_seq,
    &amla_filter_sort,
    &amla_filter_sort_merge,
    &amla_filter_strings,
    &amla_filter_sums,
    &amla_filter_tac,
    &amla_filter_tail,
    &amla_filter_tr,
    &amla_filter_unexpand,
    &amla_filter_uniq,
    &amla_filter_wc,
    &amla_filter_xxd,
    &amla_filter_xxd_revert,
};

const size_t amla_filter_type_count = sizeof amla_filter_types / sizeof *amla_filter_types;
