/* The variables that mean something to awk itself. */
#ifndef AWK_SPECIAL_H
#define AWK_SPECIAL_H

#include "value.h"

#define AWK_SPECIALS(X)                                                                                               \
    X(NR) X(NF) X(FNR) X(FS) X(OFS) X(ORS) X(RS) X(CONVFMT) X(OFMT) X(SUBSEP) X(IGNORECASE) X(FIELDWIDTHS) X(FPAT)      \
    X(RSTART) X(RLENGTH) X(RT) X(FILENAME) X(ENVIRON) X(ARGC) X(ARGV) X(PROCINFO) X(ERRNO) X(BINMODE) X(LINT)          \
    X(TEXTDOMAIN) X(ARGIND) X(FUNCTAB) X(SYMTAB)

#define AWK_SPECIAL_NUMBER(name) AWK_##name,
typedef enum { AWK_SPECIALS(AWK_SPECIAL_NUMBER) AWK_SPECIAL_COUNT } AwkSpecial;
#undef AWK_SPECIAL_NUMBER

/* Its name. */
const char *awk_special_variable(AwkSpecial special);

/* Give all their first values.  PROCINFO, ENVIRON, ARGV and ARGC are filled elsewhere. */
void awk_specials_start(AwkVm *vm);

/* The value, a reference of the caller's. */
AwkValue awk_special_get(AwkVm *vm, uint32_t special);

/* Assign; takes the value over and does what follows from it. */
void awk_special_set(AwkVm *vm, uint32_t special, AwkValue value);

/* Assign any variable by its number. */
void awk_special_set_any(AwkVm *vm, uint32_t global, AwkValue value);

/* The value that was assigned to NF, NR or FNR holds no more. */
void awk_special_forget(AwkVm *vm, uint32_t special);

/* Assign one from within, where nothing follows. */
/* ERRNO: why something failed, NULL if it did not. */
void awk_set_errno(AwkVm *vm, const char *reason);

void awk_special_put(AwkVm *vm, uint32_t special, AwkValue value);

#endif
