/* What an instruction comes to. */
#ifndef AWK_STEP_H
#define AWK_STEP_H

typedef enum {
    AWK_ON,    /* the next instruction */
    AWK_WAIT,  /* the request is for the caller; then the same instruction again */
    AWK_PAUSE, /* the request is for the caller; then the next instruction */
    AWK_FAIL,  /* there was a fatal error */
    AWK_END,   /* the program is over */
} AwkStep;

#endif
