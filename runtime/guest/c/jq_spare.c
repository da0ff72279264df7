#include "jq_spare.h"

#include "jq_state.h"

#define SPARES 2 /* arbitrary: programs that a loop calls in turn; a megabyte each */

static AmlaJq *spares[SPARES];
static unsigned oldest;

static void add_text(AmlaBuffer *key, const char *text)
{
    if (text)
        amla_buffer_append(key, text, strlen(text) + 1);
    amla_buffer_put(key, text != NULL);
}

AmlaBuffer amla_jq_key(const char *program, const AmlaJqOptions *options)
{
    AmlaJqOptions plain = *options;
    plain.named = plain.positional = NULL;
    plain.environment = NULL;
    AmlaBuffer key = { 0 };
    amla_buffer_append(&key, &plain, sizeof plain);
    add_text(&key, program);
    add_text(&key, options->named);
    add_text(&key, options->positional);
    for (char **each = options->environment; each && *each; each++)
        add_text(&key, *each);
    return key;
}

AmlaJq *amla_jq_spare_take(const AmlaBuffer *key)
{
    for (unsigned i = 0; i < SPARES; i++) {
        AmlaJq *filter = spares[i];
        if (!filter || filter->key.length != key->length || memcmp(filter->key.data, key->data, key->length))
            continue;
        spares[i] = NULL;
        return filter;
    }
    return NULL;
}

AmlaJq *amla_jq_spare_keep(AmlaJq *filter)
{
    unsigned place = oldest;
    for (unsigned i = 0; i < SPARES; i++)
        if (!spares[i])
            place = i;
    if (spares[place])
        oldest = (oldest + 1) % SPARES;
    AmlaJq *gone = spares[place];
    spares[place] = filter;
    return gone;
}
