/* Functions of regular expressions. */
#include <math.h>

#include "array.h"
#include "builtins.h"
#include "cells.h"
#include "error.h"
#include "vm.h"

enum { GROUPS_MAX = 64 };

#define BUILTIN(name) AwkStep awk_run_##name(AwkVm *vm, AwkValue *arguments, uint32_t count, AwkValue *result)

/* --- sub and gsub -------------------------------------------------------------------------- */

/* In the replacement `&` is what matched; each pair of backslashes before it is one, and an odd one makes it plain. */
static void append_replacement(AmlaBuffer *out, const AwkText *replacement, const char *match, size_t length)
{
    const char *at = replacement->bytes, *end = at + replacement->length;
    while (at < end) {
        const char *start = at;
        while (at < end && *at == '\\')
            at++;
        const size_t slashes = (size_t)(at - start);
        const bool ampersand = at < end && *at == '&';
        amla_buffer_append(out, start, ampersand ? slashes / 2 : slashes);
        if (ampersand && slashes % 2 == 0)
            amla_buffer_append(out, match, length);
        else if (at < end)
            amla_buffer_put(out, (uint8_t)*at);
        at++;
    }
}

/* The replacing that goes on. */
typedef struct {
    AwkVm *vm;
    AwkPattern *pattern;
    AwkText *text;
    size_t copied; /* of the text, to the output */
    AmlaBuffer *out;
    double matches; /* seen so far */
} Substitution;

/* Find the next match, each place of the text but once; an empty one right behind a match is none. */
static bool next_match(Substitution *s, size_t *from, AmlaSpan *spans, size_t count)
{
    const AwkText *text = s->text;
    while (*from <= text->length && awk_pattern_search(s->vm, s->pattern, text->bytes, text->length, *from, spans, count)) {
        const bool empty = spans->end == spans->start;
        const bool glued = empty && s->matches > 0 && spans->start == *from && *from == s->copied && *from > 0;
        *from = !empty ? spans->end
                       : spans->start + (spans->start < text->length
                                             ? awk_character_size(text->bytes, text->length, spans->start)
                                             : 1);
        if (!glued)
            return true;
    }
    return false;
}

static void copy_to(Substitution *s, size_t end)
{
    amla_buffer_append(s->out, s->text->bytes + s->copied, end - s->copied);
    s->copied = end;
}

static AwkText *taken(AwkVm *vm, const AmlaBuffer *out)
{
    if (out->failed) {
        vm->pool.exhausted = true;
        vm->pool.fuel = 0;
    }
    return awk_text_create(&vm->pool, out->data ? (const char *)out->data : "", out->length);
}

/* Arguments: the text, the pattern, the replacement.  The new text goes to vm->result. */
static AwkStep substitute(AwkVm *vm, AwkValue *arguments, bool all, AwkValue *result)
{
    AwkText *replacement = awk_to_text(vm, &arguments[2]);
    Substitution s = { vm, awk_pattern_of(vm, &arguments[1]), awk_to_text(vm, &arguments[0]), 0, &vm->work, 0 };
    AmlaSpan span;
    vm->work.length = 0;
    for (size_t from = 0; next_match(&s, &from, &span, 1);) {
        copy_to(&s, span.start);
        append_replacement(s.out, replacement, s.text->bytes + span.start, span.end - span.start);
        s.copied = span.end;
        s.matches++;
        if (!all || s.out->failed)
            break;
        if ((uint64_t)s.matches % 65536 == 0 && amla_interrupted())
            break;
    }
    if (s.matches > 0) {
        copy_to(&s, s.text->length);
        awk_replace(vm, &vm->result, awk_text(taken(vm, s.out)));
        if (arguments[0].kind == AWK_REGEX)
            vm->result.kind = AWK_REGEX;
    }
    awk_text_release(&vm->pool, s.text);
    awk_text_release(&vm->pool, replacement);
    *result = awk_number(s.matches);
    return AWK_ON;
}

BUILTIN(sub)
{
    (void)count;
    return substitute(vm, arguments, false, result);
}

BUILTIN(gsub)
{
    (void)count;
    return substitute(vm, arguments, true, result);
}

/* --- gensub ------------------------------------------------------------------------------- */

/* `\0` to `\9` are groups, `&` is `\0`; a backslash takes the meaning of any other character. */
static void append_groups(Substitution *s, const AwkText *replacement, const AmlaSpan *spans, size_t count)
{
    for (const char *at = replacement->bytes, *end = at + replacement->length; at < end; at++) {
        size_t group = *at == '&' ? 0 : SIZE_MAX;
        if (*at == '\\' && at + 1 < end) {
            at++;
            if (*at >= '0' && *at <= '9')
                group = (size_t)(*at - '0');
        }
        if (group == SIZE_MAX)
            amla_buffer_put(s->out, (uint8_t)*at);
        else if (group < count && spans[group].start != AMLA_REGEX_UNSET)
            amla_buffer_append(s->out, s->text->bytes + spans[group].start, spans[group].end - spans[group].start);
    }
}

/* Which match is to be replaced; 0: all. */
static double which_match(AwkVm *vm, AwkValue *how)
{
    AwkText *text = awk_to_text(vm, how);
    const bool all = text->length && (text->bytes[0] == 'g' || text->bytes[0] == 'G');
    double number = all ? 0 : awk_to_number(how);
    if (!all && number <= 0)
        awk_warn(vm, "gensub: third argument `%s' treated as 1", text->bytes);
    if (!all && number < 1)
        number = 1;
    awk_text_release(&vm->pool, text);
    return trunc(number);
}

BUILTIN(gensub)
{
    AwkText *replacement = awk_to_text(vm, &arguments[1]);
    AwkValue record = count > 3 ? awk_copy(&arguments[3]) : awk_record_field(vm, 0);
    const double which = which_match(vm, &arguments[2]);
    Substitution s = { vm, awk_pattern_of(vm, &arguments[0]), awk_to_text(vm, &record), 0, &vm->work, 0 };
    AmlaSpan spans[10];
    const unsigned groups = awk_pattern_groups(vm, s.pattern);
    const size_t wanted = groups < 9 ? groups + 1 : 10;
    vm->work.length = 0;
    for (size_t from = 0; next_match(&s, &from, spans, wanted);) {
        s.matches++;
        if (which == 0 || s.matches == which) {
            copy_to(&s, spans->start);
            append_groups(&s, replacement, spans, wanted);
            s.copied = spans->end;
        }
        if (s.matches == which || s.out->failed)
            break;
    }
    copy_to(&s, s.text->length);
    *result = awk_text(taken(vm, s.out));
    awk_text_release(&vm->pool, s.text);
    awk_text_release(&vm->pool, replacement);
    awk_drop(vm, &record);
    return AWK_ON;
}

/* --- match ------------------------------------------------------------------------------- */

/* array[group], array[group, "start"], array[group, "length"] */
static void put_group(AwkVm *vm, AwkArray *array, int32_t group, const AwkText *text, const AmlaSpan *span)
{
    const size_t start = awk_count_characters(text->bytes, span->start);
    const size_t length = awk_count_characters(text->bytes + span->start, span->end - span->start);
    const struct {
        const char *name;
        double number;
    } fields[] = { { "start", (double)start + 1 }, { "length", (double)length } };
    awk_array_put_index(vm, array, group,
                        awk_input(awk_text_create(&vm->pool, text->bytes + span->start, span->end - span->start)));
    for (int i = 0; i < 2; i++) {
        const AwkValue number = awk_number(group);
        AwkText *key = awk_to_text(vm, &number);
        key = awk_text_append(&vm->pool, key, vm->subsep->bytes, vm->subsep->length);
        key = awk_text_append(&vm->pool, key, fields[i].name, strlen(fields[i].name));
        AwkValue subscript = awk_text(key);
        awk_replace(vm, awk_array_place(vm, array, &subscript), awk_number(fields[i].number));
        awk_drop(vm, &subscript);
    }
}

BUILTIN(match)
{
    AmlaSpan spans[GROUPS_MAX];
    AwkText *text = awk_to_text(vm, &arguments[0]);
    AwkPattern *pattern = awk_pattern_of(vm, &arguments[1]);
    AwkArray *array = count > 2 ? arguments[2].array : NULL;
    const unsigned groups = array ? awk_pattern_groups(vm, pattern) : 0;
    const size_t wanted = groups < GROUPS_MAX ? groups + 1 : GROUPS_MAX;
    const bool found = awk_pattern_search(vm, pattern, text->bytes, text->length, 0, spans, wanted);
    double start = 0, length = -1;
    if (array)
        awk_array_clear(vm, array);
    if (found) {
        start = (double)awk_count_characters(text->bytes, spans->start) + 1;
        length = (double)awk_count_characters(text->bytes + spans->start, spans->end - spans->start);
    }
    for (size_t i = 0; found && array && i < wanted; i++)
        if (spans[i].start != AMLA_REGEX_UNSET)
            put_group(vm, array, (int32_t)i, text, &spans[i]);
    awk_special_put(vm, AWK_RSTART, awk_number(start));
    awk_special_put(vm, AWK_RLENGTH, awk_number(length));
    awk_text_release(&vm->pool, text);
    *result = awk_number(start);
    return AWK_ON;
}

/* --- split -------------------------------------------------------------------------------- */

static void put_run(AwkVm *vm, AwkArray *array, uint32_t index, const AwkText *text, size_t start, size_t end, bool input)
{
    AwkText *part = awk_text_create(&vm->pool, text->bytes + start, end - start);
    awk_array_put_index(vm, array, (int32_t)index, input ? awk_input(part) : awk_text(part));
}

/* Fields to one array, what is between them to the other; 0 is before the first. */
static uint32_t split(AwkVm *vm, const AwkText *text, const AwkSplitter *splitter, AwkArray *fields, AwkArray *separators,
                      bool by_content)
{
    AwkCursor cursor = { 0 };
    AwkRun field, separator;
    uint32_t count = 0;
    while (!vm->pool.exhausted && splitter->next(vm, splitter, text->bytes, text->length, &cursor, &field, &separator)) {
        if (separators && by_content)
            put_run(vm, separators, count, text, separator.start, separator.end, false);
        else if (separators && !count && field.start)
            put_run(vm, separators, 0, text, 0, field.start, false);
        put_run(vm, fields, ++count, text, field.start, field.end, true);
        const bool between = separator.end > separator.start || separator.end < text->length;
        if (separators && !by_content && between)
            put_run(vm, separators, count, text, separator.start, separator.end, false);
        if (count % 65536 == 0 && amla_interrupted())
            break;
    }
    if (separators && by_content && text->length)
        put_run(vm, separators, count, text, cursor.at, text->length, false);
    return count;
}

static AwkStep split_arguments(AwkVm *vm, AwkValue *arguments, uint32_t count, bool by_content, AwkValue *result)
{
    AwkText *text = awk_to_text(vm, &arguments[0]);
    AwkArray *fields = arguments[1].array, *separators = count > 3 ? arguments[3].array : NULL;
    AwkValue *given = count > 2 ? &arguments[2] : &vm->globals[by_content ? AWK_FPAT : AWK_FS];
    AwkSplitter splitter;
    if (by_content)
        splitter = awk_splitter_by_content(vm, given);
    else
        splitter = awk_splitter(vm, given, false);
    if (fields == separators) {
        awk_text_release(&vm->pool, text);
        return awk_fatal(vm, "split: cannot use the same array for second and fourth args");
    }
    awk_array_clear(vm, fields);
    if (separators)
        awk_array_clear(vm, separators);
    *result = awk_number(split(vm, text, &splitter, fields, separators, by_content));
    awk_text_release(&vm->pool, text);
    return AWK_ON;
}

BUILTIN(split)
{
    return split_arguments(vm, arguments, count, false, result);
}

BUILTIN(patsplit)
{
    return split_arguments(vm, arguments, count, true, result);
}
