#include "special.h"

#include "error.h"
#include "vm.h"

#define NAME(name) #name,
static const char *const names[] = { AWK_SPECIALS(NAME) };
#undef NAME

const char *awk_special_variable(AwkSpecial special)
{
    return names[special];
}

void awk_special_put(AwkVm *vm, uint32_t special, AwkValue value)
{
    awk_replace(vm, &vm->globals[special], value);
}

void awk_special_forget(AwkVm *vm, uint32_t special)
{
    if (vm->globals[special].kind != AWK_UNSET)
        awk_special_put(vm, special, (AwkValue){ 0 });
}

AwkValue awk_special_get(AwkVm *vm, uint32_t special)
{
    if (vm->globals[special].kind != AWK_UNSET) /* also NF = "x", until it is counted anew */
        return awk_copy(&vm->globals[special]);
    switch (special) {
    case AWK_NR:
        return awk_number(vm->nr);
    case AWK_FNR:
        return awk_number(vm->fnr);
    case AWK_NF:
        return awk_number(awk_record_count(vm));
    default:
        return (AwkValue){ 0 };
    }
}

static void set_nr(AwkVm *vm, AwkValue *value)
{
    vm->nr = awk_to_number(value);
}

static void set_fnr(AwkVm *vm, AwkValue *value)
{
    vm->fnr = awk_to_number(value);
}

static void set_nf(AwkVm *vm, AwkValue *value)
{
    const double count = awk_to_number(value);
    if (count < 0)
        awk_fatal(vm, "NF set to negative value");
    else if (count > AWK_FIELDS_MAX)
        awk_fatal(vm, "more than %d fields in a record", AWK_FIELDS_MAX);
    else
        awk_record_resize(vm, (uint32_t)count);
}

/* Which of FS, FPAT and FIELDWIDTHS counts is told by PROCINFO["FS"]. */
static void note_splitter(AwkVm *vm, AwkSplitter splitter, const char *name)
{
    vm->splitter = splitter;
    if (vm->globals[AWK_PROCINFO].kind == AWK_ARRAY)
        awk_array_put(vm, vm->globals[AWK_PROCINFO].array, "FS", awk_text(awk_text_create(&vm->pool, name, strlen(name))));
}

static void set_fs(AwkVm *vm, AwkValue *value)
{
    awk_record_settle(vm);
    note_splitter(vm, awk_splitter(vm, value, vm->separator.kind == AWK_RS_LINES), "FS");
}

static void set_widths(AwkVm *vm, AwkValue *value)
{
    awk_record_settle(vm);
    AwkText *text = awk_to_text(vm, value);
    awk_special_put(vm, AWK_FIELDWIDTHS, awk_text(text));
    note_splitter(vm, awk_splitter_by_width(text), "FIELDWIDTHS");
}

static void set_fpat(AwkVm *vm, AwkValue *value)
{
    awk_record_settle(vm);
    note_splitter(vm, awk_splitter_by_content(vm, value), "FPAT");
}

static void set_rs(AwkVm *vm, AwkValue *value)
{
    AwkText *text = awk_to_text(vm, value);
    vm->separator.kind = !text->length ? AWK_RS_LINES : text->length == 1 ? AWK_RS_BYTE : AWK_RS_REGEX;
    vm->separator.byte = text->length ? text->bytes[0] : '\n';
    if (vm->separator.kind == AWK_RS_REGEX || value->kind == AWK_REGEX) {
        vm->separator.kind = AWK_RS_REGEX;
        vm->separator.pattern = awk_pattern_of_text(vm, text);
    }
    awk_text_release(&vm->pool, text);
    vm->splitter.lines = vm->separator.kind == AWK_RS_LINES;
}

static void set_text(AwkVm *vm, AwkText **place, AwkValue *value)
{
    AwkText *text = awk_to_text(vm, value);
    if (*place)
        awk_text_release(&vm->pool, *place);
    *place = text;
}

static void set_ofs(AwkVm *vm, AwkValue *value)
{
    if (vm->ofs)
        awk_record_rebuild(vm); /* by the separator that was */
    set_text(vm, &vm->ofs, value);
}

static void set_ors(AwkVm *vm, AwkValue *value)
{
    set_text(vm, &vm->ors, value);
}

static void set_convfmt(AwkVm *vm, AwkValue *value)
{
    set_text(vm, &vm->convfmt, value);
}

static void set_ofmt(AwkVm *vm, AwkValue *value)
{
    set_text(vm, &vm->ofmt, value);
}

static void set_subsep(AwkVm *vm, AwkValue *value)
{
    set_text(vm, &vm->subsep, value);
}

static void set_ignore_case(AwkVm *vm, AwkValue *value)
{
    awk_record_settle(vm); /* by the case that was */
    vm->ignore_case = awk_is_true(value);
}

static void (*const setters[AWK_SPECIAL_COUNT])(AwkVm *vm, AwkValue *value) = {
    [AWK_NR] = set_nr,           [AWK_FNR] = set_fnr,         [AWK_NF] = set_nf,
    [AWK_FS] = set_fs,           [AWK_OFS] = set_ofs,         [AWK_ORS] = set_ors,
    [AWK_RS] = set_rs,           [AWK_CONVFMT] = set_convfmt, [AWK_OFMT] = set_ofmt,
    [AWK_SUBSEP] = set_subsep,   [AWK_FPAT] = set_fpat,       [AWK_FIELDWIDTHS] = set_widths,
    [AWK_IGNORECASE] = set_ignore_case,
};

void awk_special_set(AwkVm *vm, uint32_t special, AwkValue value)
{
    awk_special_put(vm, special, value);
    if (setters[special])
        setters[special](vm, &vm->globals[special]);
}

void awk_special_set_any(AwkVm *vm, uint32_t global, AwkValue value)
{
    if (global < AWK_SPECIAL_COUNT)
        awk_special_set(vm, global, value);
    else
        awk_special_put(vm, global, value);
}

void awk_set_errno(AwkVm *vm, const char *reason)
{
    const char *text = reason ? reason : "";
    awk_special_put(vm, AWK_ERRNO, awk_text(awk_text_create(&vm->pool, text, strlen(text))));
}

static void start_text(AwkVm *vm, AwkSpecial special, const char *text)
{
    awk_special_set(vm, special, awk_text(awk_text_create(&vm->pool, text, strlen(text))));
}

void awk_specials_start(AwkVm *vm)
{
    static const struct {
        AwkSpecial special;
        const char *text;
    } texts[] = {
        { AWK_FIELDWIDTHS, "" }, { AWK_FPAT, "[^[:space:]]+" }, { AWK_RS, "\n" },     { AWK_FS, " " },
        { AWK_OFS, " " },        { AWK_ORS, "\n" },             { AWK_OFMT, "%.6g" }, { AWK_CONVFMT, "%.6g" },
        { AWK_SUBSEP, "\034" },  { AWK_RT, "" },                { AWK_ERRNO, "" },    { AWK_TEXTDOMAIN, "messages" },
    };
    static const AwkSpecial numbers[] = { AWK_IGNORECASE, AWK_RSTART, AWK_RLENGTH, AWK_LINT, AWK_BINMODE };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        start_text(vm, texts[i].special, texts[i].text);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        awk_special_put(vm, numbers[i], awk_number(0));
}
