/* Math.hypot, with the digits of V8.
 *
 * Part of engine.c, behind quickjs.c. */

/* All arguments are made numbers first, in order, `first` being that already. */
static JSValue amla_math_hypot(JSContext *ctx, double first, int argc, JSValueConst *argv)
{
    double greatest = fabs(first), *values = js_malloc(ctx, (size_t)argc * sizeof *values);
    bool unknown = isnan(first), failed = !values;
    for (int i = 0; i < argc && !failed; i++) {
        values[i] = first;
        failed = i && JS_ToFloat64(ctx, &values[i], argv[i]);
        if (!failed) {
            unknown |= isnan(values[i]);
            greatest = fmax(greatest, fabs(values[i]));
        }
    }
    double result = isinf(greatest) ? greatest : unknown ? NAN : greatest;
    if (!failed && isfinite(result) && greatest > 0)
        result = amla_hypot(values, (size_t)argc, greatest);
    js_free(ctx, values);
    return failed ? JS_EXCEPTION : js_float64(result);
}
