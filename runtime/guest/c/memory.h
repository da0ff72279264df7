/* The allocator that QuickJS uses. */
#ifndef AMLA_MEMORY_H
#define AMLA_MEMORY_H

#include "engine.h"

/* A runtime on an allocator with a reserve: when memory first runs out, the
 * reserve is freed and the allocation still fails, so that the error can be
 * built and caught.  NULL when even the runtime finds no memory. */
JSRuntime *amla_memory_runtime(void);

/* Take the reserve back if it was used and memory allows. */
void amla_memory_rearm(void);

/* Run the collector if much more is in use than when it last ran: what was at work when a
 * run was stopped holds itself, and the memory of commands is not the engine's. */
void amla_memory_tidy(JSRuntime *rt);

/* While the guest is built, freed memory is cleared, so that the image that is
 * baked into the module holds no remains. */
void amla_memory_clear_freed(bool clear);

#endif
