/* base64, base32 and their like: bits by an alphabet.
 *
 * Options: alphabet (2, 4, 16, 32 or 64 bytes), low (the lowest bit of a byte comes first), pad (whether groups are
 * filled up with `=`), fold (upper case where the text is lower), decode, ignore (what is not of the alphabet), wrap
 * (columns; 0 for no line ends).
 * Report, of decoding: whether the text was valid.
 */
#include <ctype.h>
#include <stdlib.h>

#include "cells.h"
#include "filter.h"
#include "options.h"

typedef struct {
    uint8_t alphabet[64];
    int8_t values[256]; /* -1: not of the alphabet */
    int bits;           /* of a character */
    int group;          /* characters that make whole bytes */
    bool low, pad, decode, ignore;
    uint64_t wrap, column;
    uint32_t held;      /* bits that wait */
    int held_bits;
    int in_group;       /* characters of the present group */
    int pads;           /* of it, as read */
    uint8_t ready[8];   /* bytes of the group */
    int ready_count;
    bool invalid;
} Basenc;

static void set_alphabet(Basenc *base, const char *alphabet, size_t length, bool fold)
{
    memset(base->values, -1, sizeof base->values);
    for (size_t i = 0; i < length && i < 64; i++) {
        base->alphabet[i] = (uint8_t)alphabet[i];
        base->values[(uint8_t)alphabet[i]] = (int8_t)i;
        if (fold)
            base->values[tolower((uint8_t)alphabet[i])] = (int8_t)i;
    }
    for (base->bits = 0; (size_t)1 << base->bits < length;)
        base->bits++;
    for (base->group = 1; base->group * base->bits % 8;)
        base->group++;
}

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Basenc *base = self;
    size_t length = 0;
    char *alphabet = amla_option_text(ctx, options, "alphabet", &length);
    if (!alphabet) {
        JS_ThrowOutOfMemory(ctx);
        return -1;
    }
    set_alphabet(base, alphabet, length, amla_option_flag(ctx, options, "fold"));
    free(alphabet);
    base->low = amla_option_flag(ctx, options, "low");
    base->pad = amla_option_flag(ctx, options, "pad");
    base->decode = amla_option_flag(ctx, options, "decode");
    base->ignore = amla_option_flag(ctx, options, "ignore");
    base->wrap = (uint64_t)amla_option_integer(ctx, options, "wrap", 76);
    return 0;
}

/* --- encoding ---------------------------------------------------------------------------- */

static void put_character(Basenc *base, uint8_t character, AmlaBuffer *out)
{
    if (base->wrap && base->column == base->wrap) {
        amla_buffer_put(out, '\n');
        base->column = 0;
    }
    base->column++;
    base->in_group = base->in_group + 1 == base->group ? 0 : base->in_group + 1;
    amla_buffer_put(out, character);
}

static uint8_t reversed(uint8_t byte)
{
    uint8_t result = 0;
    for (int i = 0; i < 8; i++)
        result = (uint8_t)(result << 1 | (byte >> i & 1));
    return result;
}

static void encode(Basenc *base, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    const uint32_t mask = (1u << base->bits) - 1;
    for (size_t i = 0; i < length; i++) {
        base->held = base->held << 8 | (base->low ? reversed(bytes[i]) : bytes[i]);
        for (base->held_bits += 8; base->held_bits >= base->bits;) {
            base->held_bits -= base->bits;
            put_character(base, base->alphabet[base->held >> base->held_bits & mask], out);
        }
    }
}

static void end_encoding(Basenc *base, AmlaBuffer *out)
{
    const uint32_t mask = (1u << base->bits) - 1;
    if (base->held_bits > 0)
        put_character(base, base->alphabet[base->held << (base->bits - base->held_bits) & mask], out);
    while (base->pad && base->in_group > 0)
        put_character(base, '=', out);
    if (base->wrap && base->column > 0)
        amla_buffer_put(out, '\n');
}

/* --- decoding ---------------------------------------------------------------------------- */

static void end_group(Basenc *base, AmlaBuffer *out)
{
    amla_buffer_append(out, base->ready, (size_t)base->ready_count);
    base->ready_count = 0;
    base->held = 0;
    base->held_bits = base->in_group = base->pads = 0;
}

/* Whether a group of so many characters, the rest filled up, stands for whole bytes. */
static bool possible(const Basenc *base, int characters)
{
    return characters * base->bits % 8 < base->bits && characters * base->bits >= 8;
}

/* Of a group that is not whole base64 gives what there is, the others nothing: as GNU's do. */
static void put_broken_group(const Basenc *base, AmlaBuffer *out)
{
    if (base->bits == 6)
        amla_buffer_append(out, base->ready, (size_t)base->ready_count);
}

static void take_pad(Basenc *base, AmlaBuffer *out)
{
    base->pads++;
    if (!base->pad || !possible(base, base->in_group) || base->in_group + base->pads > base->group)
        base->invalid = true;
    else if (base->in_group + base->pads == base->group)
        end_group(base, out);
}

static void take_value(Basenc *base, int value, AmlaBuffer *out)
{
    if (base->pads > 0) {
        base->invalid = true;
        return;
    }
    base->in_group++;
    base->held = base->held << base->bits | (uint32_t)value;
    base->held_bits += base->bits;
    if (base->held_bits >= 8) {
        base->held_bits -= 8;
        const uint8_t byte = (uint8_t)(base->held >> base->held_bits);
        base->ready[base->ready_count++] = base->low ? reversed(byte) : byte;
    }
    if (base->in_group == base->group)
        end_group(base, out);
}

static void decode(Basenc *base, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    for (size_t i = 0; i < length && !base->invalid; i++) {
        const int value = base->values[bytes[i]];
        if (value >= 0)
            take_value(base, value, out);
        else if (bytes[i] == '=' && base->pad)
            take_pad(base, out);
        else if (bytes[i] != '\n' && !base->ignore)
            base->invalid = true;
    }
    if (base->invalid)
        put_broken_group(base, out);
}

/* --- the filter -------------------------------------------------------------------------- */

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    Basenc *base = self;
    if (base->decode)
        decode(base, bytes, length, out);
    else
        encode(base, bytes, length, out);
    if (base->invalid)
        return AMLA_FILTER_DONE;
    return amla_interrupted() ? AMLA_FILTER_INTERRUPTED : AMLA_FILTER_MORE;
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    Basenc *base = self;
    if (!base->decode)
        end_encoding(base, out);
    else if (base->in_group > 0 && !base->invalid) {
        base->invalid = true;
        put_broken_group(base, out);
    }
    return AMLA_FILTER_MORE;
}

static JSValue report(JSContext *ctx, void *self)
{
    return JS_NewBool(ctx, !((Basenc *)self)->invalid);
}

const AmlaFilterType amla_filter_basenc = {
    .name = "basenc",
    .size = sizeof(Basenc),
    .create = create,
    .feed = feed,
    .end = end,
    .report = report,
};
