#include "tab_stops.h"

#include <stdlib.h>

#include "options.h"

int amla_tab_stops_read(JSContext *ctx, JSValueConst options, AmlaTabStops *stops)
{
    size_t length = 0;
    stops->stops = (uint32_t *)amla_option_text(ctx, options, "stops", &length);
    stops->count = length / sizeof *stops->stops;
    stops->every = (uint32_t)amla_option_integer(ctx, options, "every", 0);
    stops->from_last = amla_option_flag(ctx, options, "fromLast");
    if (stops->stops)
        return 0;
    JS_ThrowOutOfMemory(ctx);
    return -1;
}

uint64_t amla_tab_stop(const AmlaTabStops *stops, uint64_t column)
{
    for (size_t i = 0; i < stops->count; i++)
        if (stops->stops[i] > column)
            return stops->stops[i];
    if (!stops->every)
        return 0;
    const uint64_t base = stops->from_last && stops->count ? stops->stops[stops->count - 1] : 0;
    return base + ((column - base) / stops->every + 1) * stops->every;
}

void amla_tab_stops_free(AmlaTabStops *stops)
{
    free(stops->stops);
}
