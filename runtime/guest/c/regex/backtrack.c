#include "backtrack.h"

#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "utf8.h"

enum { STEPS_MAX = 10000000, CHOICES_MAX = 1 << 20, STEPS_TO_POLL = 1 << 16, FRAMES_MAX = 1 << 16 };

/* Kinds of choices, beyond slots to set back. */
enum { GO_ON = UINT32_MAX, BARRIER = UINT32_MAX - 1 };

/* Slots of a group. */
enum { START, END, OLD_START, OLD_END, PER_GROUP };

/* The last slots, where there are calls: which frame runs, and how many there have been. */
enum { FRAMES = 1, FRAME, CALL_SLOTS = FRAME };

#define UNSET AMLA_REGEX_UNSET

bool rx_backtrack_init(RxBacktrack *backtrack, const RxProgram *program, const RxSides *sides, bool bytes,
                       bool longest)
{
    *backtrack = (RxBacktrack){ .program = program, .sides = sides, .bytes = bytes, .longest = longest };
    backtrack->slot_count = PER_GROUP * (program->groups + 1u) + program->registers;
    if (program->calls)
        backtrack->slot_count += CALL_SLOTS;
    backtrack->slots = malloc(backtrack->slot_count * sizeof(size_t));
    backtrack->best = malloc(backtrack->slot_count * sizeof(size_t));
    return backtrack->slots && backtrack->best;
}

void rx_backtrack_free(RxBacktrack *backtrack)
{
    free(backtrack->slots);
    free(backtrack->best);
    free(backtrack->choices);
    free(backtrack->frames);
    free(backtrack->kept);
    *backtrack = (RxBacktrack){ 0 };
}

void rx_backtrack_begin(RxBacktrack *backtrack, RxText text)
{
    backtrack->text = text;
    backtrack->steps = 0;
    backtrack->failed = AMLA_REGEX_NONE;
}

AmlaSpan rx_backtrack_span(const RxBacktrack *backtrack, size_t group)
{
    if (group > backtrack->program->groups)
        return (AmlaSpan){ UNSET, UNSET };
    const size_t *slots = backtrack->best + PER_GROUP * group;
    const bool unset = slots[START] == UNSET || slots[END] == UNSET;
    return unset ? (AmlaSpan){ UNSET, UNSET } : (AmlaSpan){ slots[START], slots[END] };
}

static void push(RxBacktrack *backtrack, uint32_t state, uint32_t slot, size_t place)
{
    if (backtrack->height >= CHOICES_MAX ||
        !rx_grow(&backtrack->choices, &backtrack->capacity, backtrack->height + 1, sizeof(RxChoice))) {
        backtrack->failed = AMLA_REGEX_TOO_COMPLEX;
        return;
    }
    backtrack->choices[backtrack->height++] = (RxChoice){ state, slot, place };
}

static void set(RxBacktrack *backtrack, size_t slot, size_t value)
{
    if (backtrack->slots[slot] == value)
        return;
    push(backtrack, 0, (uint32_t)slot, backtrack->slots[slot]);
    backtrack->slots[slot] = value;
}

static size_t register_slot(const RxBacktrack *backtrack, const RxState *state)
{
    return PER_GROUP * (backtrack->program->groups + 1u) + state->b;
}

/* Undo down to the latest choice and take it: its state, or 0 if none is left. */
static uint32_t fail(RxBacktrack *backtrack, size_t *at)
{
    while (backtrack->height) {
        const RxChoice choice = backtrack->choices[--backtrack->height];
        if (choice.slot < BARRIER)
            backtrack->slots[choice.slot] = choice.place;
        if (choice.slot == GO_ON || (choice.slot == BARRIER && choice.state)) {
            *at = choice.place;
            return choice.state;
        }
    }
    return 0;
}

static void save(RxBacktrack *backtrack, const RxState *state, size_t at)
{
    const size_t group = PER_GROUP * (state->b / 2);
    const size_t *slots = backtrack->slots + group;
    if (state->b % 2 == 0) {
        set(backtrack, group + OLD_START, slots[START]);
        set(backtrack, group + OLD_END, slots[END]);
        set(backtrack, group + START, at);
        set(backtrack, group + END, UNSET);
    } else if (backtrack->longest && state->kind && slots[START] == at && slots[OLD_END] != UNSET) {
        set(backtrack, group + START, slots[OLD_START]); /* see groups.c */
        set(backtrack, group + END, slots[OLD_END]);
    } else {
        set(backtrack, group + END, at);
    }
}

static bool has(const RxMembers *members, uint32_t c)
{
    return c < 0x80 ? members->ascii[c / 32] >> c % 32 & 1 : rx_set_has(members->all, c);
}

static size_t read_char(const RxBacktrack *backtrack, size_t at, uint32_t *c)
{
    const RxText text = backtrack->text;
    if (at >= text.length)
        return 0;
    if (!backtrack->bytes)
        return rx_decode(text.bytes + at, text.length - at, c);
    *c = text.bytes[at];
    return 1;
}

/* Whether text[start .. end) comes again at *at; moves behind it. */
static bool repeats(RxBacktrack *backtrack, size_t start, size_t end, bool fold, size_t *at)
{
    backtrack->steps += (end - start) / 16;
    if (!fold) {
        const RxText text = backtrack->text;
        if (text.length - *at < end - start || memcmp(text.bytes + start, text.bytes + *at, end - start) != 0)
            return false;
        *at += end - start;
        return true;
    }
    while (start < end) {
        uint32_t one, other;
        const size_t length = read_char(backtrack, *at, &other);
        if (!length)
            return false;
        start += read_char(backtrack, start, &one);
        *at += length;
        if (rx_upper(one) != rx_upper(other))
            return false;
    }
    return true;
}

static bool step_back(RxBacktrack *backtrack, size_t count, size_t *at)
{
    backtrack->steps += count / 16;
    for (; count > 0; count--) {
        size_t end;
        if (*at == 0)
            return false;
        *at = backtrack->bytes ? *at - 1
                               : rx_character_around(backtrack->text.bytes, backtrack->text.length, *at - 1, &end);
    }
    return true;
}

static bool holds(const RxBacktrack *backtrack, RxAssert kind, size_t at)
{
    const RxText text = backtrack->text;
    if (kind == RX_TEXT_END_LINE && at + 1 == text.length && text.bytes[at] == '\n')
        return true;
    return rx_assert_holds(kind, rx_side(backtrack->sides, text, at - 1), rx_side(backtrack->sides, text, at));
}

/* Forget the choices since `floor`, but not what is to be undone once an older choice is taken. */
static void cut(RxBacktrack *backtrack, size_t floor)
{
    size_t kept = floor;
    for (size_t i = floor; i < backtrack->height; i++)
        if (backtrack->choices[i].slot < BARRIER)
            backtrack->choices[kept++] = backtrack->choices[i];
    backtrack->height = kept;
}

static uint32_t begin_cut(RxBacktrack *backtrack, const RxState *state, size_t at)
{
    push(backtrack, state->kind == RX_CUT_LOOK_NOT ? state->c : 0, BARRIER, at);
    set(backtrack, register_slot(backtrack, state), backtrack->height - 1);
    return state->a;
}

/* The part of a cut matched. */
static uint32_t end_cut(RxBacktrack *backtrack, const RxState *state, size_t *at)
{
    const size_t floor = backtrack->slots[register_slot(backtrack, state)];
    const size_t place = backtrack->choices[floor].place;
    if (state->kind == RX_CUT_LOOK_NOT) {
        while (backtrack->height > floor + 1) {
            const RxChoice choice = backtrack->choices[--backtrack->height];
            if (choice.slot < BARRIER)
                backtrack->slots[choice.slot] = choice.place;
        }
        backtrack->height = floor;
        return fail(backtrack, at);
    }
    cut(backtrack, floor);
    if (state->kind == RX_CUT_LOOK)
        *at = place;
    return state->a;
}

static uint32_t call(RxBacktrack *backtrack, const RxState *state)
{
    const size_t count = backtrack->slot_count, frames = count - FRAMES, frame = count - FRAME;
    const size_t mine = backtrack->slots[frames];
    if (mine >= FRAMES_MAX || !rx_grow(&backtrack->frames, &backtrack->frame_capacity, mine + 1, sizeof(RxFrame)) ||
        !rx_grow(&backtrack->kept, &backtrack->kept_capacity, (mine + 1) * count, sizeof(size_t))) {
        backtrack->failed = AMLA_REGEX_TOO_COMPLEX;
        return RX_DEAD_END;
    }
    backtrack->steps += count / 16;
    backtrack->frames[mine] = (RxFrame){ state->a, backtrack->slots[frame] };
    memcpy(backtrack->kept + mine * count, backtrack->slots, count * sizeof(size_t));
    set(backtrack, frames, mine + 1);
    set(backtrack, frame, mine);
    return backtrack->program->calls[state->b];
}

/* Groups are as they were before the call. */
static uint32_t end_call(RxBacktrack *backtrack)
{
    const size_t count = backtrack->slot_count, frame = count - FRAME, mine = backtrack->slots[frame];
    const size_t *kept = backtrack->kept + mine * count;
    for (size_t slot = 0; slot < count - CALL_SLOTS; slot++)
        set(backtrack, slot, kept[slot]);
    set(backtrack, frame, backtrack->frames[mine].outer);
    return backtrack->frames[mine].back;
}

static uint32_t accept(RxBacktrack *backtrack, size_t *at)
{
    if (!backtrack->found || *at > backtrack->best_end) {
        backtrack->found = true;
        backtrack->best_end = *at;
        memcpy(backtrack->best, backtrack->slots, backtrack->slot_count * sizeof(size_t));
        backtrack->best[END] = *at;
    }
    return backtrack->longest && *at < backtrack->text.length ? fail(backtrack, at) : 0;
}

/* One step from a state; the next, or 0 if all is tried. */
static uint32_t step(RxBacktrack *backtrack, const RxState *state, size_t *at)
{
    uint32_t c;
    size_t length;
    switch ((RxOp)state->op) {
    case RX_OP_SET:
        length = read_char(backtrack, *at, &c);
        if (!length || !has(&backtrack->program->sets[state->b], c))
            break;
        *at += length;
        return state->a;
    case RX_OP_SPLIT:
        push(backtrack, state->b, GO_ON, *at);
        return state->a;
    case RX_OP_SAVE:
        save(backtrack, state, *at);
        return state->a;
    case RX_OP_ASSERT:
        if (!holds(backtrack, (RxAssert)state->kind, *at))
            break;
        return state->a;
    case RX_OP_BACKREF: {
        const size_t *slots = backtrack->slots + PER_GROUP * state->b;
        if (slots[START] == UNSET || slots[END] == UNSET ||
            !repeats(backtrack, slots[START], slots[END], state->kind, at))
            break;
        return state->a;
    }
    case RX_OP_MARK:
        set(backtrack, register_slot(backtrack, state), *at);
        return state->a;
    case RX_OP_PROGRESS:
        if (backtrack->slots[register_slot(backtrack, state)] != *at)
            return state->a;
        if (backtrack->longest)
            break; /* glibc takes no way that passes a loop and reads nothing */
        return state->c;
    case RX_OP_BACK:
        if (!step_back(backtrack, state->b, at))
            break;
        return state->a;
    case RX_OP_KEEP:
        set(backtrack, START, *at);
        return state->a;
    case RX_OP_CALL: return call(backtrack, state);
    case RX_OP_RETURN: return end_call(backtrack);
    case RX_OP_BEGIN: return begin_cut(backtrack, state, *at);
    case RX_OP_DONE: return end_cut(backtrack, state, at);
    case RX_OP_MATCH: return accept(backtrack, at);
    case RX_OP_ARCS: break;
    }
    return fail(backtrack, at);
}

AmlaRegexResult rx_backtrack_at(RxBacktrack *backtrack, size_t start)
{
    for (size_t i = 0; i < backtrack->slot_count; i++)
        backtrack->slots[i] = UNSET;
    backtrack->slots[START] = start;
    if (backtrack->program->calls)
        backtrack->slots[backtrack->slot_count - FRAMES] = 0;
    backtrack->height = 0;
    backtrack->found = false;
    size_t at = start;
    for (uint32_t state = backtrack->program->start; state && !backtrack->failed;) {
        state = step(backtrack, &backtrack->program->states[state], &at);
        if (++backtrack->steps > STEPS_MAX)
            backtrack->failed = AMLA_REGEX_TOO_COMPLEX;
        else if (++backtrack->total % STEPS_TO_POLL == 0 && amla_interrupted())
            backtrack->failed = AMLA_REGEX_INTERRUPTED;
    }
    return backtrack->failed ? backtrack->failed : backtrack->found ? AMLA_REGEX_MATCH : AMLA_REGEX_NONE;
}
