#include "step.h"

#include <stdlib.h>
#include <string.h>

#include "adopt.h"
#include "cells.h"
#include "libc.h"
#include "memory.h"
#include "modules.h"
#include "natives.h"
#include "pack.h"
#include "realm.h"
#include "unicode_tables.h"

/* JavaScript's own limit on nesting, in bytes of the C stack.  The native stack
 * under it is sized by the host; docs/limits.md gives the reasons for both. */
#define STACK_LIMIT (900 * 1024)

/* How much may be allocated between two collections: each touches every page of
 * the baked heap and takes milliseconds, so short runs should not meet one. */
#define COLLECTION (8 * 1024 * 1024)

enum { FRAME_PREPARE = 9, FRAME_FAULT = 15 };

static JSRuntime *runtime;
static JSValue handlers;
static bool seeded, leaving, faulty, exposed, spared;

/* --- the system realm's own code -------------------------------------------------------- */

/* Calls and turns of loops between two looks at the host's wish, as in a script's realm. */
#define POLLS 10000
/* Bytes of work that count as one of these. */
#define BYTES_OF_POLL 128

bool amla_expose(bool wanted)
{
    const bool before = exposed;
    exposed = wanted;
    spared = false;
    amla_next_interrupt(amla_system, !wanted ? INT32_MAX : amla_interrupted() ? 1 : POLLS);
    return before;
}

bool amla_spare(int32_t polls)
{
    if (!exposed)
        return true;
    if (amla_interrupted())
        return false;
    spared = true;
    amla_next_interrupt(amla_system, polls);
    return true;
}

void amla_strain(size_t bytes)
{
    if (!exposed)
        return;
    const bool wanted = amla_interrupted();
    if (!spared)
        amla_hasten_interrupt(amla_system, wanted ? INT32_MAX : (int32_t)(bytes / BYTES_OF_POLL));
}

void amla_put_away(JSRuntime *rt)
{
    if (amla_interrupted())
        amla_hasten_interrupts(rt, exposed && !spared ? NULL : amla_system);
}

/* --- handlers ------------------------------------------------------------------------ */

JSValue amla_call_handler(JSContext *ctx, const char *name, int argc, JSValue *argv)
{
    const bool before = amla_expose(false);
    JSValue handler = JS_GetPropertyStr(amla_system, handlers, name);
    JSValue result = JS_Call(amla_system, handler, JS_UNDEFINED, argc, (JSValueConst *)argv);
    amla_expose(before);
    JS_FreeValue(amla_system, handler);
    for (int i = 0; i < argc; i++)
        JS_FreeValue(amla_system, argv[i]);
    if (!JS_IsException(result)) {
        JSValue adopted = amla_adopt(ctx, result);
        JS_FreeValue(amla_system, result);
        return adopted;
    }
    JSValue error = JS_GetException(amla_system);
    if (JS_IsUncatchableError(error))
        return JS_Throw(ctx, error);
    JSValue adopted = amla_adopt(ctx, error);
    JS_FreeValue(amla_system, error);
    return JS_IsException(adopted) ? adopted : JS_Throw(ctx, adopted);
}

void amla_set_handlers(JSContext *ctx, JSValueConst object)
{
    JS_FreeValue(ctx, handlers);
    handlers = JS_DupValue(ctx, object);
}

/* A failure inside the system realm: a bug of ours, told to the host as such. */
static void report_fault(void)
{
    JSValue error = JS_GetException(amla_system);
    faulty = true;
    if (amla_interrupted() || leaving || JS_IsUncatchableError(error)) {
        JS_FreeValue(amla_system, error);
        return;
    }
    const char *text = JS_ToCString(amla_system, error);
    JSValue stack = JS_GetPropertyStr(amla_system, error, "stack");
    const char *trace = JS_ToCString(amla_system, stack);
    if (text && trace)
        amla_emit(FRAME_FAULT, 0, text, strlen(text), trace, strlen(trace));
    else
        amla_emit(FRAME_FAULT, 0, "out of memory", 13, NULL, 0);
    JS_FreeCString(amla_system, trace);
    JS_FreeCString(amla_system, text);
    JS_FreeValue(amla_system, stack);
    JS_FreeValue(amla_system, error);
}

/* Call a handler for its effect; returns whether it answered true. */
static bool tell(const char *name, int argc, JSValue *argv)
{
    JSValue result = amla_call_handler(amla_system, name, argc, argv);
    if (JS_IsException(result)) {
        report_fault();
        return false;
    }
    bool answer = JS_ToBool(amla_system, result) > 0;
    JS_FreeValue(amla_system, result);
    return answer;
}

/* --- incoming frames ------------------------------------------------------------------- */

static void *resize_taken(JSRuntime *rt, void *opaque, void *memory, size_t size)
{
    (void)rt, (void)opaque;
    if (size)
        return realloc(memory, size);
    free(memory);
    return NULL;
}

/* A message too large to copy becomes a buffer that its payloads are views of.
 * Undefined for small ones; an exception, with the message gone, without memory. */
static JSValue taken_inbox(size_t length)
{
    uint8_t *taken = amla_inbox_take();
    if (!taken)
        return JS_UNDEFINED;
    JSValue buffer = JS_NewArrayBuffer(amla_system, taken, length + 1, 0, resize_taken, NULL, false);
    if (JS_IsException(buffer))
        free(taken);
    return buffer;
}

static JSValue payload_view(JSValueConst buffer, size_t at, size_t length)
{
    JSValueConst range[] = {
        buffer,
        JS_NewInt64(amla_system, (int64_t)at),
        JS_NewInt64(amla_system, (int64_t)length),
    };
    return JS_NewTypedArray(amla_system, 3, range, JS_TYPED_ARRAY_UINT8);
}

static void deliver(uint8_t kind, uint32_t id, JSValue payload)
{
    if (JS_IsException(payload)) {
        report_fault();
        return;
    }
    JSValue arguments[] = { JS_NewInt32(amla_system, kind), JS_NewUint32(amla_system, id), payload };
    tell("message", 3, arguments);
}

/* `buffer` holds the frames, or is undefined: then each payload is copied. */
static void deliver_all(const uint8_t *frames, size_t length, JSValueConst buffer)
{
    size_t at = 0;
    while (length - at >= AMLA_FRAME_HEADER) {
        uint32_t size, id;
        memcpy(&size, frames + at, 4);
        memcpy(&id, frames + at + 5, 4);
        if (size < 5 || size > length - at - 4)
            return;
        const size_t start = at + AMLA_FRAME_HEADER, count = size - 5;
        deliver(frames[at + 4], id,
                JS_IsUndefined(buffer) ? JS_NewUint8ArrayCopy(amla_system, frames + start, count)
                                       : payload_view(buffer, start, count));
        at += 4 + (size_t)size;
    }
}

bool amla_await_input(void)
{
    size_t length = amla_starve();
    deliver_all((const uint8_t *)(uintptr_t)amla_cells.inbox, length, JS_UNDEFINED);
    return length > 0;
}

/* --- the loop -------------------------------------------------------------------------- */

static int interrupt_handler(JSRuntime *rt, void *opaque)
{
    (void)opaque;
    amla_publish_old();
    spared = false;
    if (!amla_interrupted() && !leaving)
        return 0;
    amla_hasten_interrupts(rt, amla_system);
    return 1;
}

static void track_rejection(JSContext *ctx, JSValueConst promise, JSValueConst reason, bool handled, void *opaque)
{
    (void)opaque;
    JSValue arguments[] = {
        JS_DupValue(ctx, promise), JS_DupValue(ctx, reason), JS_NewBool(amla_system, handled),
    };
    tell("rejection", 3, arguments);
}

/* An exception that left a job: the script's if anyone's. */
static void report_uncaught(JSContext *ctx)
{
    JSValue error = JS_GetException(ctx);
    if (JS_IsUncatchableError(error)) {
        JS_FreeValue(ctx, error);
        return;
    }
    tell("uncaught", 1, &error);
}

void amla_leave(void)
{
    leaving = true;
}

static void end_run(void)
{
    const char *handler = leaving ? "left" : "interrupted";
    amla_purge_jobs(runtime);
    leaving = false;
    amla_interrupt_clear();
    tell(handler, 0, NULL);
}

static void run_jobs(void)
{
    JSContext *ctx;
    for (;;) {
        if (leaving || amla_interrupted())
            end_run();
        amla_expose(amla_job_context(runtime) == amla_system);
        int done = JS_ExecutePendingJob(runtime, &ctx);
        amla_expose(false);
        if (done < 0)
            report_uncaught(ctx);
        if (done == 0 && !tell("idle", 0, NULL) && !leaving && !amla_interrupted())
            return;
    }
}

/* --- exports ------------------------------------------------------------------------------ */

#define EXPORT(name) __attribute__((export_name(#name)))

EXPORT(amla_alloc) uint32_t amla_alloc(uint32_t size)
{
    return (uint32_t)(uintptr_t)malloc(size);
}

EXPORT(amla_address) uint32_t amla_address(void)
{
    return (uint32_t)(uintptr_t)&amla_cells;
}

/* Build time only: a run like those to come, so that what a first run makes lazily is
 * in the image, beside what all runs write to. */
static void rehearse(void)
{
    static const char *const languages[] = { "javascript", "shell" };
    amla_seal(runtime);
    amla_keep_shapes(true);
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        JSValue language[] = { JS_NewString(amla_system, languages[i]) };
        tell("rehearse", 1, language);
        run_jobs();
        deliver(FRAME_PREPARE, 0, JS_UNDEFINED);
    }
    amla_keep_shapes(false);
    JS_RunGC(runtime);
    if (!faulty)
        amla_outbox_reset();
}

/* Build time only: create the system realm from the archive of sources.
 * Returns 0, or 1 with a fault frame in the outbox. */
EXPORT(amla_boot) uint32_t amla_boot(uint32_t archive, uint32_t length)
{
    amla_memory_clear_freed(true);
    handlers = JS_UNDEFINED;
    runtime = amla_memory_runtime();
    if (!runtime)
        return 1;
    JS_SetMaxStackSize(runtime, STACK_LIMIT);
    JS_SetGCThreshold(runtime, (size_t)-1);
    JS_SetInterruptHandler(runtime, interrupt_handler, NULL);
    JS_SetHostPromiseRejectionTracker(runtime, track_rejection, NULL);
    amla_modules_register(runtime);
    amla_system = JS_NewContext(runtime);
    if (!amla_system || amla_natives_define(amla_system))
        return 1;
    if (amla_modules_boot(amla_system, (const uint8_t *)(uintptr_t)archive, length)) {
        if (JS_HasException(amla_system))
            report_fault();
        return 1;
    }
    free((void *)(uintptr_t)archive);
    if (amla_unicode_sleep())
        return 1;
    run_jobs();
    amla_forbid_eval(amla_system);
    JS_RunGC(runtime);
    rehearse();
    amla_unpack_rest();
    amla_clear_free(runtime);
    amla_collect_after(runtime, COLLECTION);
    amla_memory_clear_freed(false);
    return faulty;
}

static void begin_step(uint32_t length)
{
    if (!seeded || amla_cells.seed[0] || amla_cells.seed[1]) {
        seeded = true;
        amla_random_seed(amla_cells.seed[0], amla_cells.seed[1]);
        amla_seed(amla_system, amla_random_word());
        amla_cells.seed[0] = amla_cells.seed[1] = 0;
    }
    amla_outbox_reset();
    amla_memory_rearm();
    amla_collect_after(runtime, COLLECTION);
    amla_expose(false);
    if (length > amla_cells.inbox_size)
        return;
    const uint8_t *frames = (const uint8_t *)(uintptr_t)amla_cells.inbox;
    JSValue buffer = taken_inbox(length);
    if (JS_IsException(buffer))
        report_fault();
    else
        deliver_all(frames, length, buffer);
    JS_FreeValue(amla_system, buffer);
}

/* Take the frames in the first `length` bytes of the inbox, which ask for what can be
 * answered at once (files); nothing of a script runs. */
EXPORT(amla_serve) void amla_serve(uint32_t length)
{
    begin_step(length);
}

/* One step: take the frames in the first `length` bytes of the inbox, run until
 * everything waits for the host or the host interrupts, leave frames in the outbox. */
EXPORT(amla_step) void amla_step(uint32_t length)
{
    begin_step(length);
    run_jobs();
    amla_publish();
}
