#include "diff.h"

#include <stdlib.h>

void amla_diff_clear(AmlaDiff *diff)
{
    for (int i = 0; i < 2; i++) {
        AmlaDiffSide *side = &diff->sides[i];
        free(side->starts);
        free(side->classes);
        free(side->flags);
        free(side->kept);
        free(side->places);
    }
    *diff = (AmlaDiff){ 0 };
}

AmlaDiffResult amla_diff_run(AmlaDiff *diff)
{
    if (!diff_split(diff) || !diff_classify(diff))
        return AMLA_DIFF_MEMORY;
    diff_find_ends(diff);
    if (!diff_discard(diff))
        return AMLA_DIFF_MEMORY;
    const AmlaDiffResult result = diff_compare(diff);
    if (result == AMLA_DIFF_FINE)
        diff_shift(diff);
    return result;
}
