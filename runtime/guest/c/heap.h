/* What malloc offers beyond the C library's interface. */
#ifndef AMLA_HEAP_H
#define AMLA_HEAP_H

/* After a trap in the midst of anything: lists and heads may be half changed.  From
 * now on nothing is freed, and what is allocated comes from memory that was never
 * used.  What was allocated before stays as it is. */
void amla_heap_distrust(void);

#endif
