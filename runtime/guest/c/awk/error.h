/* Messages, worded as gawk's, on standard error. */
#ifndef AWK_ERROR_H
#define AWK_ERROR_H

#include "step.h"
#include "value.h"

/* Ends the program with status 2: "awk: cmd. line:1: fatal: …".  AWK_FAIL. */
__attribute__((format(printf, 2, 3))) AwkStep awk_fatal(AwkVm *vm, const char *format, ...);

/* As awk_fatal(), for what belongs to no line of the program. */
__attribute__((format(printf, 2, 3))) AwkStep awk_fatal_plainly(AwkVm *vm, const char *format, ...);

__attribute__((format(printf, 2, 3))) void awk_warn(AwkVm *vm, const char *format, ...);

__attribute__((format(printf, 2, 3))) void awk_warn_plainly(AwkVm *vm, const char *format, ...);

/* Bytes on standard error, which are written with the next request. */
void awk_error_write(AwkVm *vm, const char *bytes, size_t length);

__attribute__((format(printf, 2, 3))) void awk_error_print(AwkVm *vm, const char *format, ...);

#endif
