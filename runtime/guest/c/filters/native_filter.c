#include "native_filter.h"

#include <stdlib.h>
#include <string.h>

#include "bytes_view.h"
#include "filter.h"
#include "types.h"

typedef struct {
    const AmlaFilterType *type;
    AmlaBuffer out; /* output of the last call; its room is used again */
    void *self;
} Filter;

static JSClassID filter_class;

static void free_filter(JSRuntime *rt, JSValueConst value)
{
    (void)rt;
    Filter *filter = JS_GetOpaque(value, filter_class);
    if (!filter)
        return;
    if (filter->self && filter->type->destroy)
        filter->type->destroy(filter->self);
    amla_buffer_clear(&filter->out);
    free(filter->self);
    free(filter);
}

static const JSClassDef filter_class_def = { .class_name = "Filter", .finalizer = free_filter };

static const AmlaFilterType *find_type(const char *name)
{
    for (size_t i = 0; i < amla_filter_type_count; i++)
        if (!strcmp(amla_filter_types[i]->name, name))
            return amla_filter_types[i];
    return NULL;
}

static JSValue start(JSContext *ctx, JSValue handle, const AmlaFilterType *type, JSValueConst options)
{
    Filter *filter = calloc(1, sizeof *filter);
    void *self = filter ? calloc(1, type->size) : NULL;
    if (!self) {
        free(filter);
        return JS_ThrowOutOfMemory(ctx);
    }
    *filter = (Filter){ .type = type, .self = self };
    JS_SetOpaque(handle, filter);
    return type->create(ctx, self, options) ? JS_EXCEPTION : JS_UNDEFINED;
}

/* create(name, options): a handle. */
static JSValue create(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    const char *name = JS_ToCString(ctx, argv[0]);
    if (!name)
        return JS_EXCEPTION;
    const AmlaFilterType *type = find_type(name);
    JS_FreeCString(ctx, name);
    if (!type)
        return JS_ThrowTypeError(ctx, "no such filter");
    JSValue handle = JS_NewObjectClass(ctx, filter_class);
    if (JS_IsException(handle) || JS_IsException(start(ctx, handle, type, argv[1]))) {
        JS_FreeValue(ctx, handle);
        return JS_EXCEPTION;
    }
    return handle;
}

static JSValue answer(JSContext *ctx, Filter *filter, AmlaFilterState state)
{
    if (state == AMLA_FILTER_MEMORY || filter->out.failed)
        return JS_ThrowOutOfMemory(ctx);
    if (state == AMLA_FILTER_FAULT)
        return JS_ThrowTypeError(ctx, "%s", filter->type->fault ? filter->type->fault(filter->self) : "it failed");
    return JS_NewInt32(ctx, state);
}

/* configure(handle, options): for the next file. */
static JSValue configure(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    Filter *filter = JS_GetOpaque2(ctx, argv[0], filter_class);
    if (!filter)
        return JS_EXCEPTION;
    return filter->type->configure && filter->type->configure(ctx, filter->self, argv[1]) ? JS_EXCEPTION : JS_UNDEFINED;
}

/* feed(handle, bytes): the state. */
static JSValue feed(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    AmlaBytes bytes;
    Filter *filter = JS_GetOpaque2(ctx, argv[0], filter_class);
    if (!filter || !amla_bytes_borrow(ctx, argv[1], &bytes))
        return JS_EXCEPTION;
    filter->out.length = 0;
    return answer(ctx, filter, filter->type->feed(filter->self, bytes.data, bytes.length, &filter->out));
}

/* end(handle, moreFiles): the state. */
static JSValue end(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    Filter *filter = JS_GetOpaque2(ctx, argv[0], filter_class);
    if (!filter)
        return JS_EXCEPTION;
    const bool more_files = JS_ToBool(ctx, argv[1]);
    filter->out.length = 0;
    return answer(ctx, filter, filter->type->end(filter->self, more_files, &filter->out));
}

/* output(handle): what the last call left, as bytes of the caller's own; undefined when that was nothing. */
static JSValue output(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    Filter *filter = JS_GetOpaque2(ctx, argv[0], filter_class);
    if (!filter)
        return JS_EXCEPTION;
    return filter->out.length ? JS_NewUint8ArrayCopy(ctx, filter->out.data, filter->out.length) : JS_UNDEFINED;
}

static JSValue report(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value, (void)argc;
    Filter *filter = JS_GetOpaque2(ctx, argv[0], filter_class);
    if (!filter)
        return JS_EXCEPTION;
    return filter->type->report ? filter->type->report(ctx, filter->self) : JS_UNDEFINED;
}

static const JSCFunctionListEntry functions[] = {
    JS_CFUNC_DEF("create", 2, create), JS_CFUNC_DEF("feed", 2, feed),     JS_CFUNC_DEF("end", 2, end),
    JS_CFUNC_DEF("output", 1, output), JS_CFUNC_DEF("report", 1, report), JS_CFUNC_DEF("configure", 2, configure),
};

int amla_native_filter(JSContext *ctx, JSValueConst object)
{
    JSRuntime *rt = JS_GetRuntime(ctx);
    JS_NewClassID(rt, &filter_class);
    if (JS_NewClass(rt, filter_class, &filter_class_def))
        return -1;
    return JS_SetPropertyFunctionList(ctx, object, functions, sizeof functions / sizeof *functions);
}
