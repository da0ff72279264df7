/* From an object's layout to the next one, by the property that it is given.  Included
 * by quickjs.c alone (build/quickjs_layouts.py).
 *
 * QuickJS looks for the next layout among all there are.  It also keeps none on the way
 * to a common one, as nobody but the object that is being made uses it, and so makes it
 * anew for each object.  This table remembers what was found or made last, and owns a
 * reference to the layouts on both sides: what is used here as well is never changed in
 * place.  Long layouts are left out, as an object that serves as a dictionary would have
 * each of its layouts copied, but for those of classes, whose instances serve as none.  While the guest is built it stays empty until runs are
 * rehearsed, or the image would hold every layout that loading modules went through.
 */
#define AMLA_TRANSITIONS 1024
#define AMLA_TRANSITIONS_MOST_PROPERTIES 24
#define AMLA_TRANSITIONS_MOST_FIELDS 96

static struct {
    JSShape *from, *to;
} amla_transitions[AMLA_TRANSITIONS];
static bool amla_noting_transitions;

static inline uint32_t amla_transition_slot(const JSShape *from, JSAtom atom)
{
    uint32_t mixed = ((uint32_t)(uintptr_t)from >> 4) * 0x9E3779B1u ^ atom * 0x85EBCA6Bu;
    return (mixed >> 16) % AMLA_TRANSITIONS;
}

/* The layout with that property behind those that `from` has, borrowed; NULL where it is not known. */
static inline JSShape *amla_transition(JSShape *from, JSAtom atom, int flags)
{
    uint32_t slot = amla_transition_slot(from, atom);
    if (amla_transitions[slot].from != from)
        return NULL;
    JSShape *to = amla_transitions[slot].to;
    const JSShapeProperty *last = &get_shape_prop(to)[from->prop_count];
    return last->atom == atom && (int)last->flags == flags ? to : NULL;
}

static inline void amla_forget_transition(JSRuntime *rt, uint32_t slot)
{
    JSShape *from = amla_transitions[slot].from, *to = amla_transitions[slot].to;
    amla_transitions[slot].from = amla_transitions[slot].to = NULL;
    js_free_shape_null(rt, from);
    js_free_shape_null(rt, to);
}

/* A plain object's prototype has none of its own. */
static inline int amla_transitions_most(const JSShape *layout)
{
    return layout->proto && layout->proto->shape->proto ? AMLA_TRANSITIONS_MOST_FIELDS : AMLA_TRANSITIONS_MOST_PROPERTIES;
}

/* `to` has one property more than `from`, and both may be shared. */
static void amla_note_transition(JSRuntime *rt, JSShape *from, JSShape *to)
{
    if (!amla_noting_transitions || from->prop_count > amla_transitions_most(from))
        return;
    uint32_t slot = amla_transition_slot(from, get_shape_prop(to)[from->prop_count].atom);
    js_dup_shape(from);
    js_dup_shape(to);
    amla_forget_transition(rt, slot);
    amla_transitions[slot].from = from;
    amla_transitions[slot].to = to;
}

/* Owns nothing any more that could be freed: before a collection, and when a run is over. */
static void amla_forget_transitions(JSRuntime *rt)
{
    for (uint32_t slot = 0; slot < AMLA_TRANSITIONS; slot++) {
        JSShape *from = amla_transitions[slot].from, *to = amla_transitions[slot].to;
        if (from && (JS_REF_COUNT(from) < AMLA_IMMORTAL || JS_REF_COUNT(to) < AMLA_IMMORTAL))
            amla_forget_transition(rt, slot);
    }
}
