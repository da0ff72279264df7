"""Our corrections to jq, Oniguruma and decNumber: what they are for is in ``fixes``."""

from __future__ import annotations

from .fixes import Fix, Swap

__all__ = ["JQ"]

_SORTED = "keys are compared by ranks, which takes a tenth of the time (c/jq_sort.h)"
_RUNS = "strings are read and written in runs of bytes that are nothing special (c/jq_text.h)"
_KEYS = "objects of one kind have the same keys, which are made, checked and hashed once"
_WRITTEN = "most numbers need no decimal arithmetic (c/jq_number.h)"
_FREED = "most values that are freed are small or used elsewhere, and need no list of what is in them"
_PAUSED = "a program stands still now and then, so that it can be ended and others can run (c/jq_filter.h)"
_OWN_HEAP = "what one program allocates is freed with it; what outlives it must not be of that memory (c/jq_heap.h)"
_COLORS = "what JQ_COLORS says outlives the program that it is said to"
_ASLEEP = "tables that few sandboxes need take less room asleep (c/unicode_tables.h)"

_AS_WRITTEN = "  return n.offset ? amla_jq_written({0}) : jv_number({0});\n"

JQ: list[Fix | Swap] = [
    Swap(
        "jv_print.c",
        "static char *colors_buf = NULL;\n",
        "static char *colors_buf = NULL, colors_room[512];\n",
        1,
        _COLORS,
    ),
    Swap("jv_print.c", "      jv_mem_free(colors_buf);\n", "", 1, _COLORS),
    Swap(
        "jv_print.c",
        """  colors_buf = jv_mem_realloc(
    colors_buf,
    // add ESC '[' 'm' to each string
    // '\\0' is already included in difference of codes
    codes[num_colors] - codes[0] + 3 * num_colors
  );
""",
        """  if (codes[num_colors] - codes[0] + 3 * num_colors > sizeof colors_room)
    return 0;
  colors_buf = colors_room;
""",
        1,
        _COLORS,
    ),
    Fix("regenc.c", "static int OnigEncInited;\n", "void amla_unicode_wake(void);\n", _ASLEEP),
    Fix("regenc.c", "  OnigEncInited = 1;\n", "  amla_unicode_wake();\n", _ASLEEP),
    Fix(
        "unicode.c",
        '#include "unicode_egcb_data.c"\n',
        """
unsigned *amla_unicode_table(unsigned number, unsigned *count, unsigned *width) {
  *width = 1;
  if (number < CODE_RANGES_NUM) {
    *count = CodeRanges[number][0] * 2 + 1;
    return (unsigned *)CodeRanges[number];
  }
  *width = 3;
  if (number == CODE_RANGES_NUM) {
    *count = WB_RANGE_NUM * 3;
    return (unsigned *)WB_RANGES;
  }
  *count = EGCB_RANGE_NUM * 3;
  return number == CODE_RANGES_NUM + 1 ? (unsigned *)EGCB_RANGES : 0;
}
""",
        _ASLEEP,
    ),
    Fix(
        "jv.h",
        "jv jv_number(double);\n",
        """
struct dtoa_context;
jv amla_jq_number(const char *text, size_t length);
jv amla_jq_written(double value);
char *amla_jq_format(struct dtoa_context *context, char *buffer, double number);
size_t amla_jq_unquoted(const char *text, size_t length);
size_t amla_jq_printable(const char *text, size_t length);
size_t amla_jq_ascii(const char *text, size_t length);
""",
        "declares what other corrections call",
    ),
    *[
        Swap(file, f"    jv number = jv_number_with_literal({text});\n", f"    jv number = {own};\n", 1, _WRITTEN)
        for file, text, own in (
            ("jv_parse.c", "p->tokenbuf", "amla_jq_number(p->tokenbuf, p->tokenpos)"),
            ("builtin.c", "s", "amla_jq_number(s, len)"),
        )
    ],
    Swap("jv_print.c", "jvp_dtoa_fmt(C, buf, d)", "amla_jq_format(C, buf, d)", 1, _WRITTEN),
    Swap(
        "jv.c", "  return jv_number(fabs(jv_number_value(n)));\n", _AS_WRITTEN.format("fabs(n.u.number)"), 1, _WRITTEN
    ),
    Swap("jv.c", "  return jv_number(-jv_number_value(n));\n", _AS_WRITTEN.format("0 - n.u.number"), 1, _WRITTEN),
    Swap(
        "jv.c",
        "  double da = jv_number_value(a), db = jv_number_value(b);\n  if (da < db) {\n",
        """
  if ((JVP_HAS_FLAGS(a, JVP_FLAGS_NUMBER_LITERAL) && b.offset) ||
      (JVP_HAS_FLAGS(b, JVP_FLAGS_NUMBER_LITERAL) && a.offset)) {
    jv decimal = amla_decimal(a.offset ? a : b);
    int answer = a.offset ? jvp_number_cmp(decimal, b) : jvp_number_cmp(a, decimal);
    jv_free(decimal);
    return answer;
  }
  double da = jv_number_value(a), db = jv_number_value(b);
  if (da < db) {
""",
        1,
        _WRITTEN,
    ),
    Fix(
        "jv.c",
        "jv jv_number_with_literal(const char * literal) {\n  return jvp_literal_number_new(literal);\n}\n",
        """
static jv amla_decimal(jv written) {
  char text[JVP_DTOA_FMT_MAX_LEN];
  return jv_number_with_literal(amla_jq_format(tsd_dtoa_context_get(), text, written.u.number));
}
""",
        _WRITTEN,
    ),
    Swap(
        "jv_unicode.c",
        "  int codepoint;\n  while ((in = jvp_utf8_next(in, end, &codepoint))) {\n    if (codepoint == -1) return 0;\n",
        "  int codepoint;\n  while ((in += amla_jq_ascii(in, end - in), in = jvp_utf8_next(in, end, &codepoint))) {\n"
        "    if (codepoint == -1) return 0;\n",
        1,
        _RUNS,
    ),
    Swap(
        "jv_print.c",
        "    *strout = jv_string_append_buf(*strout, s, len);\n",
        "    *strout = jvp_string_append(*strout, s, len);\n",
        1,
        _RUNS,
    ),
    Swap(
        "jv_print.c",
        "  while ((i = jvp_utf8_next((cstart = i), end, &c))) {\n",
        """
  for (;;) {
    size_t plain = amla_jq_printable(i, end - i);
    if (plain)
      put_buf(i, plain, F, S, T);
    i += plain;
    if (!(i = jvp_utf8_next((cstart = i), end, &c)))
      break;
""",
        1,
        _RUNS,
    ),
    Fix(
        "jv_parse.c",
        "  enum last_seen last_seen;    // streamer\n",
        "  jv *amla_keys;               // keys of objects, by a hash\n",
        _KEYS,
    ),
    Fix("jv_parse.c", "  p->stacklen = p->stackpos = 0;\n", "  p->amla_keys = NULL;\n", _KEYS),
    Fix(
        "jv_parse.c",
        "  jv_mem_free(p->tokenbuf);\n",
        """
  for (int i = 0; p->amla_keys && i < AMLA_KEYS; i++)
    jv_free(p->amla_keys[i]);
  jv_mem_free(p->amla_keys);
""",
        _KEYS,
    ),
    Fix(
        "jv_parse.c",
        "typedef const char* presult;\n",
        "\n#define AMLA_KEYS 64\n",
        _KEYS,
    ),
    Fix(
        "jv_parse.c",
        "   (((p)->flags & JV_PARSE_STREAMING) ? stream_is_top_num((p)) : parse_is_top_num((p)))\n",
        """
static jv amla_key(struct jv_parser *p, const char *text, int length) {
  if (length == 0 || length > 64)
    return jv_string_sized(text, length);
  if (!p->amla_keys)
    p->amla_keys = jv_mem_calloc(AMLA_KEYS, sizeof(jv));
  const unsigned char *bytes = (const unsigned char *)text;
  unsigned hash = length * 7 + bytes[0] * 5 + bytes[length / 2] * 3 + bytes[length - 1];
  jv *known = &p->amla_keys[hash % AMLA_KEYS];
  if (jv_is_valid(*known) && jvp_string_length(jvp_string_ptr(*known)) == length &&
      memcmp(jv_string_value(*known), text, length) == 0)
    return jv_copy(*known);
  jv_free(*known);
  *known = jv_string_sized(text, length);
  return jv_copy(*known);
}

/* Within a string: takes what needs no look at each byte, up to the end of the string if that is in the buffer. */
static presult amla_string(struct jv_parser *p, jv *out) {
  const char *text = p->curr_buf + p->curr_buf_pos;
  int rest = p->curr_buf_length - p->curr_buf_pos;
  int length = amla_jq_unquoted(text, rest);
  int is_whole = length < rest && text[length] == '"' && p->tokenpos == 0;
  p->curr_buf_pos += length + is_whole;
  p->column += length + is_whole;
  p->last_ch_was_ws = 0;
  if (!is_whole) {
    while (p->tokenlen - p->tokenpos <= length) {
      if (p->tokenlen > INT_MAX / 2)
        return "Token too long";
      p->tokenlen *= 2;
      p->tokenbuf = jv_mem_realloc(p->tokenbuf, p->tokenlen);
    }
    memcpy(p->tokenbuf + p->tokenpos, text, length);
    p->tokenpos += length;
    return 0;
  }
  int is_key = p->stackpos > 0 && jv_get_kind(p->stack[p->stackpos-1]) == JV_KIND_OBJECT;
  TRY(value(p, is_key ? amla_key(p, text, length) : jv_string_sized(text, length)));
  p->st = JV_PARSER_NORMAL;
  return check_done(p, out) ? OK : 0;
}
""",
        _KEYS,
    ),
    Swap(
        "jv_parse.c",
        "    msg = scan(p, ch, &value);\n  }\n",
        """
    msg = scan(p, ch, &value);
    if (!msg && p->st == JV_PARSER_STRING && !(p->flags & JV_PARSE_SEQ) && p->curr_buf_pos < p->curr_buf_length)
      msg = amla_string(p, &value);
  }
""",
        1,
        _RUNS,
    ),
    Swap(
        "jv.c",
        "void jv_free(jv j) {\n  jv* pending = NULL;\n",
        """
static void amla_free_deeply(jv j) {
  jv* pending = NULL;
""",
        1,
        _FREED,
    ),
    Swap(
        "jv.c",
        "            pending[len++] = arr->elements[i];\n",
        "            if (amla_held(arr->elements[i]))\n              pending[len++] = arr->elements[i];\n",
        1,
        _FREED,
    ),
    Swap(
        "jv.c",
        "              pending[len++] = slot->value;\n",
        "              if (amla_held(slot->value))\n                pending[len++] = slot->value;\n",
        1,
        _FREED,
    ),
    Fix(
        "jv.c",
        "jv jv_copy(jv j) {\n  if (JVP_IS_ALLOCATED(j)) {\n    jvp_refcnt_inc(j.u.ptr);\n  }\n  return j;\n}\n",
        """
/* Frees `j` unless it holds values that are to be freed with it. */
static inline int amla_held(jv j) {
  if (!JVP_IS_ALLOCATED(j))
    return 0;
  if (j.u.ptr->count > 1) {
    j.u.ptr->count--;
    return 0;
  }
  if (!JVP_HAS_KIND(j, JV_KIND_STRING))
    return 1;
  jv_mem_free(j.u.ptr);
  return 0;
}

static void amla_free_deeply(jv j);
void jv_free(jv j) {
  if (amla_held(j))
    amla_free_deeply(j);
}
""",
        _FREED,
    ),
    Fix(
        "jv_aux.c",
        "  // comparing by index if r == 0 makes the sort stable\n  return r ? r : (a->index - b->index);\n}\n",
        "\nvoid amla_jq_sort(struct sort_entry *entries, int count, int (*compare)(const void *, const void *));\n",
        _SORTED,
    ),
    Swap(
        "jv_aux.c",
        "  qsort(entries, n, sizeof(struct sort_entry), sort_cmp);\n",
        "  amla_jq_sort(entries, n, sort_cmp);\n",
        1,
        _SORTED,
    ),
    Fix(
        "execute.c",
        "struct jq_state {\n",
        "  uint16_t *amla_at; /* where a program stands still, or NULL */\n  int amla_backtracking, amla_fuel;\n",
        _PAUSED,
    ),
    Fix("execute.c", "  jq->next_label = 0;\n", "  jq->amla_at = NULL;\n  jq->amla_fuel = AMLA_FUEL;\n", _PAUSED),
    Fix(
        "execute.c",
        "  stack_reset(&jq->stk);\n  jv_free(jq->error);\n",
        "  jq->amla_at = NULL;\n",
        _PAUSED,
    ),
    Fix(
        "execute.c",
        "#define ON_BACKTRACK(op) ((op)+NUM_OPCODES)\n",
        """
_Bool amla_jq_pauses(jq_state *jq) {
  return jq->amla_at != NULL;
}
static inline int amla_pause(jq_state *jq, uint16_t *pc, int backtracking) {
  if (--jq->amla_fuel > 0)
    return 0;
  jq->amla_fuel = AMLA_FUEL;
  jq->amla_at = pc;
  jq->amla_backtracking = backtracking;
  return 1;
}
""",
        _PAUSED,
    ),
    Swap(
        "execute.c",
        "  uint16_t* pc = stack_restore(jq);\n  assert(pc);\n",
        "  uint16_t* pc = jq->amla_at ? jq->amla_at : stack_restore(jq);\n  assert(pc);\n",
        1,
        _PAUSED,
    ),
    Swap(
        "execute.c",
        "  int backtracking = !jq->initial_execution;\n",
        "  int backtracking = jq->amla_at ? jq->amla_backtracking : !jq->initial_execution;\n  jq->amla_at = NULL;\n",
        1,
        _PAUSED,
    ),
    Fix("execute.c", "    if (jq->halted", " || amla_pause(jq, pc, backtracking)", _PAUSED),
    Swap("exec_stack.h", "    free(mem_start);\n", "    jv_mem_free(mem_start);\n", 1, _OWN_HEAP),
    Swap(
        "jv.c",
        "  ctx = malloc(sizeof(decContext));\n",
        "  static decContext amla_context;\n  ctx = &amla_context;\n",
        1,
        _OWN_HEAP,
    ),
    Fix(
        "util.c",
        "  return state->curr_file == state->nfiles && !state->current_input;\n}\n",
        """
jv amla_jq_input(void *filter);
void amla_jq_place(jq_util_input_state *state, jv name, size_t line) {
  jv_free(state->current_filename);
  state->current_filename = name;
  state->current_line = line;
}
""",
        "jq_filter.c feeds the input, so it tells jq where that input is",
    ),
    Fix(
        "util.c",
        "jv jq_util_input_next_input_cb(jq_state *jq, void *data) {\n",
        "  if (data)\n    return amla_jq_input(((jq_util_input_state *)data)->err_cb_data);\n",
        "`input` takes what jq_filter.c was fed instead of reading files",
    ),
]
