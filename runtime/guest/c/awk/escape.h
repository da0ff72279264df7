/* Escape sequences of strings, and names. */
#ifndef AWK_ESCAPE_H
#define AWK_ESCAPE_H

#include "value.h"

/* The bytes of a string literal or of a value on the command line, escapes processed; `place` begins the warnings. */
AwkText *awk_unescape(AwkVm *vm, const char *bytes, size_t length, const char *place);

/* Whether the bytes are the name of a variable. */
bool awk_is_name(const char *bytes, size_t length);

/* name=value of the command line: escapes in the value are processed, and it may be a number. */
void awk_assign_text(AwkVm *vm, const char *name, size_t name_length, const char *value, size_t length);

#endif
