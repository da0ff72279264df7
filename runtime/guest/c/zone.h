/* The local time zone of a run, for `Date`.
 *
 * UTC unless the run says otherwise.  Then the zone's changes are asked of the system
 * realm's handler `localTimes` when they are first needed.
 */
#ifndef AMLA_ZONE_H
#define AMLA_ZONE_H

#include "engine.h"

/* Milliseconds that local time is ahead of UTC, at a moment (milliseconds since 1970) or,
 * with `local`, at a local time written so: of two moments the earlier, for a time that
 * clocks skip the one by the offset before the gap. */
double amla_zone_offset(double time, bool local);

/* The name of the zone at a moment, or "" if it has none.  Borrowed until the zone changes. */
const char *amla_zone_name(double time);

/* Define the functions of the group `zone` on `object`. */
int amla_native_zone(JSContext *ctx, JSValueConst object);

#endif
