/* The bytes that a match can have at its first places. */
#include <stdlib.h>
#include <string.h>

#include "dfa.h"

/* From the states in `items` by one byte to the next ones, noting which bytes lead there from `place`. */
static void note_place(RxDfa *dfa, uint32_t *items, size_t place, bool *matches)
{
    const size_t count = dfa->item_count;
    memcpy(items, dfa->items, count * sizeof *items);
    rx_dfa_begin(dfa);
    for (size_t i = 0; i < count; i++) {
        const RxState *state = &dfa->program->states[items[i]];
        for (const RxArc *arc = dfa->program->arcs + state->a; arc < dfa->program->arcs + state->a + state->b; arc++) {
            for (unsigned byte = arc->lo; byte <= arc->hi; byte++)
                dfa->scan.places[byte] |= 1u << place;
            rx_dfa_reach(dfa, arc->to, RX_ANYWHERE, RX_ANYWHERE, matches);
        }
    }
}

bool rx_dfa_prepare_scan(RxDfa *dfa)
{
    enum { MANY_ITEMS = 1000, TOO_FREQUENT = 250 };
    RxScan *scan = &dfa->scan;
    bool matches = false;
    uint32_t *items = malloc(dfa->program->state_count * sizeof *items);
    if (!items)
        return false;
    rx_dfa_begin(dfa);
    rx_dfa_reach(dfa, dfa->program->start, RX_ANYWHERE, RX_ANYWHERE, &matches);
    while (!matches && scan->depth < RX_SCAN_DEPTH && dfa->item_count && (!scan->depth || dfa->item_count < MANY_ITEMS))
        note_place(dfa, items, scan->depth++, &matches);
    free(items);
    dfa->scanning = scan->depth && rx_scan_init(scan) < TOO_FREQUENT;
    return true;
}
