/* Which integers gawk would keep in order: those that lie dense enough. */
#ifndef AWK_LEAVES_H
#define AWK_LEAVES_H

#include "array.h"

/* Whether a new integer goes to the dense ones; its range is set aside if so. */
bool awk_leaves_admit(AwkVm *vm, AwkArray *array, uint32_t index);

void awk_leaves_clear(AwkVm *vm, AwkLeaves *leaves);

#endif
