/* print, printf, close, fflush, system. */
#include "error.h"
#include "format.h"
#include "number.h"
#include "ops.h"
#include "vm.h"

static const struct {
    AmlaAwkMode mode;
    const char *sign;
} redirections[] = {
    [AWK_TO_FILE] = { AMLA_AWK_WRITE_FILE, ">" },
    [AWK_TO_APPEND] = { AMLA_AWK_APPEND_FILE, ">>" },
    [AWK_TO_COMMAND] = { AMLA_AWK_WRITE_COMMAND, "|" },
    [AWK_TO_BOTH] = { AMLA_AWK_WRITE_BOTH, "|&" },
};

/* A file that is open already is written on, whether by `>` or by `>>`. */
static AwkStream *find_output(AwkVm *vm, const AwkText *name, AmlaAwkMode mode)
{
    AwkStream *stream = awk_stream_find(vm, name, mode);
    if (!stream && mode == AMLA_AWK_APPEND_FILE)
        stream = awk_stream_find(vm, name, AMLA_AWK_WRITE_FILE);
    if (!stream && mode == AMLA_AWK_WRITE_FILE)
        stream = awk_stream_find(vm, name, AMLA_AWK_APPEND_FILE);
    return stream;
}

static AwkStream *create_output(AwkVm *vm, AwkText *name, AmlaAwkMode mode)
{
    return mode == AMLA_AWK_WRITE_BOTH ? awk_stream_create_both(vm, name) : awk_stream_create(vm, name, mode);
}

static AwkStep refuse(AwkVm *vm, AwkStream *stream)
{
    awk_fatal(vm, "cannot redirect to `%s': %s", stream->name->bytes, stream->reason);
    awk_stream_destroy(vm, stream);
    return AWK_FAIL;
}

/* The stream that a name on the stack stands for, opened; anything but AWK_ON is for the caller to return. */
static AwkStep open_output(AwkVm *vm, AwkRedirection redirection, AwkStream **stream)
{
    const AmlaAwkMode mode = redirections[redirection].mode;
    AwkText *name = awk_to_text(vm, awk_top(vm));
    AwkStep step = AWK_ON;
    *stream = find_output(vm, name, mode);
    if (!name->length)
        step = awk_fatal(vm, "expression for `%s' redirection has null string value", redirections[redirection].sign);
    else if (!*stream && redirection >= AWK_TO_COMMAND && (step = awk_flush_all(vm)) != AWK_ON)
        ; /* what was printed before comes before what the command prints */
    else if (!*stream && redirection == AWK_TO_BOTH && awk_stream_find(vm, name, AMLA_AWK_READ_BOTH))
        step = awk_fatal(vm, "print: attempt to write to closed write end of two-way pipe");
    else if (!*stream && !(*stream = create_output(vm, name, mode)))
        step = AWK_FAIL;
    awk_text_release(&vm->pool, name);
    if (step != AWK_ON)
        return step;
    if ((*stream)->reason)
        return refuse(vm, *stream);
    return (*stream)->state == AWK_STREAM_NEW ? awk_stream_ask(vm, *stream, AMLA_AWK_OPEN) : AWK_ON;
}

/* A warning comes before what is printed after it. */
static AwkStep write_warnings(AwkVm *vm)
{
    const AwkStep step = awk_flush_all(vm);
    vm->warned = step != AWK_ON;
    return step;
}

static AwkStep find_target(AwkVm *vm, AwkRedirection redirection, AwkStream **stream)
{
    if (redirection == AWK_TO_STDOUT) {
        *stream = vm->standard_output;
        return vm->warned ? write_warnings(vm) : AWK_ON;
    }
    const AwkStep step = open_output(vm, redirection, stream);
    if (step == AWK_ON)
        awk_pop_drop(vm);
    return step;
}

static void write_text(AwkVm *vm, AwkStream *stream, const AwkText *text)
{
    awk_stream_write(vm, stream, text->bytes, text->length);
}

static void write_value(AwkVm *vm, AwkStream *stream, const AwkValue *value)
{
    char room[AWK_INTEGER_ROOM];
    int64_t integer;
    size_t length;
    if (value->kind == AWK_NUMBER && awk_integral(value->number, &integer)) {
        const char *digits = awk_write_integer(integer, room, &length);
        awk_stream_write(vm, stream, digits, length);
    } else if (awk_has_text(value)) {
        write_text(vm, stream, value->text);
    } else {
        AwkText *text = awk_to_output(vm, value);
        write_text(vm, stream, text);
        awk_text_release(&vm->pool, text);
    }
}

/* Hand over what has gathered, once it is much; standard error at once. */
static AwkStep written(AwkVm *vm, AwkStream *stream)
{
    if (stream->buffer.length < AWK_FLUSH_AT && stream->id != AWK_STDERR)
        return AWK_ON;
    awk_stream_ask(vm, stream, AMLA_AWK_WRITE);
    return AWK_PAUSE;
}

AwkStep awk_op_print(AwkVm *vm)
{
    AwkStream *stream;
    const uint32_t count = awk_operand(vm);
    const AwkStep step = find_target(vm, (AwkRedirection)awk_operand(vm), &stream);
    if (step != AWK_ON)
        return step;
    const AwkValue *values = &vm->stack[vm->top - count];
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            write_text(vm, stream, vm->ofs);
        write_value(vm, stream, &values[i]);
    }
    write_text(vm, stream, vm->ors);
    awk_unwind(vm, vm->top - count);
    return written(vm, stream);
}

AwkStep awk_op_print_record(AwkVm *vm)
{
    size_t length;
    const AwkStep step = vm->warned ? write_warnings(vm) : AWK_ON;
    if (step != AWK_ON)
        return awk_again(vm, step);
    const char *text = awk_record_text(vm, &length);
    awk_stream_write(vm, vm->standard_output, text, length);
    write_text(vm, vm->standard_output, vm->ors);
    return written(vm, vm->standard_output);
}

AwkStep awk_op_printf(AwkVm *vm)
{
    AwkStream *stream;
    const uint32_t count = awk_operand(vm);
    if (!count)
        return awk_fatal(vm, "printf: no arguments");
    const AwkStep step = find_target(vm, (AwkRedirection)awk_operand(vm), &stream);
    if (step != AWK_ON)
        return step;
    AwkValue *values = &vm->stack[vm->top - count];
    AwkText *format = awk_to_text(vm, values);
    const size_t before = stream->buffer.length;
    awk_format(vm, format, values + 1, count - 1, &stream->buffer);
    if (vm->failed)
        stream->buffer.length = before;
    awk_text_release(&vm->pool, format);
    awk_unwind(vm, vm->top - count);
    return vm->failed ? AWK_FAIL : written(vm, stream);
}

/* --- close, fflush, system --------------------------------------------------------------- */

/* Sides of a two-way pipe. */
typedef enum { ANY_SIDE, WRITING_SIDE, READING_SIDE } Side;

static bool on_side(const AwkStream *stream, Side side)
{
    return side == WRITING_SIDE   ? stream->mode != AMLA_AWK_READ_BOTH
           : side == READING_SIDE ? stream->mode != AMLA_AWK_WRITE_BOTH
                                  : true;
}

static AwkStream *find_any(AwkVm *vm, const AwkText *name, Side side)
{
    for (AwkStream *stream = vm->streams; stream; stream = stream->next)
        if (stream->id >= AWK_STREAM_FIRST && stream->mode != AMLA_AWK_OPERAND && on_side(stream, side) &&
            !awk_compare_bytes(stream->name->bytes, stream->name->length, name->bytes, name->length))
            return stream;
    return NULL;
}

/* Leaves the result in place of the arguments. */
static AwkStep answer(AwkVm *vm, uint32_t count, double result)
{
    awk_unwind(vm, vm->top - count);
    awk_push_number(vm, result);
    return AWK_ON;
}

/* The second argument of close(); false after an error. */
static bool read_side(AwkVm *vm, const AwkValue *value, Side *side)
{
    AwkText *text = awk_to_text(vm, value);
    const bool is_to = !awk_compare_bytes(text->bytes, text->length, "to", 2);
    const bool known = is_to || !awk_compare_bytes(text->bytes, text->length, "from", 4);
    awk_text_release(&vm->pool, text);
    *side = is_to ? WRITING_SIDE : READING_SIDE;
    if (!known)
        awk_fatal(vm, "close: second argument must be `to' or `from'");
    return known;
}

/* Every stream of that name is closed, as a file may have been read and written. */
AwkStep awk_op_close(AwkVm *vm)
{
    const uint32_t count = awk_operand(vm);
    Side side = ANY_SIDE;
    if (count > 1 && !read_side(vm, awk_top(vm), &side))
        return AWK_FAIL;
    AwkText *name = awk_to_text(vm, &vm->stack[vm->top - count]);
    AwkStep step = AWK_ON;
    for (AwkStream *stream; step == AWK_ON && (stream = find_any(vm, name, side));) {
        step = awk_close_stream(vm, stream);
        if (step != AWK_ON)
            break;
        vm->closed = true;
        vm->close_status = stream->status;
        awk_stream_destroy(vm, stream);
    }
    awk_text_release(&vm->pool, name);
    if (step != AWK_ON)
        return step;
    if (!vm->closed)
        awk_set_errno(vm, "close of redirection that was never opened");
    const double result = vm->closed ? vm->close_status : -1;
    vm->closed = false;
    return answer(vm, count, result);
}

AwkStep awk_op_flush(AwkVm *vm)
{
    const uint32_t count = awk_operand(vm);
    AwkText *name = count ? awk_to_text(vm, &vm->stack[vm->top - count]) : awk_text_empty();
    AwkStream *stream = name->length ? find_any(vm, name, WRITING_SIDE) : NULL;
    const bool one = name->length > 0;
    awk_text_release(&vm->pool, name);
    if (one && (!stream || !awk_mode_writes(stream->mode)))
        return answer(vm, count, -1);
    if (one && stream->buffer.length)
        return awk_stream_ask(vm, stream, AMLA_AWK_WRITE);
    const AwkStep step = one ? AWK_ON : awk_flush_all(vm);
    return step == AWK_ON ? answer(vm, count, 0) : step;
}

AwkStep awk_op_system(AwkVm *vm)
{
    if (vm->answered) {
        vm->answered = false;
        return answer(vm, 1, vm->status);
    }
    const AwkStep step = awk_flush_all(vm);
    if (step != AWK_ON)
        return step;
    awk_replace(vm, awk_top(vm), awk_text(awk_to_text(vm, awk_top(vm))));
    awk_stream_ask(vm, vm->standard_output, AMLA_AWK_SYSTEM);
    vm->request.text = awk_top(vm)->text->bytes;
    vm->request.length = awk_top(vm)->text->length;
    return AWK_WAIT;
}

/* --- the end ----------------------------------------------------------------------------- */

/* Redirections are closed first, the newest first; standard output comes last, as in gawk. */
AwkStep awk_op_finish(AwkVm *vm)
{
    while (vm->streams && vm->streams->id >= AWK_STREAM_FIRST) {
        const AwkStep step = awk_close_stream(vm, vm->streams);
        if (step != AWK_ON)
            return step;
        awk_stream_destroy(vm, vm->streams);
    }
    const AwkStep step = awk_flush_all(vm);
    return step == AWK_ON ? AWK_END : awk_again(vm, step);
}
