#include <stdlib.h>
#include <string.h>

#include "diff.h"

/* --- lines ----------------------------------------------------------------------------------- */

static size_t count_lines(const AmlaDiffSide *side)
{
    size_t count = 0;
    const uint8_t *at = side->text, *const end = side->text + side->length;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        count++;
        at++;
    }
    return count + (side->length > 0 && end[-1] != '\n');
}

static bool split(AmlaDiffSide *side)
{
    side->lines = count_lines(side);
    side->open_end = side->length > 0 && side->text[side->length - 1] != '\n';
    side->starts = malloc((side->lines + 1) * sizeof *side->starts);
    side->classes = malloc((side->lines + 1) * sizeof *side->classes);
    side->flags = calloc(side->lines + 2, 1);
    if (!side->starts || !side->classes || !side->flags)
        return false;
    side->changed = side->flags + 1;
    size_t at = 0;
    for (size_t i = 0; i < side->lines; i++) {
        side->starts[i] = at;
        const uint8_t *end = memchr(side->text + at, '\n', side->length - at);
        at = end ? (size_t)(end - side->text) + 1 : side->length;
    }
    side->starts[side->lines] = side->length;
    return true;
}

bool diff_split(AmlaDiff *diff)
{
    return split(&diff->sides[0]) && split(&diff->sides[1]);
}

/* --- what counts as the same ------------------------------------------------------------------- */

#define ENDS ((SPACES & ~(unsigned)AMLA_DIFF_IGNORE_TAB_EXPANSION) | AMLA_DIFF_IGNORE_OPEN_END)
#define SPACES (AMLA_DIFF_IGNORE_ALL_SPACE | AMLA_DIFF_IGNORE_SPACE_CHANGE | AMLA_DIFF_IGNORE_TRAILING_SPACE | AMLA_DIFF_IGNORE_TAB_EXPANSION)

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A line read as the flags see it. */
typedef struct {
    const uint8_t *at, *end;
    unsigned flags;
    size_t column; /* with tabs expanded */
    int blanks;    /* of a tab that are still to come */
} Cursor;

static bool only_space(const uint8_t *at, const uint8_t *end)
{
    while (at < end && is_space(*at))
        at++;
    return at == end;
}

static int fold(const Cursor *cursor, int c)
{
    return cursor->flags & AMLA_DIFF_IGNORE_CASE && c >= 'A' && c <= 'Z' ? c + 32 : c;
}

static int next_space(Cursor *cursor)
{
    const unsigned flags = cursor->flags;
    if (flags & (AMLA_DIFF_IGNORE_TRAILING_SPACE | AMLA_DIFF_IGNORE_SPACE_CHANGE) && only_space(cursor->at, cursor->end)) {
        cursor->at = cursor->end;
        return -1;
    }
    if (flags & AMLA_DIFF_IGNORE_SPACE_CHANGE) {
        while (is_space(*cursor->at))
            cursor->at++;
        return ' ';
    }
    if (flags & AMLA_DIFF_IGNORE_TAB_EXPANSION && *cursor->at == '\t') {
        cursor->at++;
        cursor->blanks = 7 - (int)(cursor->column % 8);
        return ' ';
    }
    return *cursor->at++;
}

static int read_byte(Cursor *cursor)
{
    if (cursor->blanks > 0) {
        cursor->blanks--;
        return ' ';
    }
    if (cursor->flags & AMLA_DIFF_IGNORE_ALL_SPACE)
        while (cursor->at < cursor->end && is_space(*cursor->at))
            cursor->at++;
    if (cursor->at == cursor->end)
        return -1;
    if (cursor->flags & SPACES && is_space(*cursor->at))
        return next_space(cursor);
    return fold(cursor, *cursor->at++);
}

/* The next byte that counts, or -1 at the line's end. */
static int next_byte(Cursor *cursor)
{
    const int byte = read_byte(cursor);
    cursor->column++;
    return byte;
}

static Cursor cursor_of(const AmlaDiff *diff, const AmlaDiffSide *side, size_t line)
{
    Cursor cursor = { side->text + side->starts[line], side->text + side->starts[line + 1], diff->flags, 0, 0 };
    const bool ended = cursor.end > cursor.at && cursor.end[-1] == '\n';
    /* A last line without its end differs from one that has it, unless space at ends doesn't count. */
    if (ended && diff->flags & ENDS)
        cursor.end--;
    return cursor;
}

static uint32_t hash_of(Cursor cursor)
{
    uint32_t hash = 2166136261u;
    if (!(cursor.flags & (SPACES | AMLA_DIFF_IGNORE_CASE))) {
        for (; cursor.at < cursor.end; cursor.at++)
            hash = (hash ^ *cursor.at) * 16777619u;
        return hash;
    }
    for (int c; (c = next_byte(&cursor)) >= 0;)
        hash = (hash ^ (uint32_t)c) * 16777619u;
    return hash;
}

static bool same(Cursor left, Cursor right)
{
    if (!(left.flags & (SPACES | AMLA_DIFF_IGNORE_CASE)))
        return left.end - left.at == right.end - right.at && !memcmp(left.at, right.at, (size_t)(left.end - left.at));
    int c;
    while ((c = next_byte(&left)) == next_byte(&right))
        if (c < 0)
            return true;
    return false;
}

/* --- classes -------------------------------------------------------------------------------------- */

typedef struct {
    uint32_t hash, next; /* the next class of the same bucket, 0 for none */
    size_t side, line;   /* one of its lines */
} Class;

typedef struct {
    Class *classes;
    uint32_t *buckets;
    size_t mask, count;
} Table;

static uint32_t find_class(const AmlaDiff *diff, Table *table, size_t side, size_t line)
{
    const Cursor cursor = cursor_of(diff, &diff->sides[side], line);
    const uint32_t hash = hash_of(cursor);
    uint32_t *bucket = &table->buckets[hash & table->mask];
    for (uint32_t i = *bucket; i; i = table->classes[i].next) {
        const Class *known = &table->classes[i];
        if (known->hash == hash && same(cursor, cursor_of(diff, &diff->sides[known->side], known->line)))
            return i;
    }
    const uint32_t fresh = (uint32_t)++table->count;
    table->classes[fresh] = (Class){ hash, *bucket, side, line };
    return *bucket = fresh;
}

bool diff_classify(AmlaDiff *diff)
{
    const size_t lines = diff->sides[0].lines + diff->sides[1].lines;
    Table table = { .mask = 1 };
    while (table.mask < lines)
        table.mask = 2 * table.mask + 1;
    table.classes = malloc((lines + 1) * sizeof *table.classes);
    table.buckets = calloc(table.mask + 1, sizeof *table.buckets);
    const bool fine = table.classes && table.buckets;
    for (size_t side = 0; fine && side < 2; side++)
        for (size_t line = 0; line < diff->sides[side].lines; line++)
            diff->sides[side].classes[line] = find_class(diff, &table, side, line);
    diff->class_count = table.count + 1;
    free(table.classes);
    free(table.buckets);
    return fine;
}
