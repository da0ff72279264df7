/* What malloc knows beyond the C library's interface. */
#ifndef AMLA_HEAP_H
#define AMLA_HEAP_H

#include <stddef.h>

/* Bytes of blocks that are not free, with their heads. */
size_t amla_heap_used(void);

#endif
