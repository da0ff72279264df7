/* What every byte-chewing command of the shell is at heart: bytes in, bytes out, never blocking.
 *
 * A filter type is a table of functions; ts/commands/ drives it through native_filter.c.  Options are parsed and files
 * are opened in TypeScript; a filter knows neither files nor messages.  One filter is one run of a command.
 *
 * The loops of a filter poll amla_interrupted() at least every 100,000 steps and then
 * return AMLA_FILTER_INTERRUPTED.  Out of memory: AMLA_FILTER_MEMORY.
 */
#ifndef AMLA_FILTER_H
#define AMLA_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "quickjs.h"

typedef enum {
    AMLA_FILTER_MORE = 0, /* wants the next chunk (after end: is finished) */
    AMLA_FILTER_FULL = 1, /* has more output: call again with no input */
    AMLA_FILTER_DONE = 2, /* needs no more input, as `head` after its lines */
    AMLA_FILTER_INTERRUPTED = -1,
    AMLA_FILTER_MEMORY = -2,
    AMLA_FILTER_FAULT = -3, /* the filter has a message: see fault() */
} AmlaFilterState;

/* A filter stops adding to its output near this many bytes and says FULL, so that pipelines stay bounded. */
#define AMLA_FILTER_CHUNK (64 * 1024)

typedef struct {
    const char *name;
    size_t size; /* bytes of the state that create() gets, zeroed */
    /* Reads the fields of `options` (documented in the type's own file).  0, or -1 with a JS exception pending. */
    int (*create)(JSContext *ctx, void *self, JSValueConst options);
    /* Reads options that change between files; as create().  May be NULL. */
    int (*configure)(JSContext *ctx, void *self, JSValueConst options);
    /* Takes bytes, lent for the call; appends what is ready to `out`. */
    AmlaFilterState (*feed)(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out);
    /* No more input comes (of this file: `more_files` says that another follows); appends to `out`. */
    AmlaFilterState (*end)(void *self, bool more_files, AmlaBuffer *out);
    /* What else the run found out (counts, whether a line matched), as an object; may be NULL. */
    JSValue (*report)(JSContext *ctx, void *self);
    /* The text of a fault, owned by the filter; may be NULL. */
    const char *(*fault)(void *self);
    void (*destroy)(void *self); /* what create() and feed() allocated; not self; may be NULL */
} AmlaFilterType;

/* A type is defined in the file of its command and listed in types.c. */

#endif
