/* Where tabs lead to, for expand and unexpand. */
#ifndef AMLA_FILTER_TAB_STOPS_H
#define AMLA_FILTER_TAB_STOPS_H

#include "filter.h"

typedef struct {
    uint32_t *stops; /* owned: ascending columns */
    size_t count;
    uint32_t every;  /* behind the last stop: multiples of it, or 0 for no more stops */
    bool from_last;  /* those multiples count from the last stop */
} AmlaTabStops;

/* Options: stops (u32 values as bytes), every, fromLast.  0, or -1 with an exception pending. */
int amla_tab_stops_read(JSContext *ctx, JSValueConst options, AmlaTabStops *stops);

/* The first stop behind a column; 0 when there is none. */
uint64_t amla_tab_stop(const AmlaTabStops *stops, uint64_t column);

void amla_tab_stops_free(AmlaTabStops *stops);

#endif
