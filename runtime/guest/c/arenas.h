/* What QuickJS has allocated when the guest is built, sealed.  Included by engine.c
 * alone, because it reads the allocator's own structures; engine.h declares the
 * functions.
 *
 * A sandbox pays a copy for each page of the image that it writes to, so it should
 * write to few.  Two things would make it write all over the image:
 *
 * - The allocator cuts small blocks from arenas of 4 KB, one size each, and fills
 *   the gaps of any arena first.  A sealed arena counts as full, so what sandboxes
 *   allocate lies side by side in arenas of their own.
 * - Whoever uses a value counts it.  A sealed value is immortal: it is not counted
 *   (build/quickjs_sealed.py) and never freed.
 */

/* What a block held is not left behind in it: the build ships all that is not zeros. */
static void clear_free_blocks(JSArena *arena)
{
    const unsigned size = arena_block_sizes[arena->block_size_idx];
    for (unsigned i = arena->first_free_block; i != JS_ARENA_FREE_NIL;) {
        JSMallocBlockHeader *block = arena_get_block(arena, i, size);
        i = block->u.free_next;
        memset(block->user_data, 0, size - sizeof *block);
    }
}

static void seal_arena(JSArena *arena)
{
    clear_free_blocks(arena);
    const unsigned size = arena_block_sizes[arena->block_size_idx];
    for (unsigned i = 0; i < arena->n_blocks; i++) /* blocks that are no values have no use for a count */
        ((JSMallocBlockHeader *)arena_get_block(arena, i, size))->ref_count = AMLA_IMMORTAL;
    init_list_head(&arena->link);
    init_list_head(&arena->free_link);
    if (arena->n_used_blocks < arena->n_blocks)
        arena->first_free_block = JS_ARENA_FREE_NIL;
    arena->n_used_blocks = arena->n_blocks; /* never empty, so never given back */
}

void amla_seal(JSRuntime *rt)
{
    struct list_head *el, *next;
    for (int size = 0; size < JS_ARENA_BLOCK_SIZE_COUNT; size++) {
        struct list_head *arenas = &rt->arena_state.arena_list[size];
        list_for_each_safe(el, next, arenas)
            seal_arena(list_entry(el, JSArena, link));
        init_list_head(arenas);
        init_list_head(&rt->arena_state.free_arena_list[size]);
    }
    list_for_each(el, &rt->gc_obj_list) /* also those that are too large for arenas */
        js_rc(list_entry(el, JSGCObjectHeader, link))->ref_count = AMLA_IMMORTAL;
}

void amla_clear_free(JSRuntime *rt)
{
    struct list_head *el;
    for (int size = 0; size < JS_ARENA_BLOCK_SIZE_COUNT; size++)
        list_for_each(el, &rt->arena_state.free_arena_list[size])
            clear_free_blocks(list_entry(el, JSArena, free_link));
}

void amla_keep_shapes(bool keep)
{
    amla_keeping_shapes = keep;
    amla_noting_transitions = true;
}

void amla_end_weak(JSRuntime *rt, bool ending)
{
    amla_ending = ending;
    amla_let_targets_go(rt);
}

void amla_forget_layouts(JSRuntime *rt)
{
    amla_forget_transitions(rt);
}
