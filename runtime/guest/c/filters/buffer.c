#include "buffer.h"

#include <stdlib.h>

bool amla_buffer_reserve(AmlaBuffer *buffer, size_t more)
{
    if (buffer->capacity - buffer->length >= more)
        return true;
    const size_t needed = buffer->length + more;
    size_t capacity = buffer->capacity + buffer->capacity / 2;
    if (needed < more) {
        buffer->failed = true;
        return false;
    }
    if (capacity < needed)
        capacity = needed < 256 ? 256 : needed;
    uint8_t *data = realloc(buffer->data, capacity);
    if (!data) {
        buffer->failed = true;
        return false;
    }
    buffer->data = data;
    buffer->capacity = capacity;
    return true;
}

void amla_buffer_consume(AmlaBuffer *buffer, size_t count)
{
    buffer->length -= count;
    if (count && buffer->length)
        memmove(buffer->data, buffer->data + count, buffer->length);
}

void amla_buffer_clear(AmlaBuffer *buffer)
{
    free(buffer->data);
    *buffer = (AmlaBuffer){0};
}
