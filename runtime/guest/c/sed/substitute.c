#include <wctype.h>

#include "engine.h"

/* --- the replacement ---------------------------------------------------------------------------- */

/* How letters are changed from here on. */
typedef struct {
    char mode, once;
} Case;

static size_t encode(uint32_t c, uint8_t *room)
{
    if (c < 0x80) {
        room[0] = (uint8_t)c;
        return 1;
    }
    const size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; c >>= 6)
        room[i] = (uint8_t)(0x80 | (c & 0x3f));
    room[0] = (uint8_t)((0xf00 >> size & 0xff) | c);
    return size;
}

static void put_letter(AmlaBuffer *out, const uint8_t *bytes, size_t size, uint32_t c, char change)
{
    uint8_t room[4];
    const bool upper = change == 'U' || change == 'u';
    const uint32_t other = !change ? c : (uint32_t)(upper ? towupper((wint_t)c) : towlower((wint_t)c));
    if (other == c || other > 0x10ffff)
        amla_buffer_append(out, bytes, size);
    else
        amla_buffer_append(out, room, encode(other, room));
}

static void put_cased(AmlaSed *sed, Case *change, const uint8_t *bytes, size_t length)
{
    for (size_t at = 0, size; at < length; at += size) {
        uint32_t c;
        size = sed_decode(sed, bytes + at, length - at, &c);
        put_letter(&sed->work, bytes + at, size, c, change->once ? change->once : change->mode);
        change->once = 0;
        if (!change->mode) {
            amla_buffer_append(&sed->work, bytes + at + size, length - at - size);
            return;
        }
    }
}

static void put_text(AmlaSed *sed, Case *change, const uint8_t *bytes, size_t length)
{
    if (change->mode || change->once)
        put_cased(sed, change, bytes, length);
    else
        amla_buffer_append(&sed->work, bytes, length);
}

static void put_replacement(AmlaSed *sed, const SedSubstitution *substitution, const uint8_t *text, const AmlaSpan *spans)
{
    Case change = { 0 };
    for (size_t i = 0; i < substitution->part_count; i++) {
        const SedPart *part = &substitution->parts[i];
        if (part->mode)
            change = (Case){ .mode = part->mode == 'E' ? 0 : part->mode };
        if (part->once)
            change.once = part->once;
        if (part->length)
            put_text(sed, &change, substitution->literals.data + part->start, part->length);
        if (part->group >= 0 && spans[part->group].start != AMLA_REGEX_UNSET)
            put_text(sed, &change, text + spans[part->group].start, spans[part->group].end - spans[part->group].start);
    }
}

/* --- the matches ---------------------------------------------------------------------------------- */

/* One run over the pattern space: text before `copied` is in the engine's `work`. */
typedef struct {
    const SedSubstitution *substitution;
    AmlaRegex *regex;
    const uint8_t *text;
    size_t length, copied;
    bool replaced;
} Run;

static void replace(AmlaSed *sed, Run *run, const AmlaSpan *spans)
{
    amla_buffer_append(&sed->work, run->text + run->copied, spans[0].start - run->copied);
    put_replacement(sed, run->substitution, run->text, spans);
    run->copied = spans[0].end;
    run->replaced = true;
}

static size_t character_size(const AmlaSed *sed, const Run *run, size_t at)
{
    uint32_t c;
    return at < run->length ? sed_decode(sed, run->text + at, run->length - at, &c) : 1;
}

static AmlaRegexResult replace_all(AmlaSed *sed, Run *run)
{
    AmlaSpan spans[10];
    const SedSubstitution *substitution = run->substitution;
    const size_t wanted = (size_t)substitution->highest + 1;
    uint64_t count = 0;
    size_t before = SIZE_MAX; /* where the last match ended: no empty one counts there */
    for (size_t from = 0; from <= run->length;) {
        const AmlaRegexResult result = amla_regex_search(run->regex, (const char *)run->text, run->length, from, spans, wanted);
        if (result != AMLA_REGEX_MATCH)
            return result;
        const AmlaSpan match = spans[0];
        const bool empty = match.start == match.end;
        if (!(empty && match.start == before) && ++count >= substitution->number) {
            replace(sed, run, spans);
            if (!substitution->all)
                break;
        }
        before = match.end;
        from = empty ? match.end + character_size(sed, run, match.end) : match.end;
    }
    return AMLA_REGEX_NONE;
}

static void finish(AmlaSed *sed, const Run *run)
{
    const SedSubstitution *substitution = run->substitution;
    SedSpace *pattern = &sed->pattern;
    amla_buffer_append(&sed->work, run->text + run->copied, run->length - run->copied);
    sed->memory |= sed->work.failed;
    const AmlaBuffer old = pattern->text;
    pattern->text = sed->work;
    sed->work = old;
    sed->replaced = true;
    if (substitution->print)
        sed_put_line(sed, SED_MAIN(sed), pattern->text.data, pattern->text.length, pattern->ended);
    if (substitution->output != SED_NO_OUTPUT)
        sed_put_line(sed, substitution->output, pattern->text.data, pattern->text.length, pattern->ended);
}

SedOutcome sed_substitute(AmlaSed *sed, const SedSubstitution *substitution)
{
    const AmlaBuffer *text = &sed->pattern.text;
    Run run = { .substitution = substitution, .regex = sed_regex(sed, &substitution->regex), .length = text->length };
    if (!run.regex)
        return SED_STOP;
    if (substitution->highest > (int)amla_regex_groups(run.regex))
        return sed_fail(sed, 1, "-e expression #1, char 0: invalid reference \\%d on `s' command's RHS", substitution->highest);
    run.text = text->data ? text->data : (const uint8_t *)"";
    sed->work.length = 0;
    const AmlaRegexResult result = replace_all(sed, &run);
    if (result < 0)
        return sed_regex_failed(sed, result);
    if (run.replaced)
        finish(sed, &run);
    return SED_GO;
}
