/* Sets of characters as sorted ranges of code points, named classes, and letters that differ only in case.
 *
 * The classes and the case mapping are those of the C.UTF-8 locale of the GNU C library (unicode_tables.h, case_tables.h).
 */
#ifndef AMLA_REGEX_CHARSET_H
#define AMLA_REGEX_CHARSET_H

#include <stdint.h>

#include "arena.h"

/* RX_RAW + b stands for the byte b that is no part of valid UTF-8. */
#define RX_RAW 0x110000u
#define RX_LAST 0x10ffffu

typedef struct {
    uint32_t lo, hi;
} RxRange;

/* Memory comes from an arena; what is added after memory ran out is lost, and arena->failed tells. */
typedef struct {
    RxRange *ranges;
    uint32_t count, capacity;
} RxSet;

typedef enum {
    RX_ALPHA, RX_DIGIT, RX_ALNUM, RX_UPPER, RX_LOWER, RX_PUNCT, RX_GRAPH, RX_PRINT, RX_SPACE, RX_BLANK, RX_CNTRL,
    RX_XDIGIT, RX_WORD, RX_CLASSES
} RxClass;

typedef enum { RX_FOLD_UPPER, RX_FOLD_FULL } RxFold; /* as towupper() has it; as Unicode's simple folding has it */

void rx_set_add(RxArena *arena, RxSet *set, uint32_t lo, uint32_t hi);
void rx_set_add_all(RxArena *arena, RxSet *set, const RxSet *more);

/* Sort and merge; all functions below need that and leave it so. */
void rx_set_tidy(RxSet *set);

bool rx_set_has(const RxSet *set, uint32_t c);

/* Everything else: of all bytes if `bytes`, else of all characters. */
void rx_set_invert(RxArena *arena, RxSet *set, bool bytes);

void rx_set_remove(RxArena *arena, RxSet *set, uint32_t c);

/* Add the letters that differ from a member only in case; ASCII letters alone if `bytes`. */
void rx_set_fold(RxArena *arena, RxSet *set, RxFold fold, bool bytes);

/* Add a class; its ASCII part alone if `ascii`. */
void rx_set_add_class(RxArena *arena, RxSet *set, RxClass class, bool ascii);

/* Add a Unicode property such as L, Lu or Han; false if the name is unknown. */
bool rx_set_add_property(RxArena *arena, RxSet *set, const char *name, size_t length);

/* The class of that name as brackets spell it ("alpha"); RX_CLASSES if there is none. */
RxClass rx_class_named(const char *name, size_t length);

uint32_t rx_upper(uint32_t c);

#endif
