/* What the rest of the guest needs from inside QuickJS.
 *
 * QuickJS keeps what we need (the parser's state, the job list, the counters
 * that decide when the interrupt handler runs) in static functions and private
 * structures.  engine.c includes quickjs.c as part of itself and offers it here
 * under names of ours; nothing else in the guest sees a private structure.
 *
 * Ownership follows QuickJS: a JSValue result belongs to the caller, a
 * JSValueConst argument stays with the caller.
 */
#ifndef AMLA_ENGINE_H
#define AMLA_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quickjs.h"

/* Compile `source` (NUL-terminated, `length` bytes without the NUL) as the body
 * of an async function of no arguments: `await`, `return` and declarations are
 * local to it, and lines and columns are the script's own.  The function's
 * promise resolves with the value of a `return`, or with an object that
 * amla_completion() recognises and that carries the value of the last
 * expression statement.  `strict` makes it strict code without a directive.
 * Returns the function, or JS_EXCEPTION (a SyntaxError). */
JSValue amla_compile_script(JSContext *ctx, const char *source, size_t length, const char *filename, bool strict);

/* Whether `result` is a completion value rather than a returned one; if so
 * `*value` gets the value (owned by the caller). */
bool amla_completion(JSContext *ctx, JSValueConst result, JSValue *value);

typedef struct {
    bool is_expression; /* the line is one expression, as `{a: 1}` may be meant */
    bool is_check;      /* compile only: the result is undefined */
} AmlaLine;

/* Where a line's parser gave up: at its end, and the text (borrowed from `source`) from
 * the token on that it did not want. */
typedef struct {
    bool at_end;
    const char *rest;
} AmlaStop;

/* Compile a line of a session; lines.h says how it differs from a script.  What earlier
 * lines declared under the names that this one declares is forgotten.  Returns a function
 * like that of amla_compile_script, or JS_EXCEPTION with `*stop` set. */
JSValue amla_compile_line(JSContext *ctx, const char *source, size_t length, const char *filename, AmlaLine line, AmlaStop *stop);

/* The names of what `let`, `const` and `class` declared in lines: a new array. */
JSValue amla_variable_names(JSContext *ctx);

/* A property, found along the prototypes; a variable or global; a prototype: without running
 * any code of a script, so undefined (or null) where that would be needed.  New values. */
JSValue amla_peek(JSContext *ctx, JSValueConst object, JSAtom name);
JSValue amla_peek_variable(JSContext *ctx, JSAtom name);
JSValue amla_peek_proto(JSContext *ctx, JSValueConst value);

/* Make every context but `spared` ask the interrupt handler at its next poll. */
void amla_hasten_interrupts(JSRuntime *rt, const JSContext *spared);

/* Ask the interrupt handler on behalf of `ctx` so many polls sooner. */
void amla_hasten_interrupt(JSContext *ctx, int32_t polls);

/* Ask the interrupt handler on behalf of `ctx` after that many polls: calls, and turns of loops. */
void amla_next_interrupt(JSContext *ctx, int32_t polls);

/* The realm of the job that is next; NULL for none. */
JSContext *amla_job_context(JSRuntime *rt);

/* Drop all jobs that wait in the runtime's queue, unexecuted. */
void amla_purge_jobs(JSRuntime *rt);

/* The realm of the script that runs; NULL for none.  Callables of a script that the
 * system realm calls make their objects there, so that none of ours leaks to them. */
void amla_set_user_context(JSContext *ctx);

/* Drop what nobody but a person needs from compiled code that was not run yet, and from
 * all functions in it: names of variables, and tables of lines.  A backtrace then has
 * the line where each function begins. */
void amla_strip(JSContext *ctx, JSValueConst code);

/* From now on nothing can be compiled in `ctx` (no eval, no Function). */
void amla_forbid_eval(JSContext *ctx);

/* Let the collector run once `bytes` more were allocated since it last did. */
void amla_collect_after(JSRuntime *rt, size_t bytes);

/* Build time only: what is allocated now is never freed, and what is free in between
 * never used; arenas.h says why. */
void amla_seal(JSRuntime *rt);

/* Build time only: free memory within the engine's own blocks is cleared, which would be shipped. */
void amla_clear_free(JSRuntime *rt);

/* Build time only: whether the layouts that objects pass through are kept for later ones. */
void amla_keep_shapes(bool keep);

/* Let go of the layouts of objects that are remembered, and of the prototypes that they keep: before a realm goes. */
void amla_forget_layouts(JSRuntime *rt);

/* Lets go of what scripts refer to weakly; while `ending`, nobody is told of what goes. */
void amla_end_weak(JSRuntime *rt, bool ending);

/* Seed Math.random and the hash tables of `ctx`. */
void amla_seed(JSContext *ctx, uint64_t seed);

/* An error of the class that `model` (an error of `from`) has, made in `to` with
 * a backtrace of where execution is now; properties are copied by the caller. */
JSValue amla_error_like(JSContext *to, JSContext *from, JSValueConst model, const char *message);

/* Where execution is: a value to keep, much cheaper than an error.  Leaves out the
 * native function that asks. */
JSValue amla_trace_take(JSContext *ctx);

/* A trace as the lines of a backtrace, without a final newline. */
JSValue amla_trace_text(JSContext *ctx, JSValueConst trace);

/* --- variables of the shell: variables.h -------------------------------------------- */

/* Lives as long as the object that holds it. */
typedef struct AmlaVariable AmlaVariable;

/* To be called once, before the others.  Returns 0, or -1 with an exception pending. */
int amla_variables_define(JSContext *ctx);

/* The variable of that name in a Map of them; NULL when there is none, or none that C understands. */
AmlaVariable *amla_variable_find(JSContext *ctx, JSValueConst table, JSValueConst name);

/* Gives the name another object, or none for undefined; takes `variable` over.  Returns 0, or -1 with an exception pending. */
int amla_variable_replace(JSContext *ctx, JSValueConst table, JSValueConst name, JSValue variable);

/* A new variable without attributes, laid out as those in `table`; undefined where that has none to go by. */
JSValue amla_variable_new(JSContext *ctx, JSValueConst table, JSValueConst text, JSValueConst owner);

/* The object that is the variable; borrowed, undefined when there is none. */
JSValueConst amla_variable_object(JSContext *ctx, JSValueConst table, JSValueConst name);

/* Attributes, as numbered in ts/shell/run/variable.ts. */
int32_t amla_variable_bits(const AmlaVariable *variable);

/* The text or array that it holds; borrowed. */
JSValueConst amla_variable_value(const AmlaVariable *variable);

/* Whether all there is to an assignment is to store a text, and `owner` may do so in place. */
bool amla_variable_is_own(const AmlaVariable *variable, JSValueConst owner);

/* The number that it holds, if its text is one in its plainest form. */
bool amla_variable_integer(const AmlaVariable *variable, int64_t *number);
bool amla_text_integer(JSValueConst text, int64_t *number);

bool amla_text_is(JSValueConst text, const char *expected);

/* Takes `text` over. */
void amla_variable_put(JSContext *ctx, AmlaVariable *variable, JSValue text);

/* An object's own field, or an element of an array; borrowed, undefined when it has none. */
JSValueConst amla_own_field(JSValueConst object, JSAtom name);
JSValueConst amla_array_element(JSValueConst array, int32_t index);

/* Returns 0, or -1 with an exception pending.  The number must be exact as a double. */
int amla_variable_put_integer(JSContext *ctx, AmlaVariable *variable, int64_t number);

/* --- texts of the shell: texts.h --------------------------------------------------- */

/* Whether a text, unquoted, is one field as it stands where blanks separate fields: it is
 * not empty, and neither blanks nor signs of patterns are in it. */
bool amla_text_is_whole(JSValueConst text);

/* Whether a text that is not of Latin-1 alone has a unit from `first` to `last`. */
bool amla_text_has_between(JSValueConst text, uint16_t first, uint16_t last);

/* split(text): the fields of a text where blanks separate them; undefined where there is more to
 * it: signs of patterns in it, or the host wants the run to end. */
JSValue amla_text_split(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

/* How many characters a text has; those from one up to another: of which some are two units. */
JSValue amla_text_count(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);
JSValue amla_text_slice(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

/* The texts in a row as one; undefined where one is long: joined by the engine's own
 * operator, it would not be copied each time that something is added to it. */
JSValue amla_text_join(JSContext *ctx, const JSValueConst *pieces, uint32_t count);

/* replace(text, wanted, by): all that is `wanted` in a text by another; undefined where the
 * host wants the run to end. */
JSValue amla_text_replace(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv);

/* A realm's remembered state; realm_image.h says how. */
typedef struct AmlaImage AmlaImage;

/* Remember all objects and variables of `ctx`, which must be those that were made
 * after the object `mark` (no collection may have run since).  NULL without memory. */
AmlaImage *amla_image_take(JSContext *ctx, JSValueConst mark);

/* Put back what differs.  False when the realm cannot be used again. */
bool amla_image_restore(JSContext *ctx, AmlaImage *image);

void amla_image_free(JSContext *ctx, AmlaImage *image);

typedef enum { AMLA_OTHER, AMLA_OBJECT, AMLA_ARRAY, AMLA_ERROR, AMLA_FUNCTION, AMLA_BYTES, AMLA_BUFFER } AmlaKind;

/* What `value` is if it was made by `ctx`'s own constructors; AMLA_OTHER for
 * values of other realms and for kinds that do not cross realms by copy. */
AmlaKind amla_own_kind(JSContext *ctx, JSValueConst value);

/* The characters of a string where they lie, if all are ASCII and it is not still in
 * pieces; NULL otherwise.  They are not followed by a NUL. */
const char *amla_ascii(JSValueConst value, size_t *length);

/* The class of an object as a stable lower-case name ("map", "proxy", …), or
 * NULL for plain objects and what has no name here.  Borrowed, static. */
const char *amla_class_name(JSValueConst value);

/* "class", "function", "async", "generator", "asyncgenerator", or NULL. */
const char *amla_function_kind(JSValueConst value);

/* The entries of a Map, Set or iterator over one, without running script code:
 * a new array [k, v, k, v…] or [v, v…]; JS_UNDEFINED for other values.
 * `*pairs` tells which of the two it is. */
JSValue amla_preview_entries(JSContext *ctx, JSValueConst value, bool *pairs);

/* Own string and symbol keys of an object that are not array indexes. */
JSValue amla_non_index_keys(JSContext *ctx, JSValueConst object, bool only_enumerable);

/* A new Map with the entries of a Map, in their order; an exception for what is none. Much quicker than the
 * constructor, which asks an iterator for each entry. */
JSValue amla_copy_map(JSContext *ctx, JSValueConst map);

#endif
