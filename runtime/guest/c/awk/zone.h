/* The local time zone of a run of awk: UTC unless it is given changes. */
#ifndef AWK_ZONE_H
#define AWK_ZONE_H

#include <stdint.h>

#include "pool.h"

/* From a moment on (seconds since 1970), local time is `offset` seconds ahead of UTC.  The layout of what is given. */
typedef struct {
    double from, offset;
} AwkZoneChange;

typedef struct {
    const AwkZoneChange *changes; /* of the pool, by rising moments; NULL for UTC */
    const char *const *names;     /* abbreviations, one for each change */
    uint32_t count;
} AwkZone;

typedef struct {
    double offset; /* seconds */
    const char *name;
} AwkLocalTime;

AwkLocalTime awk_local_time(const AwkZone *zone, double seconds);

/* The moment at which clocks show `wall`, seconds since 1970 as if in UTC: of two the earlier, for a time that clocks
 * skip the one by the offset before. */
double awk_moment_of(const AwkZone *zone, double wall);

/* Take a copy: `size` bytes of changes, and as many names with a NUL behind each. */
void awk_zone_give(AwkPool *pool, AwkZone *zone, const void *changes, size_t size, const char *names, size_t length);

#endif
