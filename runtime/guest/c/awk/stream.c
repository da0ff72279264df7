#include "stream.h"

#include "vm.h"

AwkStream *awk_stream_find(AwkVm *vm, const AwkText *name, AmlaAwkMode mode)
{
    AwkStream *recent = vm->recent_stream;
    if (recent && recent->mode == mode && recent->name == name)
        return recent;
    for (AwkStream *stream = vm->streams; stream; stream = stream->next)
        if (stream->mode == mode &&
            !awk_compare_bytes(stream->name->bytes, stream->name->length, name->bytes, name->length))
            return vm->recent_stream = stream;
    return NULL;
}

AwkStream *awk_stream_create(AwkVm *vm, AwkText *name, AmlaAwkMode mode)
{
    AwkStream *stream = awk_pool_take(&vm->pool, sizeof *stream);
    if (!stream)
        return NULL;
    *stream = (AwkStream){ .name = awk_text_share(name), .mode = mode, .id = vm->stream_count++, .next = vm->streams };
    return vm->streams = stream;
}

AwkStream *awk_stream_create_both(AwkVm *vm, AwkText *name)
{
    AwkStream *reading = awk_stream_create(vm, name, AMLA_AWK_READ_BOTH);
    return reading ? awk_stream_create(vm, name, AMLA_AWK_WRITE_BOTH) : NULL;
}

AwkStream *awk_stream_other_side(AwkVm *vm, const AwkStream *stream)
{
    if (stream->mode == AMLA_AWK_READ_BOTH)
        return awk_stream_find(vm, stream->name, AMLA_AWK_WRITE_BOTH);
    return stream->mode == AMLA_AWK_WRITE_BOTH ? awk_stream_find(vm, stream->name, AMLA_AWK_READ_BOTH) : NULL;
}

void awk_stream_destroy(AwkVm *vm, AwkStream *stream)
{
    AwkStream **link = &vm->streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    if (vm->recent_stream == stream)
        vm->recent_stream = NULL;
    amla_buffer_clear(&stream->buffer);
    awk_text_release(&vm->pool, stream->name);
    awk_pool_give(&vm->pool, stream, sizeof *stream);
}

/* What goes to the caller stays where it is until the next run. */
static void lend(AwkVm *vm, AwkStream *stream)
{
    const AmlaBuffer lent = vm->lent;
    vm->lent = stream->buffer;
    stream->buffer = lent;
    stream->buffer.length = 0;
    vm->request.text = (const char *)vm->lent.data;
    vm->request.length = vm->lent.length;
}

AwkStep awk_stream_ask(AwkVm *vm, AwkStream *stream, AmlaAwkState what)
{
    vm->asked = stream;
    vm->wanted = what;
    vm->request = (AmlaAwkRequest){ stream->mode, stream->id, stream->name->bytes, stream->name->length };
    if (what == AMLA_AWK_WRITE)
        lend(vm, stream);
    return AWK_WAIT;
}

AwkStep awk_flush_all(AwkVm *vm)
{
    for (AwkStream *stream = vm->streams; stream; stream = stream->next)
        if (awk_mode_writes(stream->mode) && stream->state == AWK_STREAM_OPEN && stream->buffer.length)
            return awk_stream_ask(vm, stream, AMLA_AWK_WRITE);
    return AWK_ON;
}

void awk_stream_write(AwkVm *vm, AwkStream *stream, const char *bytes, size_t length)
{
    amla_buffer_append(&stream->buffer, bytes, length);
    if (stream->buffer.failed) {
        vm->pool.exhausted = true;
        vm->pool.fuel = 0;
    }
}

AwkStep awk_close_stream(AwkVm *vm, AwkStream *stream)
{
    if (stream->state == AWK_STREAM_OPEN && awk_mode_writes(stream->mode) && stream->buffer.length)
        return awk_stream_ask(vm, stream, AMLA_AWK_WRITE);
    if (stream->state != AWK_STREAM_OPEN)
        return AWK_ON;
    stream->state = AWK_STREAM_CLOSING;
    return awk_stream_ask(vm, stream, AMLA_AWK_CLOSE);
}
