/* Texts: immutable runs of bytes with a count of references.
 *
 * Bytes are mostly UTF-8; a byte that is no part of a valid character counts as a character of its own.  A function that
 * returns an AwkText gives the caller a reference.  Without memory it is the empty text, and the pool says so.
 */
#ifndef AWK_TEXT_H
#define AWK_TEXT_H

#include "pool.h"

#define AWK_UNCOUNTED UINT32_MAX
#define AWK_TEXT_MAX ((size_t)INT32_MAX - 64)

typedef struct {
    uint32_t references;
    uint32_t length;     /* bytes */
    uint32_t characters; /* AWK_UNCOUNTED until somebody asked */
    uint32_t room;       /* bytes that there is memory for */
    char bytes[]; /* with a NUL behind them */
} AwkText;

/* A text with room for `length` bytes, which the caller writes before anybody else sees it. */
AwkText *awk_text_room(AwkPool *pool, size_t length);

AwkText *awk_text_create(AwkPool *pool, const char *bytes, size_t length);

/* `text` with bytes behind it, in place if nobody else has it: takes over the reference and gives one. */
AwkText *awk_text_append(AwkPool *pool, AwkText *text, const char *bytes, size_t length);

/* The empty text, which needs no memory. */
AwkText *awk_text_empty(void);

static inline AwkText *awk_text_share(AwkText *text)
{
    text->references++;
    return text;
}

void awk_text_destroy(AwkPool *pool, AwkText *text);

static inline void awk_text_release(AwkPool *pool, AwkText *text)
{
    if (--text->references == 0)
        awk_text_destroy(pool, text);
}

/* Whether each byte is a character, in the run that is at work from here on. */
void awk_text_locale(bool bytes);

/* How many characters the text has. */
uint32_t awk_text_characters(AwkText *text);

/* Bytes of the character at `at`, which is below `length`; 1 for a byte that is no character. */
size_t awk_character_size(const char *bytes, size_t length, size_t at);

/* Characters in a run of bytes. */
size_t awk_count_characters(const char *bytes, size_t length);

/* Offset of the character number `index` (from 0) at or behind `from`; `length` when there are fewer. */
size_t awk_skip_characters(const char *bytes, size_t length, size_t from, size_t index);

/* The code point at `at`; -1 for a byte that is no character. */
int32_t awk_code_point(const char *bytes, size_t length, size_t at);

/* Writes the UTF-8 of a code point; returns how many bytes, at most 4. */
size_t awk_encode(uint32_t code_point, char *bytes);

/* A memcmp() that puts the shorter first. */
int awk_compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
