/* The memory that guest and host share, and the frames that cross it.
 *
 * `amla_cells` sits at a fixed address that the host reads once for each build
 * of the guest.  The host writes the cells marked "host" at any time, also from
 * another thread while the guest runs; the guest writes the others while a step
 * runs, and the host reads them between steps.  The outbox it may read at any time,
 * to show output while the guest computes: what has been published of it neither
 * changes nor goes away before the next step.
 *
 * A frame is: u32 length of what follows, u8 kind, u32 id, payload (little
 * endian).  docs/protocol.md lists the kinds.
 */
#ifndef AMLA_CELLS_H
#define AMLA_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AMLA_PROTOCOL 4
#define AMLA_FRAME_HEADER 9

typedef struct {
    uint32_t protocol;          /* guest: AMLA_PROTOCOL */
    volatile uint32_t interrupt; /* host: non-zero asks the running step to end */
    volatile double clock_ms;   /* host: milliseconds since 1970, kept fresh while a step runs */
    volatile double steady_ms;  /* host: milliseconds on a clock that never goes back */
    uint64_t seed[2];           /* host: entropy, written before the first step, and into a memory that was saved */
    uint32_t inbox;             /* guest: address of the buffer for incoming frames */
    uint32_t inbox_size;        /* guest: its size in bytes */
    uint32_t outbox;            /* guest: address of the outgoing frames */
    uint32_t outbox_length;     /* guest: their length in bytes; grows by whole frames */
    uint32_t kept;              /* guest: address of an AmlaKept (keep.h), or 0 for none */
    volatile uint32_t starving; /* guest: non-zero while it stands still for input */
    volatile uint32_t arrived;  /* host: bytes of input frames in the inbox, for a starving guest */
    volatile uint32_t heard;    /* guest: non-zero once it has seen `interrupt`, and puts away what the step had */
} AmlaCells;

extern AmlaCells amla_cells;

/* Whether the host wants the step to end.  Not inlined: a load that the compiler
 * or the engine may keep in a register would never see the host's write. */
bool amla_interrupted(void);

/* Clear the host's wish; the step that saw it does so once it has ended its work. */
void amla_interrupt_clear(void);

/* Append one frame to the outbox.  The payload is head then body; both are
 * copied.  Returns 0, or -1 when memory is short (nothing is appended). */
int amla_emit(uint8_t kind, uint32_t id, const void *head, size_t head_length, const void *body, size_t body_length);

/* Append output to the last frame if that is of the same kind, else as a new one.
 * The host sees it once it is published.  Returns 0, or -1 when memory is short. */
int amla_print(uint8_t kind, const void *text, size_t length);

/* Let the host see all that was printed; it may look while the guest runs. */
void amla_publish(void);

/* Publish what was printed some time ago; to be called now and then. */
void amla_publish_old(void);

/* Stand still until input comes.  Returns the bytes of frames that are in the inbox,
 * or 0 if the host wants the step to end instead. */
size_t amla_starve(void);

/* Start a step: forget the outgoing frames of the last one. */
void amla_outbox_reset(void);

/* An inbox that grew for one large message, for the caller to free, and a small
 * one in its place; NULL, and nothing changes, if it did not grow. */
uint8_t *amla_inbox_take(void);

#endif
