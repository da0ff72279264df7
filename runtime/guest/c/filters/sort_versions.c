#include <ctype.h>

#include "sort.h"

/* Where a character that is no digit stands: a tilde before the end, the end before letters, letters before others. */
static int weight(SortText text, size_t at)
{
    if (at >= text.length)
        return -1;
    const uint8_t byte = text.data[at];
    return isdigit(byte) ? 0 : isalpha(byte) ? byte : byte == '~' ? -2 : byte + 256;
}

static bool digit_at(SortText text, size_t at)
{
    return at < text.length && isdigit(text.data[at]);
}

static size_t skip_zeros(SortText text, size_t at)
{
    while (at < text.length && text.data[at] == '0')
        at++;
    return at;
}

/* Runs of digits as numbers, what lies between by weight. */
static int compare_parts(SortText left, SortText right)
{
    size_t l = 0, r = 0;
    while (l < left.length || r < right.length) {
        while ((l < left.length && !digit_at(left, l)) || (r < right.length && !digit_at(right, r))) {
            const int difference = weight(left, l++) - weight(right, r++);
            if (difference)
                return difference;
        }
        int first = 0;
        for (l = skip_zeros(left, l), r = skip_zeros(right, r); digit_at(left, l) && digit_at(right, r); l++, r++)
            if (!first)
                first = left.data[l] - right.data[r];
        if (digit_at(left, l))
            return 1;
        if (digit_at(right, r))
            return -1;
        if (first)
            return first;
    }
    return 0;
}

/* The length without suffixes like `.tar.gz`. */
static size_t stem(SortText text)
{
    const uint8_t *s = text.data;
    size_t length = 0;
    for (size_t i = 0; i < text.length;) {
        length = ++i;
        while (i + 1 < text.length && s[i] == '.' && (isalpha(s[i + 1]) || s[i + 1] == '~'))
            for (i += 2; i < text.length && (isalnum(s[i]) || s[i] == '~');)
                i++;
    }
    return length;
}

/* Names that begin with a dot come first, of those `.` and `..`. */
static int dot_class(SortText text)
{
    if (text.data[0] != '.')
        return 3;
    return text.length == 1 ? 0 : text.length == 2 && text.data[1] == '.' ? 1 : 2;
}

int sort_compare_versions(SortText left, SortText right)
{
    if (left.length == 0 || right.length == 0)
        return (left.length > 0) - (right.length > 0);
    const int classes = dot_class(left) - dot_class(right);
    if (classes)
        return classes;
    const SortText left_stem = { left.data, stem(left) }, right_stem = { right.data, stem(right) };
    const int result = compare_parts(left_stem, right_stem);
    return result ? result : compare_parts(left, right);
}
