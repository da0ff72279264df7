#include "program.h"

#include <stdlib.h>

#include "arithmetic.h"
#include "scope.h"

enum { PLACES_MOST = 16, NAMEREF = 32, LOADED = 1, STORED = 2 };

/* Where a register comes from and goes to. */
typedef struct {
    JSValue name; /* a variable's, or the number of a positional parameter from 0 */
    bool loaded, stored;
} Place;

/* In a register that was neither loaded nor stored to: no variable holds it. */
static const int64_t NOTHING = INT64_MIN;

/* An expression, compiled. */
typedef struct {
    Place places[PLACES_MOST];
    uint32_t place_count, instruction_count;
    bool split; /* stands where its texts are split: only with the usual separators is it as plain as that */
    AmlaInstruction *code;
    int64_t *constants;
} Program;

static JSClassID program_class;

static void free_program(JSRuntime *rt, JSValueConst value)
{
    Program *program = JS_GetOpaque(value, program_class);
    if (!program)
        return;
    for (uint32_t i = 0; i < program->place_count; i++)
        JS_FreeValueRT(rt, program->places[i].name);
    free(program->code);
    free(program->constants);
    free(program);
}

static const JSClassDef program_class_def = { .class_name = "Program", .finalizer = free_program };

/* --- compiling ----------------------------------------------------------------------- */

static int element_int(JSContext *ctx, JSValueConst array, uint32_t index, int64_t *number)
{
    JSValue element = JS_GetPropertyUint32(ctx, array, index);
    int failed = JS_IsException(element) ? -1 : JS_ToInt64(ctx, number, element);
    JS_FreeValue(ctx, element);
    return failed;
}

static int read_code(JSContext *ctx, Program *program, JSValueConst code, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        int64_t operation, argument;
        if (element_int(ctx, code, 2 * i, &operation) || element_int(ctx, code, 2 * i + 1, &argument))
            return -1;
        const bool jumps = operation == AMLA_JUMP || operation == AMLA_JUMP_IF_ZERO;
        if (jumps && argument <= i) {
            JS_ThrowRangeError(ctx, "a jump back");
            return -1;
        }
        program->code[i] = (AmlaInstruction){ (uint8_t)operation, (uint8_t)argument };
    }
    program->instruction_count = count;
    return 0;
}

static int read_places(JSContext *ctx, Program *program, JSValueConst places, JSValueConst uses, uint32_t count)
{
    for (; program->place_count < count; program->place_count++) {
        int64_t use;
        if (element_int(ctx, uses, program->place_count, &use))
            return -1;
        JSValue name = JS_GetPropertyUint32(ctx, places, program->place_count);
        program->places[program->place_count] = (Place){ name, use & LOADED, use & STORED };
    }
    return 0;
}

static int read_constants(JSContext *ctx, Program *program, JSValueConst constants, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (element_int(ctx, constants, i, &program->constants[i]))
            return -1;
    return 0;
}

static int length_of(JSContext *ctx, JSValueConst array, uint32_t most, uint32_t *length)
{
    int64_t found;
    if (JS_GetLength(ctx, array, &found))
        return -1;
    if (found > most) {
        JS_ThrowRangeError(ctx, "a program that is too long");
        return -1;
    }
    *length = (uint32_t)found;
    return 0;
}

JSValue amla_program_create(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    uint32_t code, constants, places;
    if (length_of(ctx, argv[0], 2 * AMLA_INSTRUCTIONS_MOST, &code)
        || length_of(ctx, argv[1], AMLA_INSTRUCTIONS_MOST, &constants)
        || length_of(ctx, argv[2], PLACES_MOST, &places))
        return JS_EXCEPTION;
    JSValue handle = JS_NewObjectClass(ctx, program_class);
    if (JS_IsException(handle))
        return handle;
    Program *made = calloc(1, sizeof *made);
    if (!made) {
        JS_FreeValue(ctx, handle);
        return JS_ThrowOutOfMemory(ctx);
    }
    JS_SetOpaque(handle, made);
    made->split = JS_ToBool(ctx, argv[4]) > 0;
    made->code = malloc(code / 2 * sizeof *made->code + 1);
    made->constants = malloc(constants * sizeof *made->constants + 1);
    if (!made->code || !made->constants)
        JS_ThrowOutOfMemory(ctx);
    else if (!read_code(ctx, made, argv[0], code / 2) && !read_constants(ctx, made, argv[1], constants)
             && !read_places(ctx, made, argv[2], argv[3], places))
        return handle;
    JS_FreeValue(ctx, handle);
    return JS_EXCEPTION;
}

/* --- running ------------------------------------------------------------------------- */

/* Reads what a register stands for; its variable, if it has one, to `*variable`. */
static bool load(JSContext *ctx, const AmlaScope *scope, const Place *place, AmlaVariable **variable, int64_t *number)
{
    if (JS_VALUE_GET_TAG(place->name) == JS_TAG_INT) {
        *variable = NULL;
        return amla_text_integer(amla_array_element(scope->positional, JS_VALUE_GET_INT(place->name)), number);
    }
    *variable = amla_variable_find(ctx, scope->table, place->name);
    if (!*variable || (place->stored && !amla_variable_is_own(*variable, scope->owner)))
        return false;
    *number = NOTHING;
    return !place->loaded || (!(amla_variable_bits(*variable) & NAMEREF) && amla_variable_integer(*variable, number));
}

JSValue amla_program_run(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const Program *program = JS_GetOpaque2(ctx, argv[0], program_class);
    if (!program)
        return JS_EXCEPTION;
    const AmlaScope scope = amla_scope(argv[1], argv[2]);
    AmlaVariable *variables[PLACES_MOST];
    int64_t registers[PLACES_MOST], before[PLACES_MOST], result;
    if (program->split && !amla_scope_splits_blanks(ctx, &scope))
        return JS_UNDEFINED;
    for (uint32_t i = 0; i < program->place_count; i++) {
        if (!load(ctx, &scope, &program->places[i], &variables[i], &registers[i]))
            return JS_UNDEFINED;
        before[i] = registers[i];
    }
    if (!amla_arithmetic_run(program->code, program->instruction_count, program->constants, registers, &result))
        return JS_UNDEFINED;
    for (uint32_t i = 0; i < program->place_count; i++)
        if (registers[i] != before[i] && amla_variable_put_integer(ctx, variables[i], registers[i]))
            return JS_EXCEPTION;
    return JS_NewInt64(ctx, result);
}

int amla_program_define(JSRuntime *rt)
{
    JS_NewClassID(rt, &program_class);
    return JS_NewClass(rt, program_class, &program_class_def);
}
