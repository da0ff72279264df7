#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "sort.h"

void sort_order_read(SortOrder *order, JSContext *ctx, JSValueConst options)
{
    size_t length = 0;
    order->tab = (int)amla_option_integer(ctx, options, "tab", -1);
    order->reverse = amla_option_flag(ctx, options, "reverse");
    order->keys = (SortKey *)amla_option_text(ctx, options, "keys", &length);
    order->key_count = length / sizeof *order->keys;
    order->last_resort = order->key_count == 0 || (!amla_option_flag(ctx, options, "unique") && !amla_option_flag(ctx, options, "stable"));
    char *seed = amla_option_text(ctx, options, "seed", &length);
    if (seed)
        memcpy(order->seed, seed, length < sizeof order->seed ? length : sizeof order->seed);
    free(seed);
}
