/* The instructions.  Each is a function of the machine; operands in code are told by the comment, those on the stack
 * (deepest first) and the result behind the arrow likewise.
 *
 * A place is what can be assigned: `kind index` in code, and on the stack nothing, or for a field its number, or for an
 * element the array and its key.
 */
#ifndef AWK_OPS_H
#define AWK_OPS_H

#include "step.h"
#include "value.h"

#define AWK_OPS(X)                                                                   \
    X(finish)          /*                            write and close all, end */     \
    X(constant)        /* number                     -> value */                     \
    X(pop)             /*                            value -> */                     \
    X(copy)            /* depth                      -> that value, from the top */  \
    X(global)          /* number                     -> value */                     \
    X(local)           /* number                     -> value */                     \
    X(special)         /* number                     -> value */                     \
    X(field)           /*                            index -> value */               \
    X(field_at)        /* index                      -> value */                     \
    X(field_number)    /* index                      -> number */                    \
    X(element)         /*                            array key -> value */           \
    X(global_array)    /* number                     -> array */                     \
    X(local_array)     /* number                     -> array */                     \
    X(subarray)        /*                            array key -> array */           \
    X(join)            /* count                      keys -> key */                  \
    X(pass_global)     /* number                     -> argument */                  \
    X(pass_local)      /* number                     -> argument */                  \
    X(pass_element)    /*                            array key -> argument */        \
    X(store)           /* kind index                 value place -> value */         \
    X(modify)          /* kind index arithmetic      value place -> value */         \
    X(step)            /* kind index by post         place -> number */              \
    X(keep)            /* kind index                 place count -> count */         \
    X(add) X(subtract) X(multiply) X(divide) X(remainder) X(power) /* a b -> number */ \
    X(minus) X(plus) X(not)                                        /* a -> number */ \
    X(less) X(less_equal) X(equal) X(not_equal) X(greater) X(greater_equal) /* a b -> number */ \
    X(concatenate)     /* count                      values -> text */               \
    X(append)          /* kind index count           values -> variable's text */  \
    X(match)           /*                            value pattern -> number */      \
    X(match_record)    /* pattern                    -> number */                    \
    X(in)              /*                            array key -> number */          \
    X(same_case)       /*                            value value -> value number */  \
    X(delete)          /*                            array key -> */                 \
    X(delete_all)      /*                            array -> */                     \
    X(jump)            /* word */                                                    \
    X(jump_true)       /* word                       value -> */                     \
    X(jump_false)      /* word                       value -> */                     \
    X(range_on)        /* range word                 jump when within */             \
    X(range_set)       /* range value */                                             \
    X(call)            /* function count             arguments -> result */          \
    X(call_named)      /* count                      name arguments -> result */     \
    X(give)            /*                            value -> (to the caller) */     \
    X(leave_rule)      /*                            end of BEGINFILE, ENDFILE */    \
    X(builtin)         /* which count                arguments -> result */          \
    X(each)            /*                            array -> list */                \
    X(each_sorted)     /*                            list -> list */                 \
    X(each_next)       /* word                       list -> list key, or jump */    \
    X(sort)            /* keys count                 arguments -> list */            \
    X(sort_end)        /*                            list -> number */               \
    X(print)           /* count redirection          values target -> */             \
    X(print_record)    /*                            $0 to standard output */        \
    X(printf)          /* count redirection          values target -> */             \
    X(getline)         /* kind, whether to keep      source -> number */             \
    X(close)           /* count                      arguments -> number */          \
    X(flush)           /* count                      arguments -> number */          \
    X(system)          /*                            command -> number */            \
    X(read_record)     /*                            the next record, or END */      \
    X(start_phase)     /* phase */                                                   \
    X(next) X(next_file)                                                             \
    X(exit)            /* whether a status           value -> */

#define AWK_OP_NUMBER(name) AWK_OP_##name,
typedef enum { AWK_OPS(AWK_OP_NUMBER) AWK_OP_COUNT } AwkOp;
#undef AWK_OP_NUMBER

typedef AwkStep AwkInstruction(AwkVm *vm);

#define AWK_OP_DECLARE(name) AwkInstruction awk_op_##name;
AWK_OPS(AWK_OP_DECLARE)
#undef AWK_OP_DECLARE

/* Kinds of places. */
typedef enum { AWK_IN_GLOBAL, AWK_IN_LOCAL, AWK_IN_SPECIAL, AWK_IN_FIELD, AWK_IN_ELEMENT } AwkPlaceKind;

/* Arithmetic of `a op= b`. */
typedef enum { AWK_ADD, AWK_SUBTRACT, AWK_MULTIPLY, AWK_DIVIDE, AWK_REMAINDER, AWK_POWER } AwkArithmetic;

/* Where output goes. */
typedef enum { AWK_TO_STDOUT, AWK_TO_FILE, AWK_TO_APPEND, AWK_TO_COMMAND, AWK_TO_BOTH } AwkRedirection;

/* Where getline reads. */
typedef enum { AWK_FROM_MAIN, AWK_FROM_FILE, AWK_FROM_COMMAND, AWK_FROM_BOTH } AwkSourceKind;

/* `a op b`; false after a division by zero. */
bool awk_calculate(AwkVm *vm, AwkArithmetic arithmetic, double a, double b, double *result);

#endif
