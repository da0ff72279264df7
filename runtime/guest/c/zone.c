#include "zone.h"

#include <stdlib.h>
#include <string.h>

#include "realm.h"
#include "step.h"

#define DAY 86400000.0

/* From a moment on, local time is `offset` milliseconds ahead of UTC.  The layout of a row of `localTimes`. */
typedef struct {
    double from, offset, daylight;
} Change;

static enum { UTC, UNKNOWN, KNOWN } state;
static Change *changes;
static size_t count;
static char names[2][64]; /* of standard and of daylight saving time */

static void forget(void)
{
    free(changes);
    changes = NULL;
    count = 0;
}

static void take_name(JSValueConst answer, uint32_t index, char *name)
{
    JSValue value = JS_GetPropertyUint32(amla_system, answer, index);
    const char *text = JS_ToCString(amla_system, value);
    *name = 0;
    strncat(name, text ? text : "", sizeof names[0] - 1);
    JS_FreeCString(amla_system, text);
    JS_FreeValue(amla_system, value);
}

static bool take_changes(JSValueConst answer)
{
    JSValue rows = JS_GetPropertyUint32(amla_system, answer, 0);
    size_t size;
    uint8_t *bytes = JS_GetArrayBuffer(amla_system, &size, rows);
    changes = bytes && size >= sizeof *changes ? malloc(size) : NULL;
    if (changes) {
        memcpy(changes, bytes, size);
        count = size / sizeof *changes;
    }
    JS_FreeValue(amla_system, rows);
    return changes;
}

/* A zone that cannot be had (no memory, no stack) is UTC for now, and asked for again. */
static bool know(void)
{
    if (state != UNKNOWN)
        return state == KNOWN;
    JSValue answer = amla_call_handler(amla_system, "localTimes", 0, NULL);
    if (JS_IsException(answer) || !take_changes(answer)) {
        JS_FreeValue(amla_system, JS_GetException(amla_system));
        JS_FreeValue(amla_system, answer);
        return false;
    }
    take_name(answer, 1, names[0]);
    take_name(answer, 2, names[1]);
    JS_FreeValue(amla_system, answer);
    state = KNOWN;
    return true;
}

static const Change *change_at(double time)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (changes[middle].from <= time)
            low = middle;
        else
            high = middle;
    }
    return &changes[low];
}

double amla_zone_offset(double time, bool local)
{
    if (state == UTC || !know())
        return 0;
    if (!local)
        return change_at(time)->offset;
    double before = change_at(time - DAY)->offset, after = change_at(time + DAY)->offset;
    if (change_at(time - before)->offset == before)
        return before;
    return change_at(time - after)->offset == after ? after : before;
}

const char *amla_zone_name(double time)
{
    if (state == UTC || !know())
        return "Coordinated Universal Time";
    return names[change_at(time)->daylight != 0];
}

/* set(isUtc): the zone of the run; anything but UTC is asked of `localTimes`. */
static JSValue zone_set(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    forget();
    state = JS_ToBool(ctx, argv[0]) > 0 ? UTC : UNKNOWN;
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("set", 1, zone_set),
};

int amla_native_zone(JSContext *ctx, JSValueConst object)
{
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
