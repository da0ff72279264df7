/* Functions of time. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "builtins.h"
#include "calendar.h"
#include "cells.h"
#include "vm.h"

#define BUILTIN(name) AwkStep awk_run_##name(AwkVm *vm, AwkValue *arguments, uint32_t count, AwkValue *result)

static double now(void)
{
    return floor(amla_cells.clock_ms / 1000);
}

BUILTIN(systime)
{
    (void)vm, (void)arguments, (void)count;
    *result = awk_number(now());
    return AWK_ON;
}

BUILTIN(strftime)
{
    AwkText *format = count ? awk_to_text(vm, &arguments[0]) : awk_text_create(&vm->pool, "%a %b %e %H:%M:%S %Z %Y", 23);
    const double seconds = count > 1 ? floor(awk_to_number(&arguments[1])) : now();
    const bool utc = count > 2 && awk_is_true(&arguments[2]);
    vm->work.length = 0;
    const AwkLocalTime local = utc ? (AwkLocalTime){ 0, "GMT" } : awk_local_time(&vm->zone, seconds);
    if (fabs(seconds) < 6.7e10 * 1000)
        awk_format_time(format->bytes, format->length, (int64_t)seconds, (int)local.offset, local.name, &vm->work);
    awk_text_release(&vm->pool, format);
    *result = awk_text(awk_text_create(&vm->pool, vm->work.data ? (const char *)vm->work.data : "", vm->work.length));
    return AWK_ON;
}

/* mktime("YYYY MM DD HH MM SS [DST]" [, utc]): fields out of their range carry over. */
BUILTIN(mktime)
{
    const bool utc = count > 1 && awk_is_true(&arguments[1]);
    AwkText *text = awk_to_text(vm, arguments);
    long year, month, day, hour, minute, second, dst;
    const int found = sscanf(text->bytes, "%ld %ld %ld %ld %ld %ld %ld", &year, &month, &day, &hour, &minute, &second, &dst);
    awk_text_release(&vm->pool, text);
    if (found < 6) {
        *result = awk_number(-1);
        return AWK_ON;
    }
    const double wall = awk_seconds_of(year, month, day, hour, minute, second);
    *result = awk_number(utc ? wall : awk_moment_of(&vm->zone, wall));
    return AWK_ON;
}
