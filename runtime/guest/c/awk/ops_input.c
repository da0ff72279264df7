/* Records: the main loop, getline, next, exit. */
#include "error.h"
#include "escape.h"
#include "ops.h"
#include "reader.h"
#include "vm.h"

/* How looking for the next main record ended. */
typedef enum { MAIN_RECORD, MAIN_END, MAIN_STEP } MainResult; /* MAIN_STEP: the instruction returns *step */

/* --- operands ---------------------------------------------------------------------------- */

/* An operand "name=value" assigns; false for any other. */
static bool assign_operand(AwkVm *vm, const AwkText *text)
{
    const char *equals = memchr(text->bytes, '=', text->length);
    const size_t length = equals ? (size_t)(equals - text->bytes) : 0;
    if (!awk_is_name(text->bytes, length))
        return false;
    awk_assign_text(vm, text->bytes, length, equals + 1, text->length - length - 1);
    return true;
}

static AwkText *next_argument(AwkVm *vm)
{
    AwkValue *values = &vm->globals[AWK_ARGV];
    AwkValue count = awk_special_get(vm, AWK_ARGC);
    const double last = awk_to_number(&count);
    awk_drop(vm, &count);
    while (values->kind == AWK_ARRAY && vm->main.argument < last) {
        const AwkValue key = awk_number(vm->main.argument++);
        const AwkValue *value = awk_array_find(vm, values->array, &key);
        if (value && value->kind != AWK_ARRAY)
            return awk_to_text(vm, value);
    }
    return NULL;
}

/* The name of the next file; NULL at the end.  Without any there is standard input. */
static AwkText *next_file(AwkVm *vm)
{
    for (AwkText *text; (text = next_argument(vm)) || !vm->main.any;) {
        if (!text) {
            vm->main.any = true;
            text = awk_text_create(&vm->pool, "-", 1);
            awk_special_put(vm, AWK_FILENAME, awk_text(awk_text_share(text)));
            return text;
        }
        if (text->length && !assign_operand(vm, text)) {
            vm->main.any = true;
            awk_special_put(vm, AWK_ARGIND, awk_number(vm->main.argument - 1));
            awk_special_put(vm, AWK_FILENAME, awk_input(awk_text_share(text)));
            return text;
        }
        awk_text_release(&vm->pool, text);
    }
    return NULL;
}

static MainResult ask(AwkVm *vm, AmlaAwkState what, AwkStep *step)
{
    *step = awk_stream_ask(vm, vm->main.stream, what);
    return MAIN_STEP;
}

static MainResult open_next(AwkVm *vm, AwkStep *step)
{
    AwkText *name = next_file(vm);
    *step = AWK_ON;
    if (!name) {
        vm->main.over = true;
        return MAIN_END;
    }
    vm->main.stream = awk_stream_create(vm, name, AMLA_AWK_OPERAND);
    vm->main.begun = vm->main.leaving = vm->main.skip = false;
    vm->fnr = 0;
    awk_text_release(&vm->pool, name);
    if (!vm->main.stream) {
        *step = AWK_FAIL;
        return MAIN_STEP;
    }
    return ask(vm, AMLA_AWK_OPEN, step);
}

/* Run the BEGINFILE or ENDFILE rules, then this instruction again. */
static MainResult run_rules(AwkVm *vm, uint32_t entry, AwkStep *step)
{
    *step = awk_enter(vm, entry, vm->at, 0, AWK_NO_FUNCTION) ? AWK_ON : AWK_FAIL;
    return MAIN_STEP;
}

static void drop_file(AwkVm *vm)
{
    awk_stream_destroy(vm, vm->main.stream);
    vm->main.stream = NULL;
}

static MainResult refuse_file(AwkVm *vm, AwkStream *stream, AwkStep *step)
{
    if (stream->is_folder)
        awk_warn_plainly(vm, "command line argument `%s' is a directory: skipped", stream->name->bytes);
    else
        awk_fatal_plainly(vm, "cannot open file `%s' for reading: %s", stream->name->bytes, stream->reason);
    drop_file(vm);
    *step = vm->failed ? AWK_FAIL : awk_again(vm, AWK_ON);
    return MAIN_STEP;
}

static void count_record(AwkVm *vm)
{
    awk_special_forget(vm, AWK_NR);
    vm->nr++;
}

/* The file is open, or could not be: BEGINFILE may say what to do. */
static MainResult begin_file(AwkVm *vm, AwkStep *step)
{
    AwkStream *stream = vm->main.stream;
    const bool bad = stream->reason || stream->is_folder;
    if (!vm->main.begun && vm->program.begin_file) {
        vm->main.begun = true;
        awk_set_errno(vm, stream->reason ? stream->reason : stream->is_folder ? "Is a directory" : NULL);
        return run_rules(vm, vm->program.begin_file, step);
    }
    vm->main.begun = true;
    if (bad && vm->main.skip) {
        drop_file(vm);
        *step = awk_again(vm, AWK_ON);
        return MAIN_STEP;
    }
    return bad ? refuse_file(vm, stream, step) : MAIN_RECORD;
}

/* The file is at its end: ENDFILE, then close it. */
static MainResult end_file(AwkVm *vm, AwkStep *step)
{
    if (vm->in_place && (*step = awk_flush_all(vm)) != AWK_ON)
        return MAIN_STEP;
    if (!vm->main.leaving && vm->program.end_file) {
        vm->main.leaving = true;
        return run_rules(vm, vm->program.end_file, step);
    }
    *step = awk_close_stream(vm, vm->main.stream);
    if (*step == AWK_ON) {
        drop_file(vm);
        awk_again(vm, AWK_ON);
    }
    return MAIN_STEP;
}

/* Look for the next record of the files. */
static MainResult next_main(AwkVm *vm, AwkRun *record, AwkStep *step)
{
    AwkRun terminator;
    if (vm->main.over)
        return MAIN_END;
    if (!vm->main.stream)
        return open_next(vm, step);
    AwkStream *stream = vm->main.stream;
    if (!vm->main.begun || stream->reason || stream->is_folder) {
        const MainResult result = begin_file(vm, step);
        if (result != MAIN_RECORD)
            return result;
    }
    const AwkReading reading = vm->main.skip ? AWK_READ_END : awk_read(vm, stream, record, &terminator);
    if (reading == AWK_READ_MORE)
        return ask(vm, AMLA_AWK_READ, step);
    if (reading == AWK_READ_END)
        return end_file(vm, step);
    awk_read_terminator(vm, stream, &terminator);
    count_record(vm);
    awk_special_forget(vm, AWK_FNR);
    vm->fnr++;
    return MAIN_RECORD;
}

static void take_record(AwkVm *vm, const AwkStream *stream, const AwkRun *record)
{
    awk_record_set(vm, (const char *)stream->buffer.data + record->start, record->end - record->start);
}

AwkStep awk_op_read_record(AwkVm *vm)
{
    AwkRun record;
    AwkStep step = AWK_ON;
    switch (next_main(vm, &record, &step)) {
    case MAIN_RECORD:
        take_record(vm, vm->main.stream, &record);
        return AWK_ON;
    case MAIN_END:
        vm->pc = vm->program.at_end;
        return AWK_ON;
    default:
        return step;
    }
}

/* --- getline ----------------------------------------------------------------------------- */

/* Take the source's name off the stack, if there is one, and leave the count. */
static AwkStep answer(AwkVm *vm, AwkSourceKind kind, double count)
{
    if (kind != AWK_FROM_MAIN)
        awk_pop_drop(vm);
    awk_push_number(vm, count);
    return AWK_ON;
}

static void take_line(AwkVm *vm, const AwkStream *stream, const AwkRun *record, bool keep)
{
    const char *bytes = (const char *)stream->buffer.data + record->start;
    if (keep)
        awk_replace(vm, &vm->result, awk_input(awk_text_create(&vm->pool, bytes, record->end - record->start)));
    else
        take_record(vm, stream, record);
}

static AwkStep getline_main(AwkVm *vm, bool keep)
{
    AwkRun record;
    AwkStep step = AWK_ON;
    switch (next_main(vm, &record, &step)) {
    case MAIN_RECORD:
        take_line(vm, vm->main.stream, &record, keep);
        return answer(vm, AWK_FROM_MAIN, 1);
    case MAIN_END:
        return answer(vm, AWK_FROM_MAIN, 0);
    default:
        return step;
    }
}

static const struct {
    AmlaAwkMode mode;
    const char *sign;
} sources[] = {
    [AWK_FROM_FILE] = { AMLA_AWK_READ_FILE, "<" },
    [AWK_FROM_COMMAND] = { AMLA_AWK_READ_COMMAND, "|" },
    [AWK_FROM_BOTH] = { AMLA_AWK_READ_BOTH, "|&" },
};

static AwkStream *create_source(AwkVm *vm, AwkText *name, AmlaAwkMode mode)
{
    if (mode != AMLA_AWK_READ_BOTH)
        return awk_stream_create(vm, name, mode);
    AwkStream *writing = awk_stream_create_both(vm, name);
    return writing ? awk_stream_other_side(vm, writing) : NULL;
}

static AwkStep open_source(AwkVm *vm, AwkSourceKind kind, AwkStream **stream)
{
    const AmlaAwkMode mode = sources[kind].mode;
    AwkText *name = awk_to_text(vm, awk_top(vm));
    AwkStep step = AWK_ON;
    *stream = awk_stream_find(vm, name, mode);
    if (!*stream && !name->length)
        step = awk_fatal(vm, "expression for `%s' redirection has null string value", sources[kind].sign);
    else if (!*stream && (step = awk_flush_all(vm)) == AWK_ON && !(*stream = create_source(vm, name, mode)))
        step = AWK_FAIL;
    awk_text_release(&vm->pool, name);
    if (step == AWK_ON && (*stream)->state == AWK_STREAM_NEW && !(*stream)->reason && !(*stream)->is_folder) {
        AwkStream *writing = awk_stream_other_side(vm, *stream);
        step = awk_stream_ask(vm, writing ? writing : *stream, AMLA_AWK_OPEN);
    }
    return step;
}

/* Ask for more; what was printed to a two-way pipe goes there first. */
static AwkStep refill(AwkVm *vm, AwkStream *stream)
{
    AwkStream *writing = awk_stream_other_side(vm, stream);
    if (writing && writing->buffer.length)
        return awk_stream_ask(vm, writing, AMLA_AWK_WRITE);
    return awk_stream_ask(vm, stream, AMLA_AWK_READ);
}

AwkStep awk_op_getline(AwkVm *vm)
{
    AwkStream *stream;
    AwkRun record, terminator;
    const AwkSourceKind kind = (AwkSourceKind)awk_operand(vm);
    const bool keep = awk_operand(vm);
    if (kind == AWK_FROM_MAIN)
        return getline_main(vm, keep);
    const AwkStep step = open_source(vm, kind, &stream);
    if (step != AWK_ON)
        return step;
    if (stream->reason || stream->is_folder) {
        awk_set_errno(vm, stream->reason ? stream->reason : "Is a directory");
        awk_stream_destroy(vm, stream);
        return answer(vm, kind, -1);
    }
    const AwkReading reading = awk_read(vm, stream, &record, &terminator);
    if (reading == AWK_READ_MORE)
        return refill(vm, stream);
    if (reading == AWK_READ_END)
        return answer(vm, kind, 0);
    awk_read_terminator(vm, stream, &terminator);
    take_line(vm, stream, &record, keep);
    return answer(vm, kind, 1);
}

/* --- leaving ----------------------------------------------------------------------------- */

static void leave_everything(AwkVm *vm)
{
    awk_unwind(vm, 0);
    vm->frame_count = 0;
    vm->base = 0;
}

AwkStep awk_op_start_phase(AwkVm *vm)
{
    vm->phase = (AwkPhase)awk_operand(vm);
    return AWK_ON;
}

AwkStep awk_op_next(AwkVm *vm)
{
    if (vm->phase != AWK_READING)
        return awk_fatal(vm, "`next' cannot be called from a `%s' rule", vm->phase == AWK_ENDING ? "END" : "BEGIN");
    leave_everything(vm);
    vm->pc = vm->program.next_record;
    return AWK_ON;
}

AwkStep awk_op_next_file(AwkVm *vm)
{
    if (vm->phase != AWK_READING)
        return awk_fatal(vm, "`nextfile' cannot be called from a `%s' rule", vm->phase == AWK_ENDING ? "END" : "BEGIN");
    leave_everything(vm);
    vm->main.skip = true;
    vm->pc = vm->program.next_record;
    return AWK_ON;
}

AwkStep awk_op_exit(AwkVm *vm)
{
    if (awk_operand(vm)) {
        vm->exit_status = (int)((int64_t)awk_to_number(awk_top(vm)) & 255);
        awk_pop_drop(vm);
    }
    leave_everything(vm);
    const bool ending = vm->phase == AWK_ENDING || !vm->program.reads;
    vm->main.over = true;
    vm->pc = ending ? 0 : vm->program.at_end;
    return AWK_ON;
}
