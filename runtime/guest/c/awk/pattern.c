#include "pattern.h"

#include "error.h"
#include "table.h"
#include "vm.h"

AwkPattern *awk_pattern_create(AwkVm *vm, AwkText *source)
{
    AwkPattern *pattern = awk_pool_take(&vm->pool, sizeof *pattern);
    if (!pattern)
        return NULL;
    *pattern = (AwkPattern){ .source = awk_text_share(source), .next = vm->patterns };
    vm->patterns = pattern;
    return pattern;
}

static void free_compiled(AwkPattern *pattern)
{
    for (int i = 0; i < 2; i++) {
        amla_regex_free(pattern->compiled[i]);
        pattern->compiled[i] = NULL;
    }
}

void awk_patterns_free(AwkVm *vm)
{
    for (AwkPattern *pattern = vm->patterns; pattern; pattern = pattern->next)
        free_compiled(pattern);
}

/* Whether reading or splitting goes by the pattern. */
static bool in_use(const AwkVm *vm, const AwkPattern *pattern)
{
    return pattern == vm->splitter.pattern || pattern == vm->record.splitter.pattern || pattern == vm->separator.pattern;
}

AwkPattern *awk_pattern_of_text(AwkVm *vm, AwkText *text)
{
    AwkPattern **place = &vm->cached[awk_table_hash(text->bytes, text->length) % AWK_PATTERN_CACHE];
    AwkPattern *known = *place;
    if (!known)
        return *place = awk_pattern_create(vm, text);
    if (!awk_compare_bytes(known->source->bytes, known->source->length, text->bytes, text->length))
        return known;
    if (in_use(vm, known)) /* it stays among the patterns, but leaves the cache */
        return *place = awk_pattern_create(vm, text);
    free_compiled(known);
    awk_text_release(&vm->pool, known->source);
    known->source = awk_text_share(text);
    return known;
}

AwkPattern *awk_pattern_of(AwkVm *vm, AwkValue *value)
{
    if (value->kind == AWK_REGEX && value->number > 0)
        return vm->program.patterns[(uint32_t)value->number - 1];
    AwkText *text = awk_to_text(vm, value);
    AwkPattern *pattern = awk_pattern_of_text(vm, text);
    awk_text_release(&vm->pool, text);
    return pattern;
}

const char *awk_pattern_fault(AwkVm *vm, AwkPattern *pattern)
{
    AmlaRegex **place = &pattern->compiled[vm->ignore_case];
    const char *error = NULL;
    const unsigned flags = AMLA_REGEX_EXTENDED | AMLA_REGEX_AWK | (vm->ignore_case ? AMLA_REGEX_IGNORE_CASE : 0) |
                           (vm->bytewise ? AMLA_REGEX_BYTES : 0);
    if (*place || (*place = amla_regex_create(pattern->source->bytes, pattern->source->length, flags, &error)))
        return NULL;
    return error ? error : "Memory exhausted";
}

static AmlaRegex *compile(AwkVm *vm, AwkPattern *pattern)
{
    const char *error = awk_pattern_fault(vm, pattern);
    if (error)
        awk_fatal(vm, "invalid regexp: %s: /%s/", error, pattern->source->bytes);
    return pattern->compiled[vm->ignore_case];
}

bool awk_pattern_search(AwkVm *vm, AwkPattern *pattern, const char *text, size_t length, size_t from, AmlaSpan *spans,
                        size_t count)
{
    AmlaRegex *regex = pattern ? compile(vm, pattern) : NULL;
    if (!regex)
        return false;
    const AmlaRegexResult result = amla_regex_search(regex, text, length, from, spans, count);
    if (result == AMLA_REGEX_TOO_COMPLEX)
        awk_fatal(vm, "regexp is too complex: /%s/", pattern->source->bytes);
    if (result == AMLA_REGEX_INTERRUPTED)
        vm->pool.fuel = 0;
    return result == AMLA_REGEX_MATCH;
}

unsigned awk_pattern_groups(AwkVm *vm, AwkPattern *pattern)
{
    AmlaRegex *regex = pattern ? compile(vm, pattern) : NULL;
    return regex ? amla_regex_groups(regex) : 0;
}
