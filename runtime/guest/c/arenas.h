/* QuickJS's allocator, sealed when the guest is built.  Included by engine.c alone,
 * because it reads the allocator's own structures; engine.h declares the function.
 *
 * The allocator cuts small blocks from arenas of 4 KB, one size each, and fills the
 * gaps of any arena first.  Booting leaves gaps all over the image, and a sandbox
 * pays a copy for each page that it writes to.  A sealed arena counts as full, so
 * what sandboxes allocate lies side by side in arenas of their own.
 */
static void seal_arena(JSArena *arena)
{
    init_list_head(&arena->link);
    init_list_head(&arena->free_link);
    if (arena->n_used_blocks < arena->n_blocks)
        arena->first_free_block = JS_ARENA_FREE_NIL;
    arena->n_used_blocks = arena->n_blocks; /* never empty, so never given back */
}

void amla_seal_arenas(JSRuntime *rt)
{
    for (int size = 0; size < JS_ARENA_BLOCK_SIZE_COUNT; size++) {
        struct list_head *arenas = &rt->arena_state.arena_list[size], *el, *next;
        list_for_each_safe(el, next, arenas)
            seal_arena(list_entry(el, JSArena, link));
        init_list_head(arenas);
        init_list_head(&rt->arena_state.free_arena_list[size]);
    }
}
