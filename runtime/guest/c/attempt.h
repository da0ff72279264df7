/* Leaving work in the middle, from however deep: what longjmp does elsewhere. */
#ifndef AMLA_ATTEMPT_H
#define AMLA_ATTEMPT_H

#include <stdbool.h>

/* Do `work` with `data`; false when it gave up.  What the functions between have not
 * put away by then stays as it is. */
bool amla_attempt(void (*work)(void *data), void *data);

/* Within amla_attempt(), and only there. */
_Noreturn void amla_give_up(void);

#endif
