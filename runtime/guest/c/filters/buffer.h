/* A growing run of bytes. */
#ifndef AMLA_BUFFER_H
#define AMLA_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint8_t *data; /* owned; NULL until the first byte */
    size_t length, capacity;
    bool failed; /* memory ran out: bytes were lost, the owner gives up */
} AmlaBuffer;

/* Make room for `more` bytes behind the length.  False, and failed is set, without memory. */
bool amla_buffer_reserve(AmlaBuffer *buffer, size_t more);

static inline void amla_buffer_append(AmlaBuffer *buffer, const void *bytes, size_t length)
{
    if (buffer->capacity - buffer->length < length && !amla_buffer_reserve(buffer, length))
        return;
    if (length)
        memcpy(buffer->data + buffer->length, bytes, length);
    buffer->length += length;
}

static inline void amla_buffer_put(AmlaBuffer *buffer, uint8_t byte)
{
    if (buffer->length == buffer->capacity && !amla_buffer_reserve(buffer, 1))
        return;
    buffer->data[buffer->length++] = byte;
}

/* Drop the first `count` bytes. */
void amla_buffer_consume(AmlaBuffer *buffer, size_t count);

/* Free the bytes; the buffer is empty and usable. */
void amla_buffer_clear(AmlaBuffer *buffer);

#endif
