#include "error.h"

#include <stdarg.h>
#include <stdio.h>

#include "vm.h"

enum { MESSAGE_MAX = 4096 };

static AwkStream *standard_error(AwkVm *vm)
{
    AwkStream *stream = vm->streams;
    while (stream && stream->id != AWK_STDERR)
        stream = stream->next;
    return stream;
}

void awk_error_write(AwkVm *vm, const char *bytes, size_t length)
{
    AwkStream *stream = standard_error(vm);
    if (stream)
        awk_stream_write(vm, stream, bytes, length);
}

static void print(AwkVm *vm, const char *format, va_list arguments)
{
    char message[MESSAGE_MAX];
    const int length = vsnprintf(message, sizeof message, format, arguments);
    if (length > 0)
        awk_error_write(vm, message, (size_t)length < sizeof message ? (size_t)length : sizeof message - 1);
}

void awk_error_print(AwkVm *vm, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(vm, format, arguments);
    va_end(arguments);
}

/* "cmd. line:3: " of the instruction that runs. */
static void print_place(AwkVm *vm)
{
    const AwkProgram *program = &vm->program;
    const AwkLine *line = NULL;
    for (uint32_t low = 0, high = program->line_count; low < high;) {
        const uint32_t middle = (low + high) / 2;
        if (program->lines[middle].word <= vm->at) {
            line = &program->lines[middle];
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (!line || !line->line)
        return;
    const AwkText *name = program->sources[line->source].name;
    awk_error_print(vm, "%s:%u: ", name ? name->bytes : "cmd. line", line->line);
    if (vm->fnr > 0 && vm->phase == AWK_READING)
        awk_error_print(vm, "(FILENAME=%s FNR=%.0f) ",
                        awk_has_text(&vm->globals[AWK_FILENAME]) ? vm->globals[AWK_FILENAME].text->bytes : "-", vm->fnr);
}

#define TELL(vm, place, kind, format)         \
    do {                                      \
        va_list arguments;                    \
        awk_error_print(vm, "awk: ");         \
        if (place)                            \
            print_place(vm);                  \
        awk_error_print(vm, "%s", kind);      \
        va_start(arguments, format);          \
        print(vm, format, arguments);         \
        va_end(arguments);                    \
        awk_error_print(vm, "\n");            \
    } while (0)

static AwkStep fail(AwkVm *vm)
{
    vm->failed = true;
    vm->exit_status = 2;
    vm->pool.fuel = 0;
    return AWK_FAIL;
}

AwkStep awk_fatal(AwkVm *vm, const char *format, ...)
{
    if (!vm->failed)
        TELL(vm, true, "fatal: ", format);
    return fail(vm);
}

AwkStep awk_fatal_plainly(AwkVm *vm, const char *format, ...)
{
    if (!vm->failed)
        TELL(vm, false, "fatal: ", format);
    return fail(vm);
}

void awk_warn(AwkVm *vm, const char *format, ...)
{
    TELL(vm, true, "warning: ", format);
    vm->warned = true;
}

void awk_warn_plainly(AwkVm *vm, const char *format, ...)
{
    TELL(vm, false, "warning: ", format);
    vm->warned = true;
}
