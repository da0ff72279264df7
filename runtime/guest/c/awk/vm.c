#include "vm.h"

#include "cells.h"
#include "error.h"
#include "ops.h"
#include "start.h"

bool awk_make_room(AwkPool *pool, void *items, uint32_t *room, uint32_t count, size_t size)
{
    if (count < *room)
        return true;
    const uint32_t more = *room ? *room * 2 : 16;
    void *moved, **place = items;
    if (more < *room || !(moved = awk_pool_resize(pool, *place, *room * size, more * size)))
        return false;
    *place = moved;
    *room = more;
    return true;
}

bool awk_stack_reserve(AwkVm *vm, uint32_t count)
{
    while (vm->top + count > vm->limit) {
        const uint32_t room = vm->stack_room ? vm->stack_room * 2 : 4 * AWK_STACK_SLACK;
        AwkValue *moved = room > vm->stack_room
                              ? awk_pool_resize(&vm->pool, vm->stack, vm->stack_room * sizeof *moved, room * sizeof *moved)
                              : NULL;
        if (!moved)
            return false;
        vm->stack = moved;
        vm->stack_room = room;
        vm->limit = room - AWK_STACK_SLACK;
    }
    return true;
}

void awk_unwind(AwkVm *vm, uint32_t top)
{
    while (vm->top > top)
        awk_pop_drop(vm);
}

bool awk_enter(AwkVm *vm, uint32_t entry, uint32_t back, uint32_t locals, uint32_t function)
{
    if (vm->frame_count >= AWK_FRAMES_MAX ||
        !awk_make_room(&vm->pool, &vm->frames, &vm->frame_room, vm->frame_count, sizeof *vm->frames)) {
        vm->pool.exhausted = false;
        awk_fatal(vm, "function calls are nested too deeply (%u)", vm->frame_count);
        return false;
    }
    vm->frames[vm->frame_count++] = (AwkFrame){ back, vm->base, function };
    vm->base = vm->top - locals;
    vm->pc = entry;
    return true;
}

#define INSTRUCTION(name) awk_op_##name,
static AwkInstruction *const instructions[] = { AWK_OPS(INSTRUCTION) };
#undef INSTRUCTION

/* Run until something is to be told: a request, an error, the end, or a flag. */
static AwkStep run(AwkVm *vm)
{
    for (;;) {
        vm->at = vm->pc;
        const AwkStep step = instructions[vm->program.code[vm->pc++]](vm);
        if (step != AWK_ON || --vm->pool.fuel < 0)
            return step;
    }
}

/* After a fatal error: what was written still goes out. */
static void give_up(AwkVm *vm)
{
    vm->failed = false;
    awk_unwind(vm, 0);
    vm->frame_count = 0;
    vm->base = 0;
    vm->phase = AWK_FINISHING;
    vm->pc = 0;
}

AmlaAwkState amla_awk_run(AmlaAwk *awk)
{
    AwkVm *vm = (AwkVm *)awk;
    awk_text_locale(vm->bytewise);
    if (!vm->started)
        awk_start(vm);
    for (;;) {
        vm->pool.fuel = vm->pool.exhausted ? 0 : AWK_FUEL;
        const AwkStep step = vm->failed ? AWK_FAIL : run(vm);
        if (vm->pool.exhausted)
            return AMLA_AWK_MEMORY;
        if (amla_interrupted())
            return AMLA_AWK_INTERRUPTED;
        if (vm->failed)
            give_up(vm);
        else if (step == AWK_WAIT)
            return awk_again(vm, AWK_ON), vm->wanted;
        else if (step == AWK_PAUSE)
            return vm->wanted;
        else if (step == AWK_END)
            return AMLA_AWK_DONE;
        else if (++vm->looks >= AWK_LOOKS)
            return vm->looks = 0, AMLA_AWK_PAUSED;
    }
}
