#include <stdlib.h>

#include "cells.h"
#include "diff.h"

/* A part that is still to be compared: left[x0..x1) with right[y0..y1). */
typedef struct {
    ptrdiff_t x0, x1, y0, y1;
    bool exact; /* the shortest answer is wanted, whatever it costs */
} Box;

/* Where a box is cut in two. */
typedef struct {
    ptrdiff_t x, y;
    bool exact_before, exact_behind;
} Cut;

typedef struct {
    AmlaDiffSide *left, *right;
    const uint32_t *xs, *ys;
    ptrdiff_t *forward, *backward; /* the furthest x on each diagonal x - y */
    ptrdiff_t patience;            /* steps after which a good cut will do */
    unsigned steps;
} Search;

/* The diagonals reached from one corner. */
typedef struct {
    ptrdiff_t least, most;
} Reach;

static void widen(Reach *reach, const Box *box, ptrdiff_t *furthest, ptrdiff_t outside)
{
    if (reach->least > box->x0 - box->y1)
        furthest[--reach->least - 1] = outside;
    else
        reach->least++;
    if (reach->most < box->x1 - box->y0)
        furthest[++reach->most + 1] = outside;
    else
        reach->most--;
}

static bool step_forward(Search *search, const Box *box, const Reach *reach, const Reach *other, bool meets, Cut *cut)
{
    for (ptrdiff_t d = reach->most; d >= reach->least; d -= 2) {
        const ptrdiff_t low = search->forward[d - 1], high = search->forward[d + 1];
        ptrdiff_t x = low < high ? high : low + 1, y = x - d;
        while (x < box->x1 && y < box->y1 && search->xs[x] == search->ys[y]) {
            x++;
            y++;
        }
        search->forward[d] = x;
        if (meets && other->least <= d && d <= other->most && search->backward[d] <= x) {
            *cut = (Cut){ x, y, true, true };
            return true;
        }
    }
    return false;
}

static bool step_backward(Search *search, const Box *box, const Reach *reach, const Reach *other, bool meets, Cut *cut)
{
    for (ptrdiff_t d = reach->most; d >= reach->least; d -= 2) {
        const ptrdiff_t low = search->backward[d - 1], high = search->backward[d + 1];
        ptrdiff_t x = low < high ? low : high - 1, y = x - d;
        while (box->x0 < x && box->y0 < y && search->xs[x - 1] == search->ys[y - 1]) {
            x--;
            y--;
        }
        search->backward[d] = x;
        if (meets && other->least <= d && d <= other->most && x <= search->forward[d]) {
            *cut = (Cut){ x, y, true, true };
            return true;
        }
    }
    return false;
}

/* The point furthest from its corner, of both searches. */
static Cut best_so_far(const Search *search, const Box *box, const Reach *ahead, const Reach *behind)
{
    ptrdiff_t best = -1, best_x = 0, back = PTRDIFF_MAX, back_x = 0;
    for (ptrdiff_t d = ahead->most; d >= ahead->least; d -= 2) {
        ptrdiff_t x = search->forward[d] < box->x1 ? search->forward[d] : box->x1;
        if (x - d > box->y1)
            x = box->y1 + d;
        if (best < 2 * x - d) {
            best = 2 * x - d;
            best_x = x;
        }
    }
    for (ptrdiff_t d = behind->most; d >= behind->least; d -= 2) {
        ptrdiff_t x = search->backward[d] > box->x0 ? search->backward[d] : box->x0;
        if (x - d < box->y0)
            x = box->y0 + d;
        if (2 * x - d < back) {
            back = 2 * x - d;
            back_x = x;
        }
    }
    if (box->x1 + box->y1 - back < best - (box->x0 + box->y0))
        return (Cut){ best_x, best - best_x, true, false };
    return (Cut){ back_x, back - back_x, false, true };
}

/* False when interrupted. */
static bool find_cut(Search *search, const Box *box, Cut *cut)
{
    const ptrdiff_t start = box->x0 - box->y0, end = box->x1 - box->y1;
    const bool odd = (start - end) & 1;
    Reach ahead = { start, start }, behind = { end, end };
    search->forward[start] = box->x0;
    search->backward[end] = box->x1;
    for (ptrdiff_t cost = 1;; cost++) {
        widen(&ahead, box, search->forward, -1);
        if (step_forward(search, box, &ahead, &behind, odd, cut))
            return true;
        widen(&behind, box, search->backward, PTRDIFF_MAX);
        if (step_backward(search, box, &behind, &ahead, !odd, cut))
            return true;
        if (!box->exact && cost >= search->patience) {
            *cut = best_so_far(search, box, &ahead, &behind);
            return true;
        }
        if ((++search->steps & 255) == 0 && amla_interrupted())
            return false;
    }
}

/* Strips what is the same at both ends; then marks what is left if one side is empty.  True when it is done. */
static bool settle(Search *search, Box *box)
{
    while (box->x0 < box->x1 && box->y0 < box->y1 && search->xs[box->x0] == search->ys[box->y0]) {
        box->x0++;
        box->y0++;
    }
    while (box->x0 < box->x1 && box->y0 < box->y1 && search->xs[box->x1 - 1] == search->ys[box->y1 - 1]) {
        box->x1--;
        box->y1--;
    }
    if (box->x0 < box->x1 && box->y0 < box->y1)
        return false;
    for (ptrdiff_t x = box->x0; x < box->x1; x++)
        search->left->changed[search->left->places[x]] = 1;
    for (ptrdiff_t y = box->y0; y < box->y1; y++)
        search->right->changed[search->right->places[y]] = 1;
    return true;
}

typedef struct {
    Box *boxes;
    size_t count, room;
} Stack;

static bool push(Stack *stack, Box box)
{
    if (stack->count == stack->room) {
        Box *boxes = realloc(stack->boxes, (2 * stack->room + 64) * sizeof *boxes);
        if (!boxes)
            return false;
        stack->boxes = boxes;
        stack->room = 2 * stack->room + 64;
    }
    stack->boxes[stack->count++] = box;
    return true;
}

static AmlaDiffResult run(Search *search, Stack *stack)
{
    while (stack->count > 0) {
        Box box = stack->boxes[--stack->count];
        Cut cut;
        if (settle(search, &box))
            continue;
        if (!find_cut(search, &box, &cut))
            return AMLA_DIFF_INTERRUPTED;
        if (!push(stack, (Box){ box.x0, cut.x, box.y0, cut.y, cut.exact_before }) ||
            !push(stack, (Box){ cut.x, box.x1, cut.y, box.y1, cut.exact_behind }))
            return AMLA_DIFF_MEMORY;
    }
    return AMLA_DIFF_FINE;
}

AmlaDiffResult diff_compare(AmlaDiff *diff)
{
    AmlaDiffSide *left = &diff->sides[0], *right = &diff->sides[1];
    const size_t diagonals = left->kept_count + right->kept_count + 3;
    ptrdiff_t *room = malloc(2 * diagonals * sizeof *room);
    Stack stack = { 0 };
    Search search = { .left = left, .right = right, .xs = left->kept, .ys = right->kept, .patience = 1 };
    for (size_t rest = diagonals; rest > 0; rest >>= 2)
        search.patience *= 2;
    if (search.patience < 4096)
        search.patience = 4096;
    AmlaDiffResult result = AMLA_DIFF_MEMORY;
    const Box all = { 0, (ptrdiff_t)left->kept_count, 0, (ptrdiff_t)right->kept_count, (diff->flags & AMLA_DIFF_MINIMAL) != 0 };
    if (room && push(&stack, all)) {
        search.forward = room + right->kept_count + 1;
        search.backward = search.forward + diagonals;
        result = run(&search, &stack);
    }
    free(room);
    free(stack.boxes);
    return result;
}
