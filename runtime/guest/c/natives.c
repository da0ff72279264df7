#include "natives.h"

#include "awk/native_awk.h"
#include "diff/native_diff.h"
#include "filters/native_filter.h"
#include "filters/native_text.h"
#include "keep.h"
#include "native_bytes.h"
#include "native_hash.h"
#include "native_host.h"
#include "native_jq.h"
#include "native_random.h"
#include "native_types.h"
#include "realm.h"
#include "regex/native_regex.h"
#include "sed/native_sed.h"
#include "shell/native_shell.h"
#include "zone.h"

typedef struct {
    const char *name;
    int (*define)(JSContext *ctx, JSValueConst object);
} Group;

static const Group groups[] = {
    { "awk", amla_native_awk },
    { "bytes", amla_native_bytes },
    { "diff", amla_native_diff },
    { "filter", amla_native_filter },
    { "hash", amla_native_hash },
    { "host", amla_native_host },
    { "jq", amla_native_jq },
    { "keep", amla_native_keep },
    { "random", amla_native_random },
    { "realm", amla_native_realm },
    { "regex", amla_native_regex },
    { "sed", amla_native_sed },
    { "shell", amla_native_shell },
    { "text", amla_native_text },
    { "types", amla_native_types },
    { "zone", amla_native_zone },
};

int amla_natives_define(JSContext *ctx)
{
    JSValue native = JS_NewObject(ctx);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        JSValue object = JS_NewObject(ctx);
        if (groups[i].define(ctx, object) || JS_SetPropertyStr(ctx, native, groups[i].name, object) < 0)
            return -1;
    }
    JSValue global = JS_GetGlobalObject(ctx);
    int result = JS_SetPropertyStr(ctx, global, "__native", native);
    JS_FreeValue(ctx, global);
    return result < 0 ? -1 : 0;
}
