#include "modules.h"

#include <stdlib.h>
#include <string.h>

#include "pack.h"
#include "realm.h"
#include "step.h"

typedef struct {
    char *name;
    AmlaPacked *bytecode;
} Module;

static Module *modules;
static AmlaPacked *bytecodes; /* of the modules, in their order */
static uint32_t module_count;

static const char factory_head[] = "(function (exports, require, module) {";
static const char factory_tail[] = "\n})";

/* --- the archive -------------------------------------------------------------------- */

typedef struct {
    const uint8_t *at, *end;
} Reader;

/* The next length-prefixed field, or NULL when the archive is malformed. */
static const char *read_field(Reader *reader, uint32_t *length, size_t extra)
{
    if (reader->end - reader->at < 4)
        return NULL;
    memcpy(length, reader->at, 4);
    reader->at += 4;
    if ((size_t)(reader->end - reader->at) < *length + extra)
        return NULL;
    const char *field = (const char *)reader->at;
    reader->at += *length + extra;
    return field;
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

static char *factory_source(const char *source, size_t length, size_t *total)
{
    *total = sizeof factory_head - 1 + length + sizeof factory_tail - 1;
    char *text = malloc(*total + 1);
    if (!text)
        return NULL;
    memcpy(text, factory_head, sizeof factory_head - 1);
    memcpy(text + sizeof factory_head - 1, source, length);
    memcpy(text + *total - (sizeof factory_tail - 1), factory_tail, sizeof factory_tail);
    return text;
}

/* Compile a program; returns its bytecode without source text and what else amla_strip
 * drops, or NULL.  Free with js_free. */
static uint8_t *compile(JSContext *ctx, const char *text, size_t length, const char *name, size_t *size)
{
    JSValue code = JS_Eval(ctx, text, length, name, JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_COMPILE_ONLY);
    if (JS_IsException(code))
        return NULL;
    amla_strip(ctx, code);
    uint8_t *bytecode = JS_WriteObject(ctx, size, code, JS_WRITE_OBJ_BYTECODE | JS_WRITE_OBJ_STRIP_SOURCE);
    JS_FreeValue(ctx, code);
    return bytecode;
}

static int compile_module(JSContext *ctx, Module *module, const char *source, size_t length)
{
    size_t total;
    char *text = factory_source(source, length, &total);
    if (!text)
        return -1;
    uint8_t *bytecode = compile(ctx, text, total, module->name, &module->bytecode->length);
    free(text);
    if (!bytecode)
        return -1;
    module->bytecode->bytes = malloc(module->bytecode->length);
    if (module->bytecode->bytes)
        memcpy(module->bytecode->bytes, bytecode, module->bytecode->length);
    js_free(ctx, bytecode);
    return module->bytecode->bytes ? 0 : -1;
}

/* By way of bytecode, so that no function keeps its source text in the image. */
static int evaluate_system(JSContext *ctx, const char *source, size_t length)
{
    size_t size;
    uint8_t *bytecode = compile(ctx, source, length, "amla:system", &size);
    if (!bytecode)
        return -1;
    JSValue code = JS_ReadObject(ctx, bytecode, size, JS_READ_OBJ_BYTECODE);
    js_free(ctx, bytecode);
    JSValue result = JS_IsException(code) ? code : JS_EvalFunction(ctx, code);
    int failed = JS_IsException(result);
    JS_FreeValue(ctx, result);
    return failed ? -1 : 0;
}

int amla_modules_boot(JSContext *ctx, const uint8_t *archive, size_t length)
{
    Reader reader = { archive, archive + length };
    const char *system = NULL;
    uint32_t count, name_length, source_length, system_length = 0;

    if (length < 4)
        return -1;
    memcpy(&count, archive, 4);
    reader.at += 4;
    if (count > length)
        return -1;
    modules = calloc(count, sizeof *modules);
    bytecodes = calloc(count, sizeof *bytecodes);
    if (!modules || !bytecodes)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = read_field(&reader, &name_length, 0);
        const char *source = name ? read_field(&reader, &source_length, 1) : NULL;
        if (!source)
            return -1;
        if (name_length == 6 && !memcmp(name, "system", 6)) {
            system = source;
            system_length = source_length;
            continue;
        }
        Module *module = &modules[module_count];
        module->bytecode = &bytecodes[module_count++];
        module->name = copy_text(name, name_length);
        if (!module->name || compile_module(ctx, module, source, source_length))
            return -1;
    }
    if (amla_pack(bytecodes, module_count))
        return -1;
    return system ? evaluate_system(ctx, system, system_length) : -1;
}

/* --- modules that come with the guest -------------------------------------------------- */

static const Module *find_module(const char *name)
{
    for (uint32_t i = 0; i < module_count; i++)
        if (!strcmp(modules[i].name, name))
            return &modules[i];
    return NULL;
}

static JSValue instantiate(JSContext *ctx, const char *name)
{
    const Module *module = find_module(name);
    if (!module)
        return JS_UNDEFINED;
    const size_t length = module->bytecode->length;
    uint8_t *bytecode = js_malloc(ctx, length);
    if (!bytecode)
        return JS_EXCEPTION;
    amla_unpack(module->bytecode, bytecode);
    JSValue code = JS_ReadObject(ctx, bytecode, length, JS_READ_OBJ_BYTECODE);
    js_free(ctx, bytecode);
    return JS_IsException(code) ? code : JS_EvalFunction(ctx, code);
}

static JSValue load(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)
{
    (void)this_value;
    const char *name = argc ? JS_ToCString(ctx, argv[0]) : NULL;
    if (!name)
        return JS_EXCEPTION;
    JSValue factory = instantiate(ctx, name);
    JS_FreeCString(ctx, name);
    return factory;
}

JSValue amla_module_loader(JSContext *ctx)
{
    return JS_NewCFunction(ctx, load, "load", 1);
}

JSValue amla_module_exports(JSContext *ctx, JSValueConst name, JSValueConst require)
{
    JSValue factory = load(ctx, JS_UNDEFINED, 1, &name);
    if (JS_IsException(factory))
        return factory;
    if (JS_IsUndefined(factory))
        return JS_ThrowInternalError(ctx, "the guest was built without a module it needs");
    JSValue module = JS_NewObject(ctx);
    JSValue exports = JS_NewObject(ctx);
    JS_SetPropertyStr(ctx, module, "exports", JS_DupValue(ctx, exports));
    JSValueConst arguments[] = { exports, require, module };
    JSValue result = JS_Call(ctx, factory, JS_UNDEFINED, 3, arguments);
    JSValue value = JS_IsException(result) ? JS_EXCEPTION : JS_GetPropertyStr(ctx, module, "exports");
    JS_FreeValue(ctx, result);
    JS_FreeValue(ctx, exports);
    JS_FreeValue(ctx, module);
    JS_FreeValue(ctx, factory);
    return value;
}

JSValue amla_module_names(JSContext *ctx)
{
    JSValue names = JS_NewArray(ctx);
    for (uint32_t i = 0; i < module_count; i++)
        JS_SetPropertyUint32(ctx, names, i, JS_NewString(ctx, modules[i].name));
    return names;
}

/* --- ES modules ---------------------------------------------------------------------- */

static char *normalize(JSContext *ctx, const char *base, const char *name, void *opaque)
{
    (void)opaque;
    JSValue arguments[] = { JS_NewString(amla_system, base), JS_NewString(amla_system, name) };
    JSValue path = amla_call_handler(ctx, "resolve", 2, arguments);
    if (JS_IsException(path))
        return NULL;
    const char *text = JS_ToCString(ctx, path);
    char *copy = text ? js_strdup(ctx, text) : NULL;
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, path);
    return copy;
}

static int set_exports(JSContext *ctx, JSModuleDef *module)
{
    JSValue exports = JS_GetModulePrivateValue(ctx, module);
    JSPropertyEnum *names;
    uint32_t count;

    int result = JS_SetModuleExport(ctx, module, "default", JS_DupValue(ctx, exports));
    if (!result && JS_IsObject(exports)
        && !JS_GetOwnPropertyNames(ctx, &names, &count, exports, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY)) {
        for (uint32_t i = 0; i < count && !result; i++) {
            const char *name = JS_AtomToCString(ctx, names[i].atom);
            if (name && strcmp(name, "default"))
                result = JS_SetModuleExport(ctx, module, name, JS_GetProperty(ctx, exports, names[i].atom));
            JS_FreeCString(ctx, name);
        }
        JS_FreePropertyEnum(ctx, names, count);
    }
    JS_FreeValue(ctx, exports);
    return result;
}

/* A module whose default export is `exports` and whose named exports are its properties. */
static JSModuleDef *synthetic_module(JSContext *ctx, const char *name, JSValueConst exports)
{
    JSPropertyEnum *names;
    uint32_t count;

    JSModuleDef *module = JS_NewCModule(ctx, name, set_exports);
    if (!module || JS_AddModuleExport(ctx, module, "default"))
        return NULL;
    if (JS_IsObject(exports)
        && !JS_GetOwnPropertyNames(ctx, &names, &count, exports, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY)) {
        for (uint32_t i = 0; i < count; i++) {
            const char *key = JS_AtomToCString(ctx, names[i].atom);
            if (key && strcmp(key, "default"))
                JS_AddModuleExport(ctx, module, key);
            JS_FreeCString(ctx, key);
        }
        JS_FreePropertyEnum(ctx, names, count);
    }
    JS_SetModulePrivateValue(ctx, module, JS_DupValue(ctx, exports));
    return module;
}

/* Copy what `import.meta` has to the object that the engine made for it. */
static void describe(JSContext *ctx, JSModuleDef *module, JSValueConst described)
{
    static const char *const names[] = { "dirname", "filename", "resolve", "url" };
    JSValue meta = JS_GetImportMeta(ctx, module);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        JS_DefinePropertyValueStr(ctx, meta, names[i], JS_GetPropertyStr(ctx, described, names[i]), JS_PROP_C_W_E);
    JS_FreeValue(ctx, meta);
}

static JSModuleDef *source_module(JSContext *ctx, const char *name, JSValueConst source, JSValueConst described)
{
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, source);
    if (!text)
        return NULL;
    JSValue code = JS_Eval(ctx, text, length, name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    JS_FreeCString(ctx, text);
    if (JS_IsException(code))
        return NULL;
    JSModuleDef *module = JS_VALUE_GET_PTR(code);
    describe(ctx, module, described);
    JS_FreeValue(ctx, code);
    return module;
}

/* The handler `load` answers [exports] for what is a value already, or [meta, source text]. */
static JSModuleDef *load_module(JSContext *ctx, const char *name, void *opaque)
{
    (void)opaque;
    JSValue arguments[] = { JS_NewString(amla_system, name) };
    JSValue loaded = amla_call_handler(ctx, "load", 1, arguments);
    if (JS_IsException(loaded))
        return NULL;
    JSValue first = JS_GetPropertyUint32(ctx, loaded, 0), source = JS_GetPropertyUint32(ctx, loaded, 1);
    JSModuleDef *module = JS_IsString(source) ? source_module(ctx, name, source, first) : synthetic_module(ctx, name, first);
    JS_FreeValue(ctx, source);
    JS_FreeValue(ctx, first);
    JS_FreeValue(ctx, loaded);
    return module;
}

void amla_modules_register(JSRuntime *rt)
{
    JS_SetModuleLoaderFunc(rt, normalize, load_module, NULL);
}
