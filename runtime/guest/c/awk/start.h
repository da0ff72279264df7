/* From source texts to a program that is ready to run. */
#ifndef AWK_START_H
#define AWK_START_H

#include "value.h"

/* Compile, set up the variables, assign what the command line says.  Mistakes lead to the end of the run. */
void awk_start(AwkVm *vm);

#endif
