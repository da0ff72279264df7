/* The machine that runs a compiled program.
 *
 * One stack holds operands, and the locals of functions below them.  An instruction is a word of code with its operands
 * behind it; `at` is where the one that runs began.  An instruction that needs the world asks for it and is run again when
 * the answer is there, so until then it must not change anything.
 *
 * A global variable has a number; those that mean something to awk come first.  A link (AWK_LINK) names the variable that
 * a parameter stands for: in `number` -1 - number of a global or the place of a local on the stack, or an element.
 */
#ifndef AWK_VM_H
#define AWK_VM_H

#include "random.h"
#include "array.h"
#include "awk.h"
#include "program.h"
#include "record.h"
#include "special.h"
#include "step.h"
#include "stream.h"
#include "zone.h"

typedef struct {
    uint32_t back;     /* word of code to go on with */
    uint32_t base;     /* the caller's locals */
    uint32_t function; /* that runs; AWK_NO_FUNCTION in a BEGINFILE or ENDFILE rule */
} AwkFrame;

enum {
    AWK_NO_FUNCTION = UINT32_MAX,
    AWK_STACK_SLACK = 64,  /* places above the limit, for what one instruction pushes */
    AWK_FRAMES_MAX = 4000000,
    AWK_FUEL = 1000,       /* instructions between two looks at the flags */
    AWK_LOOKS = 100,       /* looks between two pauses; arbitrary, a millisecond or so */
};

/* Reading the files of the command line. */
typedef struct {
    AwkStream *stream;  /* the current one */
    uint32_t argument;  /* next of ARGV */
    bool any;           /* a file was named */
    bool over;          /* nothing is left */
    bool begun;         /* the BEGINFILE rules ran for the current file */
    bool leaving;       /* the ENDFILE rules ran for it */
    bool skip;          /* nextfile */
} AwkMain;

typedef enum { AWK_BEGINNING, AWK_READING, AWK_ENDING, AWK_FINISHING } AwkPhase;

struct AwkVm {
    AwkPool pool;
    AwkProgram program;

    uint32_t pc, at; /* words of code */
    AwkValue *stack;
    uint32_t top, limit, stack_room; /* top: places in use */
    uint32_t base;                   /* the current function's first local */
    AwkFrame *frames;
    uint32_t frame_count, frame_room;
    AwkValue *globals;
    AwkText **assignments; /* of -v */
    uint32_t assignment_count, assignment_room;
    AwkValue result; /* of sub() and getline: what is to be stored; see awk_op_keep */
    AwkValue scrap;
    bool *ranges; /* whether a range pattern is within its range */
    AwkPhase phase;

    AwkZone zone;
    AwkRecord record;
    AwkSplitter splitter; /* by FS, FPAT or FIELDWIDTHS as they are now */
    AwkMain main;
    double nr, fnr;
    AwkText *ofs, *ors, *ofmt, *convfmt, *subsep;
    bool ignore_case;
    bool bytewise; /* each byte is a character */
    bool in_place; /* the end of an operand waits until what was printed is written */
    struct {
        enum { AWK_RS_BYTE, AWK_RS_LINES, AWK_RS_REGEX } kind;
        char byte;
        AwkPattern *pattern;
    } separator; /* RS */

    AwkStream *streams, *recent_stream, *standard_output; /* streams: the newest first */
    unsigned stream_count;
    AmlaBuffer lent, work; /* work: for building a text within one instruction */
    AmlaAwkState wanted;
    AmlaAwkRequest request;
    AwkStream *asked;
    bool answered; /* SYSTEM was answered: `status` says what */
    int status;
    bool closed; /* the close() that runs found a stream, and this was its status */
    int close_status;
    int exit_status;
    bool warned;  /* there was a warning that is yet to be written, behind what was printed before it */
    bool failed;  /* there was a fatal error */
    bool started; /* the program was compiled */
    uint32_t looks; /* at the flags, until the next pause */

    AwkPattern *patterns, *cached[AWK_PATTERN_CACHE];
    AwkArray *dying;
    bool freeing;
    AwkRandom random;
    double seed, old_seed;
};

static inline uint32_t awk_operand(AwkVm *vm)
{
    return vm->program.code[vm->pc++];
}

/* Room for `count` more values on the stack; false without memory. */
bool awk_stack_reserve(AwkVm *vm, uint32_t count);

static inline AwkValue *awk_top(AwkVm *vm)
{
    return &vm->stack[vm->top - 1];
}

/* Takes the value over.  There is slack for the pushes of one instruction. */
static inline void awk_push(AwkVm *vm, AwkValue value)
{
    if (vm->top >= vm->limit)
        awk_stack_reserve(vm, 1);
    vm->stack[vm->top++] = value;
}

static inline void awk_push_number(AwkVm *vm, double number)
{
    awk_push(vm, awk_number(number));
}

/* Gives the value to the caller. */
static inline AwkValue awk_pop(AwkVm *vm)
{
    return vm->stack[--vm->top];
}

static inline void awk_pop_drop(AwkVm *vm)
{
    AwkValue value = awk_pop(vm);
    awk_drop(vm, &value);
}

/* Drop all above `top`. */
void awk_unwind(AwkVm *vm, uint32_t top);

/* Run the instruction again after the caller has answered. */
static inline AwkStep awk_again(AwkVm *vm, AwkStep step)
{
    vm->pc = vm->at;
    return step;
}

/* Begin a function, or a rule as if it were one, at `entry`; its `locals` are on the stack already. */
bool awk_enter(AwkVm *vm, uint32_t entry, uint32_t back, uint32_t locals, uint32_t function);

#endif
