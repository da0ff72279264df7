/* What a script refers to weakly stays until the next collection.  QuickJS lets go of an object with the last reference
 * to it, even between two lines of a script; JavaScript promises that what a WeakRef was made for is there until the
 * script pauses, and in V8 only a collection takes it away.  Included by quickjs.c (build/quickjs_as_v8.py). */
static JSValue *amla_weak_targets;
static uint32_t amla_weak_count, amla_weak_size;
static bool amla_ending;

static int amla_keep_target(JSContext *ctx, JSValueConst target)
{
    if (amla_weak_count == amla_weak_size) {
        uint32_t size = amla_weak_size ? amla_weak_size * 2 : 8;
        JSValue *targets = js_realloc(ctx, amla_weak_targets, sizeof *targets * size);
        if (!targets)
            return -1;
        amla_weak_targets = targets;
        amla_weak_size = size;
    }
    amla_weak_targets[amla_weak_count++] = js_dup(target);
    return 0;
}

/* Freeing runs no code of a script, so the list is not added to meanwhile. */
static void amla_let_targets_go(JSRuntime *rt)
{
    for (uint32_t i = 0; i < amla_weak_count; i++)
        JS_FreeValueRT(rt, amla_weak_targets[i]);
    js_free_rt(rt, amla_weak_targets);
    amla_weak_targets = NULL;
    amla_weak_count = amla_weak_size = 0;
}
