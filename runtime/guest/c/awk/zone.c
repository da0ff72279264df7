#include "zone.h"

#include <string.h>

enum { DAY = 86400 };

AwkLocalTime awk_local_time(const AwkZone *zone, double seconds)
{
    if (!zone->count)
        return (AwkLocalTime){ 0, "UTC" };
    uint32_t low = 0, high = zone->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (zone->changes[middle].from <= seconds)
            low = middle;
        else
            high = middle;
    }
    return (AwkLocalTime){ zone->changes[low].offset, zone->names[low] };
}

static double offset_at(const AwkZone *zone, double seconds)
{
    return awk_local_time(zone, seconds).offset;
}

double awk_moment_of(const AwkZone *zone, double wall)
{
    const double before = offset_at(zone, wall - DAY), after = offset_at(zone, wall + DAY);
    if (offset_at(zone, wall - before) == before)
        return wall - before;
    return wall - (offset_at(zone, wall - after) == after ? after : before);
}

void awk_zone_give(AwkPool *pool, AwkZone *zone, const void *changes, size_t size, const char *names, size_t length)
{
    const uint32_t count = (uint32_t)(size / sizeof *zone->changes);
    AwkZoneChange *rows = awk_pool_take(pool, count * sizeof *rows);
    const char **each = awk_pool_take(pool, count * sizeof *each);
    char *texts = awk_pool_take(pool, length + 1);
    if (!rows || !each || !texts)
        return;
    memcpy(rows, changes, count * sizeof *rows);
    memcpy(texts, names, length);
    texts[length] = 0;
    const char *name = texts, *end = texts + length;
    for (uint32_t i = 0; i < count; i++) {
        each[i] = name;
        name += strlen(name);
        if (name < end)
            name++;
    }
    *zone = (AwkZone){ rows, each, count };
}
