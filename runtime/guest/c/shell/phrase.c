#include "phrase.h"

#include <stdlib.h>

#include "filters/native_text.h"
#include "scope.h"

enum { PIECES_MOST = 48, NAMEREF = 32 };

/* As numbered in ts/shell/expand/phrase.ts. */
typedef enum { TEXT, VARIABLE, POSITION, WORD_END, SPLIT = 4 } Kind;

typedef struct {
    JSValue value; /* a text, a name, or the number of a positional parameter from 0 */
    uint8_t kind;
    bool split;
} Piece;

typedef struct {
    uint32_t count;
    bool splits;
    Piece pieces[];
} Phrase;

static JSClassID phrase_class;

static void free_phrase(JSRuntime *rt, JSValueConst value)
{
    Phrase *phrase = JS_GetOpaque(value, phrase_class);
    if (!phrase)
        return;
    for (uint32_t i = 0; i < phrase->count; i++)
        JS_FreeValueRT(rt, phrase->pieces[i].value);
    free(phrase);
}

static const JSClassDef phrase_class_def = { .class_name = "Phrase", .finalizer = free_phrase };

int amla_phrase_define(JSRuntime *rt)
{
    JS_NewClassID(rt, &phrase_class);
    return JS_NewClass(rt, phrase_class, &phrase_class_def);
}

/* --- compiling ----------------------------------------------------------------------- */

static int read_piece(JSContext *ctx, Phrase *phrase, JSValueConst pairs)
{
    const uint32_t index = phrase->count;
    JSValue kind = JS_GetPropertyUint32(ctx, pairs, 2 * index);
    uint32_t number;
    int failed = JS_ToUint32(ctx, &number, kind);
    JS_FreeValue(ctx, kind);
    JSValue value = failed ? JS_EXCEPTION : JS_GetPropertyUint32(ctx, pairs, 2 * index + 1);
    if (JS_IsException(value))
        return -1;
    phrase->pieces[index] = (Piece){ value, (uint8_t)(number & (SPLIT - 1)), number & SPLIT };
    phrase->splits |= phrase->pieces[index].split;
    phrase->count++;
    return 0;
}

JSValue amla_phrase_create(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    int64_t length;
    if (JS_GetLength(ctx, argv[0], &length))
        return JS_EXCEPTION;
    const uint32_t count = (uint32_t)(length / 2);
    if (count > PIECES_MOST)
        return JS_ThrowRangeError(ctx, "a phrase that is too long");
    JSValue handle = JS_NewObjectClass(ctx, phrase_class);
    if (JS_IsException(handle))
        return handle;
    Phrase *phrase = calloc(1, sizeof *phrase + count * sizeof *phrase->pieces);
    if (!phrase) {
        JS_FreeValue(ctx, handle);
        return JS_ThrowOutOfMemory(ctx);
    }
    JS_SetOpaque(handle, phrase);
    while (phrase->count < count) {
        if (read_piece(ctx, phrase, argv[0])) {
            JS_FreeValue(ctx, handle);
            return JS_EXCEPTION;
        }
    }
    return handle;
}

/* --- expanding ----------------------------------------------------------------------- */

/* What a piece comes to, borrowed; undefined where that has to be found in the usual way. */
static JSValueConst expand(JSContext *ctx, const AmlaScope *scope, const Piece *piece)
{
    JSValueConst text = piece->value;
    if (piece->kind == POSITION) {
        text = amla_array_element(scope->positional, JS_VALUE_GET_INT(piece->value));
    } else if (piece->kind == VARIABLE) {
        const AmlaVariable *variable = amla_variable_find(ctx, scope->table, piece->value);
        text = variable && !(amla_variable_bits(variable) & NAMEREF) ? amla_variable_value(variable) : JS_UNDEFINED;
    }
    return JS_IsString(text) && (!piece->split || amla_text_is_whole(text)) ? text : JS_UNDEFINED;
}

static JSValue joined(JSContext *ctx, const JSValueConst *texts, uint32_t count)
{
    return count == 1 ? JS_DupValue(ctx, texts[0]) : amla_text_whole(ctx, amla_text_join(ctx, texts, count));
}

/* Expands the word that begins at `*at`, and moves behind it. */
static JSValue expand_word(JSContext *ctx, const AmlaScope *scope, const Phrase *phrase, uint32_t *at)
{
    JSValueConst texts[PIECES_MOST];
    uint32_t count = 0;
    for (; *at < phrase->count && phrase->pieces[*at].kind != WORD_END; ++*at) {
        texts[count] = expand(ctx, scope, &phrase->pieces[*at]);
        if (JS_IsUndefined(texts[count++]))
            return JS_UNDEFINED;
    }
    ++*at;
    return joined(ctx, texts, count);
}

JSValue amla_phrase_text(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const Phrase *phrase = JS_GetOpaque2(ctx, argv[0], phrase_class);
    if (!phrase)
        return JS_EXCEPTION;
    const AmlaScope scope = amla_scope(argv[1], argv[2]);
    uint32_t at = 0;
    return expand_word(ctx, &scope, phrase, &at);
}

JSValue amla_phrase_put(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const Phrase *phrase = JS_GetOpaque2(ctx, argv[0], phrase_class);
    if (!phrase)
        return JS_EXCEPTION;
    const AmlaScope scope = amla_scope(argv[1], argv[2]);
    AmlaVariable *variable = amla_variable_find(ctx, scope.table, argv[3]);
    if (!variable || !amla_variable_is_own(variable, scope.owner))
        return JS_FALSE;
    uint32_t at = 0;
    JSValue text = expand_word(ctx, &scope, phrase, &at);
    if (!JS_IsString(text))
        return JS_IsException(text) ? text : JS_FALSE;
    amla_variable_put(ctx, variable, text);
    return JS_TRUE;
}

JSValue amla_phrase_words(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const Phrase *phrase = JS_GetOpaque2(ctx, argv[0], phrase_class);
    if (!phrase)
        return JS_EXCEPTION;
    const AmlaScope scope = amla_scope(argv[1], argv[2]);
    if (phrase->splits && !amla_scope_splits_blanks(ctx, &scope))
        return JS_UNDEFINED;
    JSValue fields[PIECES_MOST];
    int count = 0;
    for (uint32_t at = 0; at < phrase->count; count++) {
        JSValue field = expand_word(ctx, &scope, phrase, &at);
        if (!JS_IsString(field)) {
            while (count > 0)
                JS_FreeValue(ctx, fields[--count]);
            return field;
        }
        fields[count] = field;
    }
    return JS_NewArrayFrom(ctx, count, fields);
}
