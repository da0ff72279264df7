#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "bytes_view.h"

bool amla_option_flag(JSContext *ctx, JSValueConst options, const char *name)
{
    JSValue value = JS_GetPropertyStr(ctx, options, name);
    const bool flag = JS_ToBool(ctx, value) > 0;
    JS_FreeValue(ctx, value);
    return flag;
}

int64_t amla_option_integer(JSContext *ctx, JSValueConst options, const char *name, int64_t absent)
{
    JSValue value = JS_GetPropertyStr(ctx, options, name);
    int64_t number = absent;
    if (JS_IsNumber(value) && JS_ToInt64(ctx, &number, value))
        number = absent;
    JS_FreeValue(ctx, value);
    return number;
}

static char *copy_text(const void *bytes, size_t length, size_t *given)
{
    char *text = malloc(length + 1);
    if (!text)
        return NULL;
    memcpy(text, bytes, length);
    text[length] = '\0';
    if (given)
        *given = length;
    return text;
}

static char *text_of(JSContext *ctx, JSValueConst value, size_t *length)
{
    if (!JS_IsString(value)) {
        AmlaBytes bytes;
        return amla_bytes_borrow(ctx, value, &bytes) ? copy_text(bytes.data, bytes.length, length) : NULL;
    }
    size_t size;
    const char *text = JS_ToCStringLen(ctx, &size, value);
    char *copy = text ? copy_text(text, size, length) : NULL;
    JS_FreeCString(ctx, text);
    return copy;
}

char *amla_option_text(JSContext *ctx, JSValueConst options, const char *name, size_t *length)
{
    JSValue value = JS_GetPropertyStr(ctx, options, name);
    char *text = JS_IsUndefined(value) ? NULL : text_of(ctx, value, length);
    JS_FreeValue(ctx, value);
    return text;
}
