/* Merging two neighbouring runs of slots, for sort.h. */

enum { RUNS = 48, EAGER = 7 }; /* EAGER: wins in a row that make looking ahead worthwhile */

typedef struct {
    size_t from, length;
} Run;

typedef struct {
    ValueSlot *slots, *spare;   /* spare has room for half of them */
    struct array_sort_context *order;
    Run runs[RUNS];
    int run_count, patience;
} Sorting;

/* Merging two neighbours, of which `kept` was copied to `spare`: upwards from the lowest place, or downwards. */
typedef struct {
    Sorting *sorting;
    ValueSlot *target, *kept, *other;
    size_t kept_count, other_count;
    bool up;
} Merge;

static bool precedes(const Sorting *s, const ValueSlot *one, const ValueSlot *other)
{
    return js_array_cmp_generic(one, other, s->order) < 0;
}

/* Whether `slot` goes before `key`; one that is equal does if it stood before it, `earlier`. */
static bool goes_before(const Sorting *s, const ValueSlot *slot, const ValueSlot *key, bool earlier)
{
    return earlier ? !precedes(s, key, slot) : precedes(s, slot, key);
}

/* How many of `count` slots go before `key`: looked for from `hint` in growing steps, then by halves. */
static size_t count_before(const Sorting *s, const ValueSlot *key, const ValueSlot *slots, size_t count, size_t hint, bool earlier)
{
    bool ahead = goes_before(s, &slots[hint], key, earlier);
    size_t most = ahead ? count - hint : hint + 1, near = 0, far = 1;
    while (far < most && goes_before(s, ahead ? &slots[hint + far] : &slots[hint - far], key, earlier) == ahead) {
        near = far;
        far = 2 * far + 1;
    }
    if (far > most)
        far = most;
    size_t low = ahead ? hint + near + 1 : hint + 1 - far, high = ahead ? hint + far : hint - near;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (goes_before(s, &slots[middle], key, earlier))
            low = middle + 1;
        else
            high = middle;
    }
    return high;
}

/* Move slots from one side to the target. */
static void take(Merge *m, bool from_kept, size_t count)
{
    ValueSlot **source = from_kept ? &m->kept : &m->other;
    if (m->up) {
        memmove(m->target, *source, count * sizeof **source);
        m->target += count;
        *source += count;
    } else {
        m->target -= count;
        *source -= count;
        memmove(m->target + 1, *source + 1, count * sizeof **source);
    }
    *(from_kept ? &m->kept_count : &m->other_count) -= count;
}

/* Whether there is more to compare: both sides have slots, and `kept` more than the last, which ends the result. */
static bool goes_on(const Merge *m)
{
    return m->other_count > 0 && m->kept_count > 1;
}

/* Takes all of one side that comes before the other's next, then that one.  Returns how many they were. */
static size_t take_all_before(Merge *m, bool from_kept)
{
    const ValueSlot *key = from_kept ? m->other : m->kept, *source = from_kept ? m->kept : m->other;
    size_t count = from_kept ? m->kept_count : m->other_count;
    const ValueSlot *first = m->up ? source : source - (count - 1);
    size_t before = count_before(m->sorting, key, first, count, m->up ? 0 : count - 1, from_kept == m->up);
    size_t wins = m->up ? before : count - before;
    take(m, from_kept, wins);
    if (m->other_count > 0 && m->kept_count > from_kept)
        take(m, !from_kept, 1);
    return wins;
}

/* One by one, until one side won often in a row. */
static void merge_singly(Merge *m)
{
    size_t wins = 0;
    bool last = false;
    while (goes_on(m)) {
        bool kept = !(m->up ? precedes(m->sorting, m->other, m->kept) : precedes(m->sorting, m->kept, m->other));
        wins = kept == last ? wins + 1 : 1;
        last = kept;
        take(m, kept, 1);
        if (wins >= (size_t)m->sorting->patience)
            return;
    }
}

static void merge_by_looking_ahead(Merge *m)
{
    size_t first, second;
    m->sorting->patience++;
    do {
        m->sorting->patience = max_int(1, m->sorting->patience - 1);
        first = take_all_before(m, m->up);
        if (!goes_on(m))
            return;
        second = take_all_before(m, !m->up);
        if (!goes_on(m))
            return;
    } while (first >= EAGER || second >= EAGER);
    m->sorting->patience++;
}

static void merge(Merge *m)
{
    take(m, false, 1);
    while (goes_on(m)) {
        merge_singly(m);
        if (goes_on(m))
            merge_by_looking_ahead(m);
    }
    if (m->kept_count == 1)
        take(m, false, m->other_count);
    take(m, true, m->kept_count);
}

/* Merges run `at` and the one behind it, less what is in its place already. */
static void merge_at(Sorting *s, int at)
{
    Run a = s->runs[at], b = s->runs[at + 1];
    s->runs[at].length += b.length;
    if (at == s->run_count - 3)
        s->runs[at + 1] = s->runs[at + 2];
    s->run_count--;
    size_t placed = count_before(s, &s->slots[b.from], &s->slots[a.from], a.length, 0, true);
    a.from += placed;
    a.length -= placed;
    if (!a.length)
        return;
    b.length = count_before(s, &s->slots[a.from + a.length - 1], &s->slots[b.from], b.length, b.length - 1, false);
    if (!b.length)
        return;
    bool up = a.length <= b.length;
    Run kept = up ? a : b, other = up ? b : a;
    memcpy(s->spare, &s->slots[kept.from], kept.length * sizeof *s->slots);
    size_t last_kept = up ? 0 : kept.length - 1, last_other = up ? 0 : other.length - 1;
    Merge m = { s, &s->slots[kept.from + last_kept], s->spare + last_kept, &s->slots[other.from + last_other],
                kept.length, other.length, up };
    merge(&m);
}
