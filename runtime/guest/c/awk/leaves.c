#include "leaves.h"

#include "vm.h"

/* Integers below 2^FIRST_BITS share one block, all others have one for each power of two.  A block is cut into leaves of
 * about the square root of its size, again and again until they are small.  Leaves are given room as a whole; when more
 * than SPARE of it would lie vacant, a new integer is kept elsewhere. */
enum { FIRST_BITS = 10, SPARE = 2048, SMALLEST = 16 };

static uint32_t leaf_size(uint32_t index)
{
    uint32_t bits = index < 1u << FIRST_BITS ? FIRST_BITS : 31 - (uint32_t)__builtin_clz(index);
    do
        bits = (bits + 1) / 2;
    while (bits > FIRST_BITS);
    return 1u << bits;
}

/* What a leaf is taken for before it is made: one of the largest kind counts as if it were cut once more. */
static uint32_t expected_size(uint32_t size)
{
    return size < 1u << FIRST_BITS ? size : 1u << FIRST_BITS / 2;
}

static uint32_t *find(const AwkLeaves *leaves, uint32_t base)
{
    uint32_t at = base * 2654435761u & (leaves->size - 1);
    while (leaves->bases[at] && leaves->bases[at] != base + 1)
        at = (at + 1) & (leaves->size - 1);
    return &leaves->bases[at];
}

static bool grow(AwkVm *vm, AwkLeaves *leaves)
{
    const AwkLeaves old = *leaves;
    const uint32_t size = old.size ? old.size * 2 : SMALLEST;
    uint32_t *bases = awk_pool_take(&vm->pool, size * sizeof *bases);
    if (!bases)
        return false;
    memset(bases, 0, size * sizeof *bases);
    leaves->bases = bases;
    leaves->size = size;
    for (uint32_t i = 0; i < old.size; i++)
        if (old.bases[i])
            *find(leaves, old.bases[i] - 1) = old.bases[i];
    awk_pool_give(&vm->pool, old.bases, old.size * sizeof *old.bases);
    return true;
}

bool awk_leaves_admit(AwkVm *vm, AwkArray *array, uint32_t index)
{
    AwkLeaves *leaves = &array->leaves;
    const uint32_t size = leaf_size(index), base = index & ~(size - 1);
    if (leaves->room + expected_size(size) > array->dense.count + SPARE)
        return false;
    if ((leaves->count + 1) * 2 > leaves->size && !grow(vm, leaves))
        return false;
    uint32_t *place = find(leaves, base);
    if (!*place) {
        *place = base + 1;
        leaves->count++;
        leaves->room += size;
    }
    return true;
}

void awk_leaves_clear(AwkVm *vm, AwkLeaves *leaves)
{
    awk_pool_give(&vm->pool, leaves->bases, leaves->size * sizeof *leaves->bases);
    *leaves = (AwkLeaves){ 0 };
}
