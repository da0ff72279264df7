/* The calendar, and strftime's formats with the GNU flags. */
#ifndef AWK_CALENDAR_H
#define AWK_CALENDAR_H

#include "filters/buffer.h"

/* Append the time, seconds since 1970, as the format says; local time is `offset` seconds ahead of UTC, `zone` is what
 * %Z is. */
void awk_format_time(const char *format, size_t length, int64_t seconds, int offset, const char *zone,
                     AmlaBuffer *out);

/* Seconds since 1970, in UTC, of a date whose parts may be out of their range. */
double awk_seconds_of(long year, long month, long day, long hour, long minute, long second);

#endif
