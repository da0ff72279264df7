/* strptime for jq: the C library's, with `%z` and `%Z`, which that does not know.
 *
 * Both are read over, as glibc reads them: jq takes all times for UTC.
 */
#ifndef AMLA_JQ_STRPTIME_H
#define AMLA_JQ_STRPTIME_H

#include <time.h>

/* As strptime: where in `text` what `format` describes ends, or NULL where it is another. */
char *amla_jq_strptime(const char *text, const char *format, struct tm *time);

#endif
