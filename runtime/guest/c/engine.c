/* QuickJS as part of our own file: see engine.h for why. */
#include "elementary.h"
#include "step.h"
#include "text_codec.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include "quickjs.c"
#pragma clang diagnostic pop

#include "cells.h"
#include "engine.h"
#include "realm.h"
#include "error_stack.h"
#include "origins.h"
#include "expression.h"
#include "operand.h"
#include "messages.h"
#include "builtin_messages.h"
#include "radix.h"
#include "sort.h"
#include "json_fault.h"
#include "realm_image.h"
#include "trace.h"
#include "arenas.h"
#include "variables.h"
#include "texts.h"
#include "hypot.h"
#include "script.h"
#include "realms.h"
#include "values.h"
#include "lines.h"

/* --- interrupts, jobs, seeds ---------------------------------------------------- */

void amla_hasten_interrupts(JSRuntime *rt, const JSContext *spared)
{
    struct list_head *el;

    list_for_each(el, &rt->context_list) {
        JSContext *ctx = list_entry(el, JSContext, link);
        if (ctx != spared)
            ctx->interrupt_counter = 1;
    }
}

void amla_hasten_interrupt(JSContext *ctx, int32_t polls)
{
    ctx->interrupt_counter = ctx->interrupt_counter > polls ? ctx->interrupt_counter - polls : 1;
}

void amla_next_interrupt(JSContext *ctx, int32_t polls)
{
    ctx->interrupt_counter = polls;
}

JSContext *amla_job_context(JSRuntime *rt)
{
    return list_empty(&rt->job_list) ? NULL : list_entry(rt->job_list.next, JSJobEntry, link)->ctx;
}

void amla_purge_jobs(JSRuntime *rt)
{
    struct list_head *el, *next;

    list_for_each_safe(el, next, &rt->job_list) {
        JSJobEntry *job = list_entry(el, JSJobEntry, link);
        list_del(&job->link);
        for (int i = 0; i < job->argc; i++)
            JS_FreeValueRT(rt, job->argv[i]);
        js_free_rt(rt, job);
    }
}

static size_t own_threshold;

/* QuickJS sets a threshold of its own after each collection; that is how one is noticed. */
void amla_collect_after(JSRuntime *rt, size_t bytes)
{
    if (rt->malloc_gc_threshold == own_threshold)
        return;
    own_threshold = rt->malloc_state.malloc_size + bytes;
    rt->malloc_gc_threshold = own_threshold;
}

void amla_seed(JSContext *ctx, uint64_t seed)
{
    ctx->random_state = seed ? seed : 1;
}
