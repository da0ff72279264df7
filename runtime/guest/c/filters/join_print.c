#include "join_print.h"

#include <stdlib.h>

static void put_field(const JoinLayout *layout, AmlaInputLine field, AmlaBuffer *out)
{
    if (field.length)
        amla_buffer_append(out, field.data, field.length);
    else
        amla_buffer_append(out, layout->filler, layout->filler_length);
}

static void put_others(const JoinLayout *layout, const AmlaInputLine *line, uint32_t key, AmlaBuffer *out)
{
    if (!line)
        return;
    JoinFields fields = join_fields(*line, layout->separator);
    AmlaInputLine field;
    for (uint32_t at = 0; join_next_field(&fields, &field); at++) {
        if (at == key)
            continue;
        amla_buffer_put(out, layout->between);
        put_field(layout, field, out);
    }
}

static AmlaInputLine key_of(const JoinLayout *layout, const AmlaInputLine *left, const AmlaInputLine *right)
{
    return left ? join_field(*left, layout->separator, layout->keys[0]) : join_field(*right, layout->separator, layout->keys[1]);
}

static void put_column(const JoinLayout *layout, JoinColumn column, const AmlaInputLine *left, const AmlaInputLine *right, AmlaBuffer *out)
{
    const AmlaInputLine *line = column.file == 1 ? left : right;
    if (column.file == 0)
        put_field(layout, key_of(layout, left, right), out);
    else
        put_field(layout, line ? join_field(*line, layout->separator, column.field) : (AmlaInputLine){ 0 }, out);
}

void join_print(const JoinLayout *layout, const AmlaInputLine *left, const AmlaInputLine *right, AmlaBuffer *out)
{
    if (!layout->columns) {
        put_field(layout, key_of(layout, left, right), out);
        put_others(layout, left, layout->keys[0], out);
        put_others(layout, right, layout->keys[1], out);
    }
    for (size_t i = 0; i < layout->column_count; i++) {
        if (i > 0)
            amla_buffer_put(out, layout->between);
        put_column(layout, layout->columns[i], left, right, out);
    }
    amla_buffer_put(out, layout->end);
}

static size_t count_fields(const JoinLayout *layout, const AmlaInputLine *line)
{
    size_t count = 0;
    AmlaInputLine field;
    if (!line)
        return 0;
    JoinFields fields = join_fields(*line, layout->separator);
    while (join_next_field(&fields, &field))
        count++;
    return count;
}

bool join_columns_of(JoinLayout *layout, const AmlaInputLine *left, const AmlaInputLine *right)
{
    const size_t counts[] = { count_fields(layout, left), count_fields(layout, right) };
    JoinColumn *columns = calloc(1 + counts[0] + counts[1], sizeof *columns);
    if (!columns)
        return false;
    layout->columns = columns;
    layout->column_count = 1;
    for (uint32_t file = 0; file < 2; file++)
        for (uint32_t field = 0; field < counts[file]; field++)
            if (field != layout->keys[file])
                columns[layout->column_count++] = (JoinColumn){ file + 1, field };
    return true;
}

void join_layout_clear(JoinLayout *layout)
{
    free(layout->filler);
    free(layout->columns);
}
