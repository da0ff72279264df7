/* The engine from the outside. */
#include "awk.h"

#include <stdlib.h>

#include "error.h"
#include "vm.h"

static AwkVm *vm_of(AmlaAwk *awk)
{
    return (AwkVm *)awk;
}

static bool make_array(AwkVm *vm, AwkSpecial special)
{
    AwkArray *array = awk_array_create(vm);
    if (!array)
        return false;
    vm->globals[special] = (AwkValue){ .kind = AWK_ARRAY, .array = array };
    return true;
}

static AwkStream *standard_stream(AwkVm *vm, const char *name)
{
    AwkText *text = awk_text_create(&vm->pool, name, strlen(name));
    AwkStream *stream = awk_stream_create(vm, text, AMLA_AWK_WRITE_FILE);
    if (stream)
        stream->state = AWK_STREAM_OPEN;
    awk_text_release(&vm->pool, text);
    return stream;
}

static bool set_up(AwkVm *vm)
{
    const size_t size = AWK_SPECIAL_COUNT * sizeof *vm->globals;
    vm->globals = awk_pool_take(&vm->pool, size);
    if (!vm->globals)
        return false;
    memset(vm->globals, 0, size);
    vm->main.argument = 1;
    vm->record.complete = true;
    /* The last one that was made is flushed first: what was printed comes before the error that ends it. */
    vm->stream_count = AWK_STDERR;
    if (!standard_stream(vm, "/dev/stderr"))
        return false;
    vm->stream_count = AWK_STDOUT;
    vm->standard_output = standard_stream(vm, "/dev/stdout");
    if (!vm->standard_output)
        return false;
    vm->stream_count = AWK_STREAM_FIRST;
    awk_specials_start(vm);
    return make_array(vm, AWK_ENVIRON) && make_array(vm, AWK_ARGV) && make_array(vm, AWK_PROCINFO);
}

AmlaAwk *amla_awk_create(bool bytewise, bool in_place)
{
    AwkVm *vm = calloc(1, sizeof *vm);
    if (vm && !set_up(vm)) {
        amla_awk_free((AmlaAwk *)vm);
        return NULL;
    }
    if (vm) {
        vm->bytewise = bytewise;
        vm->in_place = in_place;
        vm->seed = 1;
        vm->record.whole = awk_no_field();
    }
    return (AmlaAwk *)vm;
}

void amla_awk_free(AmlaAwk *awk)
{
    AwkVm *vm = vm_of(awk);
    if (!vm)
        return;
    awk_patterns_free(vm);
    for (AwkStream *stream = vm->streams; stream; stream = stream->next)
        amla_buffer_clear(&stream->buffer);
    amla_buffer_clear(&vm->record.text);
    amla_buffer_clear(&vm->record.spare);
    amla_buffer_clear(&vm->lent);
    amla_buffer_clear(&vm->work);
    awk_pool_clear(&vm->pool);
    free(vm);
}

void amla_awk_source(AmlaAwk *awk, const char *name, const char *text, size_t length)
{
    AwkVm *vm = vm_of(awk);
    AwkProgram *program = &vm->program;
    char *copy = awk_pool_take(&vm->pool, length + 1);
    if (!copy || !awk_make_room(&vm->pool, &program->sources, &program->source_room, program->source_count,
                                sizeof *program->sources))
        return;
    memcpy(copy, text, length);
    copy[length] = 0;
    AwkText *known = name ? awk_text_create(&vm->pool, name, strlen(name)) : NULL;
    program->sources[program->source_count++] = (AwkSource){ known, copy, length };
}

void amla_awk_assign(AmlaAwk *awk, const char *text, size_t length)
{
    AwkVm *vm = vm_of(awk);
    if (memchr(text, '=', length) && awk_make_room(&vm->pool, &vm->assignments, &vm->assignment_room, vm->assignment_count,
                                                   sizeof *vm->assignments))
        vm->assignments[vm->assignment_count++] = awk_text_create(&vm->pool, text, length);
}

void amla_awk_argument(AmlaAwk *awk, const char *text, size_t length)
{
    AwkVm *vm = vm_of(awk);
    AwkArray *array = vm->globals[AWK_ARGV].array;
    awk_array_put_index(vm, array, (int32_t)awk_array_count(array), awk_input(awk_text_create(&vm->pool, text, length)));
    awk_special_put(vm, AWK_ARGC, awk_number(awk_array_count(array)));
}

void amla_awk_environment(AmlaAwk *awk, const char *name, size_t name_length, const char *value, size_t length)
{
    AwkVm *vm = vm_of(awk);
    AwkValue key = awk_text(awk_text_create(&vm->pool, name, name_length));
    awk_replace(vm, awk_array_place(vm, vm->globals[AWK_ENVIRON].array, &key),
                awk_input(awk_text_create(&vm->pool, value, length)));
    awk_drop(vm, &key);
}

void amla_awk_zone(AmlaAwk *awk, const void *changes, size_t size, const char *names, size_t length)
{
    AwkVm *vm = vm_of(awk);
    awk_zone_give(&vm->pool, &vm->zone, changes, size, names, length);
}

const AmlaAwkRequest *amla_awk_request(const AmlaAwk *awk)
{
    return &((const AwkVm *)awk)->request;
}

static void note_opened(AwkStream *stream, const char *reason, bool is_folder)
{
    stream->state = reason ? AWK_STREAM_CLOSED : AWK_STREAM_OPEN;
    stream->is_folder = is_folder;
    stream->ended = reason || is_folder;
    stream->reason = reason;
}

void amla_awk_opened(AmlaAwk *awk, const char *reason, bool is_folder)
{
    AwkVm *vm = vm_of(awk);
    AwkStream *other = awk_stream_other_side(vm, vm->asked);
    if (reason)
        reason = awk_text_create(&vm->pool, reason, strlen(reason))->bytes; /* lives as long as the pool */
    note_opened(vm->asked, reason, is_folder);
    if (other)
        note_opened(other, reason, is_folder);
}

void amla_awk_feed(AmlaAwk *awk, const void *bytes, size_t length)
{
    AwkVm *vm = vm_of(awk);
    AwkStream *stream = vm->asked;
    if (!length) {
        stream->ended = true;
        return;
    }
    const size_t kept = stream->at > 0; /* one byte that was used, so that ^ in RS matches at the file's start alone */
    amla_buffer_consume(&stream->buffer, stream->at - kept);
    stream->at = kept;
    awk_stream_write(vm, stream, bytes, length);
}

void amla_awk_reply(AmlaAwk *awk, int status)
{
    AwkVm *vm = vm_of(awk);
    if (vm->wanted == AMLA_AWK_CLOSE) {
        vm->asked->state = AWK_STREAM_CLOSED;
        vm->asked->status = status;
    } else {
        vm->answered = true;
        vm->status = status;
    }
}

int amla_awk_status(const AmlaAwk *awk)
{
    return ((const AwkVm *)awk)->exit_status;
}
