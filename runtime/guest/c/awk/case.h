/* Upper and lower case. */
#ifndef AWK_CASE_H
#define AWK_CASE_H

#include "value.h"

/* The text in upper or lower case; takes over the reference and gives one. */
AwkText *awk_change_case(AwkVm *vm, AwkText *text, bool upper);

#endif
