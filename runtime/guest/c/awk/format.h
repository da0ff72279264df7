/* printf's formats. */
#ifndef AWK_FORMAT_H
#define AWK_FORMAT_H

#include "filters/buffer.h"
#include "value.h"

/* Append the values as the format says; fatal when there are too few of them. */
void awk_format(AwkVm *vm, const AwkText *format, AwkValue *values, uint32_t count, AmlaBuffer *out);

/* One number as a text, as CONVFMT wants it. */
AwkText *awk_format_number(AwkVm *vm, const AwkText *format, double number);

#endif
