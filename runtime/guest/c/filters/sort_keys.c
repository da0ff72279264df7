#include <ctype.h>
#include <stdlib.h>

#include "hash.h"
#include "sort.h"

/* --- where a key lies -------------------------------------------------------------------- */

static bool blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n';
}

static const uint8_t *skip_blanks(const uint8_t *at, const uint8_t *stop)
{
    while (at < stop && blank(*at))
        at++;
    return at;
}

/* A field that blanks separate begins with them. */
static const uint8_t *skip_field(const uint8_t *at, const uint8_t *stop)
{
    at = skip_blanks(at, stop);
    while (at < stop && !blank(*at))
        at++;
    return at;
}

static const uint8_t *find_tab(const uint8_t *at, const uint8_t *stop, int tab)
{
    while (at < stop && *at != tab)
        at++;
    return at;
}

static const uint8_t *key_start(const SortOrder *order, const SortKey *key, SortText line)
{
    const uint8_t *at = line.data, *const stop = at + line.length;
    for (int32_t n = key->start_field; n > 0 && at < stop; n--) {
        at = order->tab < 0 ? skip_field(at, stop) : find_tab(at, stop, order->tab);
        at += order->tab >= 0 && at < stop;
    }
    if (key->flags & SORT_SKIP_START)
        at = skip_blanks(at, stop);
    return at + (stop - at < key->start_char ? stop - at : key->start_char);
}

static const uint8_t *key_end(const SortOrder *order, const SortKey *key, SortText line)
{
    const uint8_t *at = line.data, *const stop = at + line.length;
    if (key->end_field < 0)
        return stop;
    for (int32_t n = key->end_field + (key->end_char == 0); n > 0 && at < stop; n--) {
        at = order->tab < 0 ? skip_field(at, stop) : find_tab(at, stop, order->tab);
        at += order->tab >= 0 && at < stop && (n > 1 || key->end_char);
    }
    if (key->end_char == 0)
        return at;
    if (key->flags & SORT_SKIP_END)
        at = skip_blanks(at, stop);
    return at + (stop - at < key->end_char ? stop - at : key->end_char);
}

SortText sort_key_text(const SortOrder *order, const SortKey *key, SortText line)
{
    const uint8_t *start = key_start(order, key, line), *stop = key_end(order, key, line);
    return (SortText){ start, stop > start ? (size_t)(stop - start) : 0 };
}

/* --- bytes ------------------------------------------------------------------------------- */

int sort_compare_bytes(SortText left, SortText right)
{
    const size_t shared = left.length < right.length ? left.length : right.length;
    const int difference = shared ? memcmp(left.data, right.data, shared) : 0;
    return difference ? difference : (left.length > right.length) - (left.length < right.length);
}

static bool plain(const SortKey *key)
{
    return !(key->flags & (SORT_DICTIONARY | SORT_PRINTABLE | SORT_FOLD));
}

bool sort_key_is_plain(const SortKey *key)
{
    return key->kind == SORT_BYTES && plain(key);
}

/* The next byte that counts, or -1 at the end. */
static int next_byte(const SortKey *key, SortText *text)
{
    while (text->length > 0) {
        const uint8_t byte = *text->data++;
        text->length--;
        if ((key->flags & SORT_DICTIONARY) && !isalnum(byte) && !blank(byte))
            continue;
        if ((key->flags & (SORT_PRINTABLE | SORT_DICTIONARY)) == SORT_PRINTABLE && !isprint(byte))
            continue;
        return key->flags & SORT_FOLD ? toupper(byte) : byte;
    }
    return -1;
}

static int compare_translated(const SortKey *key, SortText left, SortText right)
{
    for (;;) {
        const int a = next_byte(key, &left), b = next_byte(key, &right);
        if (a != b || a < 0)
            return a - b;
    }
}

/* The bytes that count, in memory of the caller's (NULL without any). */
static SortText translate(const SortKey *key, SortText text)
{
    uint8_t *copy = malloc(text.length + 1);
    SortText result = { copy, 0 };
    for (int byte; copy && (byte = next_byte(key, &text)) >= 0;)
        copy[result.length++] = (uint8_t)byte;
    return result;
}

static int compare_versions(const SortKey *key, SortText left, SortText right)
{
    if (plain(key))
        return sort_compare_versions(left, right);
    const SortText a = translate(key, left), b = translate(key, right);
    const int result = a.data && b.data ? sort_compare_versions(a, b) : 0;
    free((void *)a.data);
    free((void *)b.data);
    return result;
}

/* Seven bytes and how many there are. */
static uint64_t rank_bytes(const SortKey *key, SortText text, bool *exact)
{
    uint64_t rank = 0;
    int length = 0, byte;
    for (; length < 7 && (byte = next_byte(key, &text)) >= 0; length++)
        rank |= (uint64_t)byte << (56 - 8 * length);
    if (length == 7 && next_byte(key, &text) >= 0) {
        *exact = false;
        length = 8;
    }
    return rank | (uint64_t)length;
}

/* --- months and random order ------------------------------------------------------------- */

static int month_of(SortText text)
{
    static const char names[] = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
    const uint8_t *at = text.data, *const stop = at + text.length;
    while (at < stop && blank(*at))
        at++;
    for (int month = 0; stop - at >= 3 && month < 12; month++)
        if (toupper(at[0]) == names[3 * month] && toupper(at[1]) == names[3 * month + 1] && toupper(at[2]) == names[3 * month + 2])
            return month + 1;
    return 0;
}

static void digest(const SortOrder *order, const SortKey *key, SortText text, uint8_t result[AMLA_HASH_DIGEST_MAX])
{
    AmlaHash hash;
    amla_hash_start(&hash, &amla_hash_md5);
    amla_hash_update(&hash, order->seed, sizeof order->seed);
    for (int byte; !plain(key) && (byte = next_byte(key, &text)) >= 0;) {
        const uint8_t one = (uint8_t)byte;
        amla_hash_update(&hash, &one, 1);
    }
    amla_hash_update(&hash, text.data, text.length);
    amla_hash_finish(&hash, result);
}

static uint64_t rank_random(const SortOrder *order, const SortKey *key, SortText text)
{
    uint8_t result[AMLA_HASH_DIGEST_MAX];
    uint64_t rank = 0;
    digest(order, key, text, result);
    for (int i = 0; i < 8; i++)
        rank = rank << 8 | result[i];
    return rank;
}

static int compare_random(const SortOrder *order, const SortKey *key, SortText left, SortText right)
{
    const uint64_t a = rank_random(order, key, left), b = rank_random(order, key, right);
    return a != b ? (a < b ? -1 : 1) : plain(key) ? sort_compare_bytes(left, right) : compare_translated(key, left, right);
}

/* --- comparison -------------------------------------------------------------------------- */

static int compare_key(const SortOrder *order, const SortKey *key, SortText left, SortText right)
{
    switch ((SortKind)key->kind) {
    case SORT_NUMERIC:
        return sort_compare_numeric(left, right);
    case SORT_GENERAL:
        return sort_compare_general(left, right);
    case SORT_HUMAN:
        return sort_compare_human(left, right);
    case SORT_MONTH:
        return month_of(left) - month_of(right);
    case SORT_RANDOM:
        return compare_random(order, key, left, right);
    case SORT_VERSION:
        return compare_versions(key, left, right);
    case SORT_BYTES:
        break;
    }
    return plain(key) ? sort_compare_bytes(left, right) : compare_translated(key, left, right);
}

int sort_compare_key(const SortOrder *order, const SortKey *key, SortText left, SortText right)
{
    const int result = compare_key(order, key, sort_key_text(order, key, left), sort_key_text(order, key, right));
    return key->flags & SORT_REVERSE ? -result : result;
}

int sort_compare_keys(const SortOrder *order, SortText left, SortText right)
{
    int result = 0;
    for (size_t i = 0; i < order->key_count && result == 0; i++)
        result = sort_compare_key(order, &order->keys[i], left, right);
    return result;
}

int sort_compare(const SortOrder *order, SortText left, SortText right)
{
    const int keys = sort_compare_keys(order, left, right);
    if (keys || !order->last_resort)
        return keys;
    const int bytes = sort_compare_bytes(left, right);
    return order->reverse ? -bytes : bytes;
}

static uint64_t rank_key(const SortOrder *order, const SortKey *key, SortText text, bool *exact)
{
    switch ((SortKind)key->kind) {
    case SORT_NUMERIC:
        return sort_rank_numeric(text, exact);
    case SORT_GENERAL:
        return sort_rank_general(text, exact);
    case SORT_HUMAN:
        return sort_rank_human(text, exact);
    case SORT_MONTH:
        return (uint64_t)month_of(text);
    case SORT_RANDOM:
        *exact = false;
        return rank_random(order, key, text);
    case SORT_VERSION:
        *exact = false;
        return 0;
    case SORT_BYTES:
        break;
    }
    return rank_bytes(key, text, exact);
}

uint64_t sort_rank(const SortOrder *order, const SortKey *key, SortText line, bool *exact)
{
    const uint64_t rank = rank_key(order, key, sort_key_text(order, key, line), exact);
    return key->flags & SORT_REVERSE ? ~rank : rank;
}
