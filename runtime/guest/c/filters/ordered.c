#include "ordered.h"

#include "options.h"

void amla_ordered_create(AmlaOrderedFiles *files, JSContext *ctx, JSValueConst options)
{
    files->end = (uint8_t)amla_option_integer(ctx, options, "end", '\n');
    files->check = (AmlaOrderCheck)amla_option_integer(ctx, options, "checking", AMLA_ORDER_UNPAIRED);
    files->sides[0].due = files->sides[1].due = true;
}

void amla_ordered_configure(AmlaOrderedFiles *files, JSContext *ctx, JSValueConst options)
{
    files->source = amla_option_integer(ctx, options, "source", 0) == 1;
}

bool amla_ordered_feed(AmlaOrderedFiles *files, const uint8_t *bytes, size_t length)
{
    return amla_input_feed(&files->sides[files->source].input, bytes, length);
}

void amla_ordered_end(AmlaOrderedFiles *files)
{
    files->sides[files->source].input.whole = true;
}

static bool is_checked(const AmlaOrderedFiles *files, const AmlaOrderedSide *side)
{
    return side->input.present && !side->stray_number &&
           (files->check == AMLA_ORDER_ALWAYS || (files->check == AMLA_ORDER_UNPAIRED && files->unpaired));
}

/* Make the line that was looked at the present one.  False: it is the first that is out of order. */
static bool take(AmlaOrderedFiles *files, int index, AmlaInputLine line)
{
    AmlaOrderedSide *side = &files->sides[index];
    const AmlaInputLine key = files->key_of(files->self, index, line);
    const bool stray = is_checked(files, side) && files->order(files->self, amla_ordered_key(files, index), key) > 0;
    side->key = (size_t)(key.data - line.data);
    side->key_length = key.length;
    amla_input_take(&side->input, &line);
    if (!stray)
        return true;
    side->stray_number = side->number;
    amla_buffer_append(&side->stray, line.data, line.length);
    return false;
}

static bool advance(AmlaOrderedFiles *files, int index, AmlaFilterState *state)
{
    AmlaOrderedSide *side = &files->sides[index];
    AmlaInputLine line;
    const AmlaInputState found = amla_input_peek(&side->input, files->end, &line);
    files->wanted = index;
    *state = AMLA_FILTER_MORE;
    if (found == AMLA_INPUT_WANTED)
        return false;
    side->due = false;
    side->number++;
    if (found == AMLA_INPUT_OVER)
        amla_input_take(&side->input, NULL);
    else if (!take(files, index, line)) {
        *state = side->stray.failed ? AMLA_FILTER_MEMORY : files->check == AMLA_ORDER_ALWAYS ? AMLA_FILTER_DONE : AMLA_FILTER_FULL;
        return false;
    }
    return true;
}

bool amla_ordered_advance(AmlaOrderedFiles *files, AmlaFilterState *state)
{
    for (int index = 0; index < 2; index++)
        if (files->sides[index].due && !advance(files, index, state))
            return false;
    return true;
}

static JSValue stray_of(JSContext *ctx, const AmlaOrderedSide *side, int index)
{
    JSValue stray = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, stray, 0, JS_NewInt32(ctx, index));
    JS_SetPropertyUint32(ctx, stray, 1, JS_NewInt64(ctx, (int64_t)side->stray_number));
    JS_SetPropertyUint32(ctx, stray, 2, JS_NewUint8ArrayCopy(ctx, side->stray.data, side->stray.length));
    return stray;
}

JSValue amla_ordered_report(JSContext *ctx, const AmlaOrderedFiles *files)
{
    JSValue report = JS_NewArray(ctx), strays = JS_NewArray(ctx);
    uint32_t count = 0;
    for (int index = 0; index < 2; index++)
        if (files->sides[index].stray_number)
            JS_SetPropertyUint32(ctx, strays, count++, stray_of(ctx, &files->sides[index], index));
    JS_SetPropertyUint32(ctx, report, 0, JS_NewInt32(ctx, files->wanted));
    JS_SetPropertyUint32(ctx, report, 1, strays);
    return report;
}

void amla_ordered_clear(AmlaOrderedFiles *files)
{
    for (int index = 0; index < 2; index++) {
        amla_input_clear(&files->sides[index].input);
        amla_buffer_clear(&files->sides[index].stray);
    }
}
