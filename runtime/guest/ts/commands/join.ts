import { byteText } from "./byte_text";
import { command, Failure } from "./command";
import { close } from "./files";
import { parseColumns, parseField } from "./join_fields";
import { checkingOf, decodeLine, merge, OrderedFilter, words } from "./merging";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";
import { openNamed } from "./named";

const TABLE = {
  all: ["-a FILENUM", "print lines of file FILENUM that pair with none, too"],
  empty: ["-e STRING", "print STRING for fields that are missing"],
  ignoreCase: ["-i, --ignore-case", "ignore differences of case"],
  both: ["-j FIELD", "as -1 FIELD -2 FIELD"],
  output: ["-o FORMAT", "print these fields: a list of FILENUM.FIELD and 0, or auto"],
  separator: ["-t CHAR", "fields are separated by CHAR, not by blanks"],
  only: ["-v FILENUM", "print only lines of file FILENUM that pair with none"],
  first: ["-1 FIELD", "join by this field of file 1"],
  second: ["-2 FIELD", "join by this field of file 2"],
  check: ["--check-order", "check that the input is in order, also where all lines pair"],
  noCheck: ["--nocheck-order", "do not check that the input is in order"],
  header: ["--header", "the first line of each file is a header"],
  zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
} as const;

type Given = Options<typeof TABLE>;

/** In place of a byte that separates fields (c/filters/join_fields.h). */
const [BLANKS, WHOLE] = [-1, -2];

function separatorOf(options: Given, end: number): number {
  const text = options.value("separator");
  if (text === undefined) return BLANKS;
  if (text === "") return WHOLE;
  const bytes = text === "\\0" ? "\0" : byteText(text);
  if (bytes.length > 1) throw new Failure(`multi-character tab ${quoted(text)}`);
  return bytes.charCodeAt(0) === end ? WHOLE : bytes.charCodeAt(0);
}

/** The field that a file is joined by. */
function keyOf(options: Given, key: "first" | "second"): number {
  const given = options.order.filter((each) => each.key === key || each.key === "both").map(({ value }) => parseField(value!));
  const other = given.find((each) => each !== given[0]);
  if (other !== undefined) throw new Failure(`incompatible join fields ${given[0]! + 1}, ${other + 1}`);
  return given[0] ?? 0;
}

/** The files whose lines are printed without a partner, as bits. */
function aloneOf(options: Given): number {
  const alone = [...options.list("all"), ...options.list("only")];
  const stray = alone.find((number) => number !== "1" && number !== "2");
  if (stray !== undefined) throw new Failure(`invalid field number: ${quoted(stray)}`);
  return alone.reduce((bits, number) => bits | Number(number), 0);
}

function settingsOf(options: Given): Record<string, unknown> {
  const end = options.has("zero") ? 0 : 10;
  const separator = separatorOf(options, end);
  const lists = options.list("output");
  const list = lists.filter((each) => each !== "auto").join(",");
  return {
    separator,
    first: keyOf(options, "first"),
    second: keyOf(options, "second"),
    ignoreCase: options.has("ignoreCase"),
    checking: checkingOf(options.last("check", "noCheck")),
    pairs: !options.has("only"),
    alone: aloneOf(options),
    header: options.has("header"),
    ...(list !== "" ? { columns: words(parseColumns(list).flat()) } : { automatic: lists.length > 0 }),
    filler: options.value("empty") ?? "",
    between: separator === BLANKS ? 32 : separator === WHOLE ? end : separator,
    end,
  };
}

/** `-o 1.1 2.2` and `-j1 2` are old spellings. */
function rewrite(args: readonly string[]): readonly string[] {
  const result: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    const [, file, field] = /^-j([12])$/.exec(arg) ? [arg, arg.slice(2), args[at + 1]] : [];
    if (file !== undefined && field !== undefined && args.length - at > 3) {
      result.push(`-${file}`, field);
      at += 1;
      continue;
    }
    result.push(arg);
    if (arg === "--") return [...result, ...args.slice(at + 1)];
    if (arg !== "-o") continue;
    const lists = [args[++at] ?? ""];
    while (args.length - at > 3 && /^(?:0|[12]\.\d+)(?:,(?:0|[12]\.\d+))*$/.test(args[at + 1]!)) lists.push(args[++at]!);
    result.push(lists.join(","));
  }
  return result;
}

export const join = command({
  name: "join",
  usage: "[OPTION]... FILE1 FILE2",
  about: "For each pair of lines with the same field to join by, print one line. The files must be in order of that field.",
  options: TABLE,
  rewrite,
  async run(process, options, operands) {
    if (operands.length === 0) throw new UsageFault("missing operand");
    if (operands.length === 1) throw new UsageFault(`missing operand after ${quoted(operands[0]!)}`);
    if (operands.length > 2) throw new UsageFault(`extra operand ${quoted(operands[2]!)}`);
    if (operands[0] === "-" && operands[1] === "-") throw new Failure("both files cannot be standard input");
    const readers = operands.map((name) => openNamed(process, name));
    const filter = new OrderedFilter(
      process,
      "join",
      settingsOf(options),
      ([file, number, line]) => `${operands[file]!}:${number}: is not sorted: ${decodeLine(line)}`,
    );
    await merge(process, filter, readers, () => filter.wanted);
    for (const reader of readers) if (reader !== process.stdin) close(reader);
    if (!filter.disordered) return 0;
    if (options.last("check", "noCheck") === "check") return 1;
    throw new Failure("input is not in sorted order");
  },
});
