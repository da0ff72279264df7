#include "record.h"

#include "error.h"
#include "number.h"
#include "vm.h"

static const char *text_of(const AwkRecord *record)
{
    return record->text.data ? (const char *)record->text.data : "";
}

static void drop_fields(AwkVm *vm, AwkRecord *record)
{
    for (uint32_t i = 0; i < record->high; i++)
        awk_replace(vm, &record->fields[i].value, (AwkValue){ 0 });
    record->high = record->count = 0;
}

static void check(AwkVm *vm, const AmlaBuffer *buffer)
{
    if (buffer->failed) {
        vm->pool.exhausted = true;
        vm->pool.fuel = 0;
    }
}

/* The text in record->text is a new record. */
static void begin(AwkVm *vm, AwkRecord *record)
{
    drop_fields(vm, record);
    awk_special_forget(vm, AWK_NF);
    awk_replace(vm, &record->whole, (AwkValue){ 0 });
    record->stale = record->complete = false;
    record->cursor = (AwkCursor){ 0 };
    record->splitter = vm->splitter;
}

void awk_record_set(AwkVm *vm, const char *bytes, size_t length)
{
    AwkRecord *record = &vm->record;
    record->text.length = 0;
    amla_buffer_append(&record->text, bytes, length);
    check(vm, &record->text);
    begin(vm, record);
}

static AwkField *make_field(AwkVm *vm, AwkRecord *record)
{
    if (record->count >= record->room &&
        !awk_make_room(&vm->pool, &record->fields, &record->room, record->count, sizeof *record->fields))
        return NULL;
    AwkField *field = &record->fields[record->count++];
    *field = (AwkField){ 0 };
    return field;
}

/* Find fields until there are `wanted` or no more. */
static void find_fields(AwkVm *vm, AwkRecord *record, uint32_t wanted)
{
    const char *bytes = text_of(record);
    AwkRun field, separator;
    while (!record->complete && record->count < wanted) {
        if (!record->splitter.next(vm, &record->splitter, bytes, record->text.length, &record->cursor, &field, &separator))
            record->complete = true;
        else if (record->count == AWK_FIELDS_MAX)
            awk_fatal(vm, "more than %d fields in a record", AWK_FIELDS_MAX);
        else {
            AwkField *made = make_field(vm, record);
            if (!made)
                return;
            made->run = field;
            continue;
        }
        return;
    }
}

static AwkText *field_text(AwkVm *vm, const AwkRecord *record, const AwkField *field)
{
    if (field->value.kind != AWK_UNSET)
        return awk_to_text(vm, &field->value);
    return awk_text_create(&vm->pool, text_of(record) + field->run.start, field->run.end - field->run.start);
}

/* Write one field to the text that is being put together, and note where it lies now. */
static void put_field(AwkVm *vm, AwkRecord *record, uint32_t index)
{
    AwkField *field = &record->fields[index];
    AwkText *text = field_text(vm, record, field);
    if (index)
        amla_buffer_append(&record->spare, vm->ofs->bytes, vm->ofs->length);
    field->run.start = record->spare.length;
    amla_buffer_append(&record->spare, text->bytes, text->length);
    field->run.end = record->spare.length;
    awk_text_release(&vm->pool, text);
}

void awk_record_rebuild(AwkVm *vm)
{
    AwkRecord *record = &vm->record;
    if (!record->stale)
        return;
    record->spare.length = 0;
    for (uint32_t i = 0; i < record->count; i++)
        put_field(vm, record, i);
    check(vm, &record->spare);
    const AmlaBuffer built = record->spare;
    record->spare = record->text;
    record->text = built;
    record->stale = false;
    awk_replace(vm, &record->whole, (AwkValue){ 0 });
}

const char *awk_record_text(AwkVm *vm, size_t *length)
{
    awk_record_rebuild(vm);
    *length = vm->record.text.length;
    return text_of(&vm->record);
}

static AwkValue whole(AwkVm *vm, AwkRecord *record)
{
    size_t length;
    const char *text = awk_record_text(vm, &length);
    if (record->whole.kind == AWK_UNSET)
        record->whole = awk_input(awk_text_create(&vm->pool, text, length));
    return awk_copy(&record->whole);
}

/* The field's place with its value made; NULL when there is no such field. */
static AwkField *made_field(AwkVm *vm, AwkRecord *record, uint32_t index)
{
    if (record->count < index)
        find_fields(vm, record, index);
    if (record->count < index)
        return NULL;
    AwkField *field = &record->fields[index - 1];
    if (field->value.kind == AWK_UNSET) {
        field->value = awk_input(field_text(vm, record, field));
        record->high = record->high < index ? index : record->high;
    }
    return field;
}

AwkValue awk_record_field(AwkVm *vm, uint32_t index)
{
    if (!index)
        return whole(vm, &vm->record);
    AwkField *field = made_field(vm, &vm->record, index);
    return field ? awk_copy(&field->value) : awk_no_field();
}

double awk_record_number(AwkVm *vm, uint32_t index)
{
    AwkRecord *record = &vm->record;
    size_t end;
    if (!index) {
        const char *text = awk_record_text(vm, &end);
        return awk_parse_number(text, record->text.length, &end);
    }
    if (record->count < index)
        find_fields(vm, record, index);
    if (record->count < index)
        return 0;
    AwkField *field = &record->fields[index - 1];
    if (field->value.kind != AWK_UNSET)
        return awk_to_number(&field->value);
    return awk_parse_number(text_of(record) + field->run.start, field->run.end - field->run.start, &end);
}

void awk_record_settle(AwkVm *vm)
{
    find_fields(vm, &vm->record, UINT32_MAX);
}

uint32_t awk_record_count(AwkVm *vm)
{
    awk_record_settle(vm);
    return vm->record.count;
}

void awk_record_resize(AwkVm *vm, uint32_t count)
{
    AwkRecord *record = &vm->record;
    awk_record_settle(vm);
    while (record->count < count) {
        AwkField *field = make_field(vm, record);
        if (!field)
            return;
        field->value = awk_no_field();
        record->high = record->count;
    }
    for (uint32_t i = count; i < record->high; i++)
        awk_replace(vm, &record->fields[i].value, (AwkValue){ 0 });
    record->count = count;
    record->high = record->high > count ? count : record->high;
    record->stale = true;
}

static void assign_whole(AwkVm *vm, AwkRecord *record, AwkValue *value)
{
    AwkText *text = awk_to_text(vm, value);
    record->text.length = 0;
    amla_buffer_append(&record->text, text->bytes, text->length);
    awk_text_release(&vm->pool, text);
    check(vm, &record->text);
    begin(vm, record);
    record->whole = *value;
}

void awk_record_assign(AwkVm *vm, uint32_t index, AwkValue value)
{
    AwkRecord *record = &vm->record;
    if (!index) {
        assign_whole(vm, record, &value);
        return;
    }
    if (index > AWK_FIELDS_MAX) {
        awk_fatal(vm, "more than %d fields in a record", AWK_FIELDS_MAX);
        return;
    }
    awk_record_settle(vm);
    if (record->count < index)
        awk_record_resize(vm, index);
    if (record->count < index)
        return;
    if (value.kind == AWK_UNSET)
        value.kind = AWK_ABSENT; /* unset means not looked at, here */
    awk_replace(vm, &record->fields[index - 1].value, value);
    record->high = record->high < index ? index : record->high;
    record->stale = true;
    awk_special_forget(vm, AWK_NF);
}
