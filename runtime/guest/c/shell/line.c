#include "line.h"

#include <string.h>

#include "bytes_view.h"
#include "cells.h"
#include "filters/native_text.h"
#include "scope.h"

enum { NAMES_MOST = 32, POLLED = 4096 };
enum { OTHER, BLANK, MARK };

/* What is left of a line, and what each ASCII character is to word splitting. */
typedef struct {
    const uint8_t *at, *end;
    size_t taken; /* by the whole line, with its newline */
    uint8_t kinds[128];
} Line;

/* False when IFS has characters that are not ASCII. */
static bool read_separators(JSContext *ctx, const AmlaScope *scope, uint8_t kinds[128])
{
    size_t length;
    JSValue separators = amla_scope_separators(ctx, scope);
    const char *text = JS_ToCStringLen(ctx, &length, separators);
    JS_FreeValue(ctx, separators);
    if (!text)
        return false;
    memset(kinds, OTHER, 128);
    bool plain = true;
    for (size_t i = 0; i < length; i++) {
        const uint8_t unit = (uint8_t)text[i];
        plain = plain && unit < 128;
        kinds[unit & 127] = unit == ' ' || unit == '\t' || unit == '\n' ? BLANK : MARK;
    }
    JS_FreeCString(ctx, text);
    return plain;
}

static int kind_at(const Line *line)
{
    return *line->at < 128 ? line->kinds[*line->at] : OTHER;
}

static void skip_blanks(Line *line)
{
    while (line->at < line->end && kind_at(line) == BLANK)
        line->at++;
}

/* White space with at most one other separator in it. */
static void skip_separator(Line *line)
{
    skip_blanks(line);
    if (line->at < line->end && kind_at(line) == MARK) {
        line->at++;
        skip_blanks(line);
    }
}

static void skip_field(Line *line)
{
    while (line->at < line->end && kind_at(line) == OTHER)
        line->at++;
}

static JSValue next_field(JSContext *ctx, Line *line)
{
    const uint8_t *start = line->at;
    skip_field(line);
    const size_t length = (size_t)(line->at - start);
    skip_separator(line);
    return amla_text_decode(ctx, start, length);
}

/* The rest of the line for the last name, without the separator that ends it when it is a single field. */
static JSValue rest(JSContext *ctx, Line *line)
{
    const uint8_t *start = line->at, *end = line->end;
    while (end > start && end[-1] < 128 && line->kinds[end[-1]] == BLANK)
        end--;
    skip_field(line);
    const uint8_t *field_end = line->at;
    skip_separator(line);
    if (line->at >= line->end)
        end = field_end;
    line->at = line->end;
    return amla_text_decode(ctx, start, (size_t)(end - start));
}

/* Reads the arguments that both functions have: 1, 0 for a line that needs more, or -1 with an exception pending. */
static int find_line(JSContext *ctx, JSValueConst *argv, const AmlaScope *scope, Line *line)
{
    AmlaBytes bytes;
    size_t from, to;
    if (!amla_bytes_index(ctx, argv[2], "from", 0, SIZE_MAX / 2, &from)
        || !amla_bytes_index(ctx, argv[3], "to", 0, SIZE_MAX / 2, &to))
        return -1;
    const bool raw = JS_ToBool(ctx, argv[4]) > 0;
    if (!read_separators(ctx, scope, line->kinds))
        return 0;
    if (!amla_bytes_borrow(ctx, argv[1], &bytes))
        return -1;
    if (to > bytes.length || from >= to)
        return 0;
    const uint8_t *start = bytes.data + from;
    const uint8_t *end = memchr(start, '\n', to - from);
    if (!end || memchr(start, 0, (size_t)(end - start)) || (!raw && memchr(start, '\\', (size_t)(end - start))))
        return 0;
    line->at = start;
    line->end = end;
    line->taken = (size_t)(end - start) + 1;
    skip_blanks(line);
    return 1;
}

JSValue amla_line_fields(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    Line line;
    const AmlaScope scope = amla_scope(argv[0], JS_UNDEFINED);
    const int found = find_line(ctx, argv, &scope, &line);
    if (found <= 0)
        return found < 0 ? JS_EXCEPTION : JS_UNDEFINED;
    JSValue fields = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, fields, 0, JS_NewInt64(ctx, (int64_t)line.taken));
    for (uint32_t count = 1; line.at < line.end; count++) {
        JS_SetPropertyUint32(ctx, fields, count, next_field(ctx, &line));
        if (count % POLLED == 0)
            amla_interrupted(); /* so that the host waits for the end of the line */
    }
    return fields;
}

/* Finds the variables of all names; false where one takes more than a text. */
static bool find_variables(JSContext *ctx, const AmlaScope *scope, JSValueConst names, AmlaVariable **variables, int32_t *count)
{
    for (*count = 0; *count < NAMES_MOST; ++*count) {
        JSValueConst name = amla_array_element(names, *count);
        if (!JS_IsString(name))
            return true;
        AmlaVariable *variable = amla_variable_find(ctx, scope->table, name);
        if (!variable || !amla_variable_is_own(variable, scope->owner))
            return false;
        variables[*count] = variable;
    }
    return false;
}

JSValue amla_line_read(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    Line line;
    AmlaVariable *variables[NAMES_MOST];
    int32_t count;
    const AmlaScope scope = amla_scope(argv[0], JS_UNDEFINED);
    if (!find_variables(ctx, &scope, argv[5], variables, &count))
        return JS_UNDEFINED;
    const int found = find_line(ctx, argv, &scope, &line);
    if (found <= 0)
        return found < 0 ? JS_EXCEPTION : JS_UNDEFINED;
    for (int32_t i = 0; i < count; i++) {
        JSValue text = i == count - 1 ? rest(ctx, &line) : next_field(ctx, &line);
        if (JS_IsException(text))
            return text;
        amla_variable_put(ctx, variables[i], text);
    }
    return JS_NewInt64(ctx, (int64_t)line.taken);
}
