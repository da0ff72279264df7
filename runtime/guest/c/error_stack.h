/* An error's own `stack`, as in V8: made when it is first looked at, under the name and the message that it then has.
 * Included by engine.c alone. */

/* `frames`, which are taken, under what the error is as a text; alone where that throws. */
static JSValue amla_headed(JSContext *ctx, JSValueConst error, JSValue frames)
{
    JSValue head = js_error_toString(ctx, error, 0, NULL);
    if (JS_IsException(head)) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return frames;
    }
    JSString *text = JS_VALUE_GET_STRING(frames);
    bool ends = text->len && string_get(text, (int)text->len - 1) == '\n';
    JSValue lines = js_sub_string(ctx, text, 0, (int)text->len - ends);
    bool empty = !text->len;
    JS_FreeValue(ctx, frames);
    if (!empty)
        head = JS_ConcatString3(ctx, "", head, "\n");
    return JS_ConcatString(ctx, head, lines);
}

static JSValue amla_new_error(JSContext *ctx, JSValueConst proto)
{
    JSValue error = JS_NewObjectProtoClass(ctx, proto, JS_CLASS_ERROR);
    int flags = JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE;
    if (!JS_IsException(error) && JS_DefineAutoInitProperty(ctx, error, JS_ATOM_stack, JS_AUTOINIT_ID_PROP, NULL, flags) < 0) {
        JS_FreeValue(ctx, error);
        return JS_EXCEPTION;
    }
    return error;
}

/* Its stack while that is still to be made; NULL afterwards. */
static JSShapeProperty *amla_unmade_stack(JSObject *error, JSProperty **property)
{
    JSShapeProperty *shape = find_own_property(property, error, JS_ATOM_stack);
    return shape && (shape->flags & JS_PROP_TMASK) == JS_PROP_AUTOINIT ? shape : NULL;
}

/* Getters of its name and message run a script's code, which may look at the stack as well, or take it away. */
static int amla_make_stack(JSContext *ctx, JSObject *error)
{
    JSValue object = js_dup(JS_MKPTR(JS_TAG_OBJECT, error)), text = js_dup(error->u.object_data);
    if (JS_IsUndefined(text)) /* made by the engine, and never thrown */
        text = JS_NewStringLen(ctx, "", 0);
    if (JS_IsString(text) && ctx != amla_system)
        text = amla_headed(ctx, object, text);
    JSProperty *property;
    JSShapeProperty *shape = amla_unmade_stack(error, &property);
    int failed = JS_IsException(text) || (shape && js_shape_prepare_update(ctx, error, &shape));
    if (shape && !failed) {
        js_autoinit_free(ctx->rt, property);
        shape->flags &= (uint8_t)~JS_PROP_TMASK;
        property->u.value = js_dup(text);
    }
    JS_FreeValue(ctx, text);
    JS_FreeValue(ctx, object);
    return failed ? -1 : 0;
}
