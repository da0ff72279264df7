/* unexpand.  Options: those of tab_stops.h, and all (blanks within text are changed too). */
#include "filter.h"
#include "lines.h"
#include "options.h"
#include "tab_stops.h"

typedef struct {
    AmlaTabStops stops;
    bool all;
    AmlaLines lines;
} Unexpand;

/* A place in a line. */
typedef struct {
    const uint8_t *line;
    size_t length, at;
    uint64_t column;
    bool over; /* no tab stop is left */
} Place;

static int create(JSContext *ctx, void *self, JSValueConst options)
{
    Unexpand *unexpand = self;
    unexpand->all = amla_option_flag(ctx, options, "all");
    return amla_tab_stops_read(ctx, options, &unexpand->stops);
}

static bool blank_at(const Place *place)
{
    return place->at < place->length && (place->line[place->at] == ' ' || place->line[place->at] == '\t');
}

/* A run of blanks: a tab for what leads to each stop, then the blanks that are left.  A single blank in front of a stop
 * stays one, unless more follow that lead to another stop, or the line begins with it. */
static void put_blanks(const Unexpand *unexpand, Place *place, AmlaBuffer *out)
{
    const size_t start = place->at;
    size_t done = start; /* blanks before it are put */
    while (blank_at(place)) {
        const uint64_t stop = amla_tab_stop(&unexpand->stops, place->column);
        if (stop == 0) {
            place->over = true;
            break;
        }
        const bool tab = place->line[place->at++] == '\t';
        place->column = tab ? stop : place->column + 1;
        if (place->column < stop)
            continue;
        const bool more = blank_at(place) && amla_tab_stop(&unexpand->stops, place->column) > 0;
        const bool lone = !tab && place->at - start == 1 && start > 0 && !more;
        amla_buffer_put(out, lone ? ' ' : '\t');
        done = place->at;
    }
    amla_buffer_append(out, place->line + done, place->at - done);
}

static void put_text(Place *place, AmlaBuffer *out)
{
    const size_t start = place->at;
    for (; place->at < place->length && !blank_at(place); place->at++) {
        if (place->line[place->at] == '\b')
            place->column -= place->column > 0;
        else
            place->column++;
    }
    amla_buffer_append(out, place->line + start, place->at - start);
}

static AmlaFilterState visit(void *self, const uint8_t *line, size_t length, bool ended, AmlaBuffer *out)
{
    const Unexpand *unexpand = self;
    Place place = { .line = line, .length = length };
    do {
        put_blanks(unexpand, &place, out);
        if (!unexpand->all || place.over)
            break;
        put_text(&place, out);
    } while (place.at < length);
    amla_buffer_append(out, line + place.at, length - place.at);
    if (ended)
        amla_buffer_put(out, '\n');
    return AMLA_FILTER_MORE;
}

static AmlaFilterState feed(void *self, const uint8_t *bytes, size_t length, AmlaBuffer *out)
{
    return amla_lines_feed(&((Unexpand *)self)->lines, '\n', bytes, length, visit, self, out);
}

static AmlaFilterState end(void *self, bool more_files, AmlaBuffer *out)
{
    (void)more_files;
    return amla_lines_end(&((Unexpand *)self)->lines, visit, self, out);
}

static void destroy(void *self)
{
    Unexpand *unexpand = self;
    amla_tab_stops_free(&unexpand->stops);
    amla_lines_clear(&unexpand->lines);
}

const AmlaFilterType amla_filter_unexpand = {
    .name = "unexpand",
    .size = sizeof(Unexpand),
    .create = create,
    .feed = feed,
    .end = end,
    .destroy = destroy,
};
