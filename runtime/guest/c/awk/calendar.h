/* The calendar in UTC, and strftime's formats with the GNU flags. */
#ifndef AWK_CALENDAR_H
#define AWK_CALENDAR_H

#include "filters/buffer.h"

/* Append the time, seconds since 1970, as the format says; `zone` is what %Z is. */
void awk_format_time(const char *format, size_t length, int64_t seconds, const char *zone, AmlaBuffer *out);

/* Seconds since 1970 of a date whose parts may be out of their range. */
double awk_seconds_of(long year, long month, long day, long hour, long minute, long second);

#endif
