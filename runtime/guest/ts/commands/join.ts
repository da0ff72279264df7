import { describeErrno } from "../shell/io/errors";
import type { Reader } from "../shell/io/reader";
import { each, type Maybe, then } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { ByteWriter, byteText, LineSource, plainText } from "./byte_text";
import { command, complain, Failure } from "./command";
import { close, openReader } from "./files";
import { automatic, joined, type Layout, layoutOf, parseColumns, parseField, Row } from "./join_fields";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";

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

interface Settings {
  readonly separator: string | undefined;
  readonly keys: readonly [number, number];
  readonly ignoreCase: boolean;
  readonly checking: "always" | "unpaired" | "never";
}

const upper = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** One of the two files. */
class Side {
  row: Row | undefined;
  /** What the row is joined by. */
  key = "";
  disordered = false;
  private number = 0;

  constructor(
    private readonly source: LineSource,
    private readonly process: Process,
    private readonly name: string,
    private readonly index: 0 | 1,
    private readonly settings: Settings,
  ) {}

  read(): Maybe<void> {
    const next = this.source.next();
    if (next instanceof Promise) return next.then((line) => this.take(line));
    this.take(next);
  }

  private take(line: string | undefined): void {
    this.number += 1;
    if (line === undefined) this.row = undefined;
    else {
      this.row = new Row(line, this.settings.separator);
      const text = this.row.field(this.settings.keys[this.index]) ?? "";
      this.key = this.settings.ignoreCase ? upper(text) : text;
    }
  }

  advance(unpaired: boolean): Maybe<void> {
    const before = this.row ? this.key : undefined;
    const wait = this.read();
    if (wait) return wait.then(() => this.check(before, unpaired));
    this.check(before, unpaired);
  }

  private check(before: string | undefined, unpaired: boolean): void {
    const { row } = this;
    if (before === undefined || !row || this.disordered || this.key >= before) return;
    const { checking } = this.settings;
    if (checking === "never" || (checking === "unpaired" && !unpaired)) return;
    this.disordered = true;
    const message = `${this.name}:${this.number}: is not sorted: ${plainText(row.line)}`;
    if (checking === "always") throw new Failure(message);
    complain(this.process, message);
  }
}

interface Shown {
  readonly pairs: boolean;
  readonly alone: readonly [boolean, boolean];
}

class Join {
  private unpaired = false;

  constructor(
    private readonly sides: readonly [Side, Side],
    private readonly out: ByteWriter,
    private readonly layout: Layout,
    private readonly shown: Shown,
    private readonly end: string,
  ) {}

  async run(): Promise<void> {
    const [left, right] = this.sides;
    while (left.row && right.row) {
      const { key: a } = left;
      const { key: b } = right;
      const wait = a === b ? this.pairs(a) : this.alone(a < b ? 0 : 1);
      if (wait) await wait;
      if (a !== b) this.unpaired = true;
    }
    await this.rest(0);
    await this.rest(1);
  }

  private async rest(index: 0 | 1): Promise<void> {
    while (this.sides[index].row) {
      const wait = this.alone(index);
      if (wait) await wait;
    }
  }

  private alone(index: 0 | 1): Maybe<void> {
    const side = this.sides[index];
    const printed = this.shown.alone[index] ? this.print(index === 0 ? side.row : undefined, index === 1 ? side.row : undefined) : undefined;
    return printed ? printed.then(() => side.advance(this.unpaired)) : side.advance(this.unpaired);
  }

  /** All pairs of the lines with this key. */
  private pairs(key: string): Maybe<void> {
    return then(this.group(0, key), (lefts) => then(this.group(1, key), (rights) => this.product(lefts, rights)));
  }

  private product(lefts: readonly Row[], rights: readonly Row[]): Maybe<void> {
    if (!this.shown.pairs) return undefined;
    if (lefts.length === 1 && rights.length === 1) return this.print(lefts[0], rights[0]);
    return each(lefts, (left) => each(rights, (right) => this.print(left, right)));
  }

  private group(index: 0 | 1, key: string): Maybe<Row[]> {
    const side = this.sides[index];
    const rows: Row[] = [];
    const more = (): Maybe<Row[]> => {
      while (side.row && side.key === key) {
        rows.push(side.row);
        const wait = side.advance(this.unpaired);
        if (wait) return wait.then(more);
      }
      return rows;
    };
    return more();
  }

  print(left: Row | undefined, right: Row | undefined): Maybe<void> {
    return this.out.put(joined(this.layout, left, right) + this.end);
  }
}

function separatorOf(options: Given, end: string): string | undefined {
  const text = options.value("separator");
  if (text === undefined) return undefined;
  if (text === "\\0") return "\0";
  if (text === "") return end;
  const bytes = byteText(text);
  if (bytes.length > 1) throw new Failure(`multi-character tab ${quoted(text)}`);
  return bytes;
}

function settingsOf(options: Given, end: string): Settings {
  const separator = separatorOf(options, end);
  const field = (key: "first" | "second"): number => {
    const given = options.order.filter((each) => each.key === key || each.key === "both").map(({ value }) => parseField(value!));
    const other = given.find((each) => each !== given[0]);
    if (other !== undefined) throw new Failure(`incompatible join fields ${given[0]! + 1}, ${other + 1}`);
    return given[0] ?? 0;
  };
  const last = options.last("check", "noCheck");
  return {
    separator: separator === end ? "" : separator,
    keys: [field("first"), field("second")],
    ignoreCase: options.has("ignoreCase"),
    checking: last === "check" ? "always" : last === "noCheck" ? "never" : "unpaired",
  };
}

function shownOf(options: Given): Shown {
  const only = options.list("only");
  const alone = [...options.list("all"), ...only];
  const stray = alone.find((number) => number !== "1" && number !== "2");
  if (stray !== undefined) throw new Failure(`invalid field number: ${quoted(stray)}`);
  return { pairs: only.length === 0, alone: [alone.includes("1"), alone.includes("2")] };
}

function openNamed(process: Process, name: string): Reader {
  try {
    return openReader(process, name);
  } catch (error) {
    throw new Failure(`${name}: ${describeErrno(error)}`);
  }
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
    const end = options.has("zero") ? "\0" : "\n";
    const settings = settingsOf(options, end);
    const readers = operands.map((name) => openNamed(process, name));
    const [left, right] = readers.map(
      (reader, index) => new Side(new LineSource(reader, end), process, operands[index]!, index as 0 | 1, settings),
    ) as [Side, Side];
    await left.read();
    await right.read();
    const lists = options.list("output");
    const list = lists.filter((each) => each !== "auto").join(",");
    const columns = list !== "" ? parseColumns(list) : lists.length > 0 ? automatic(left.row, right.row, settings.keys) : undefined;
    const layout = layoutOf(columns, settings.separator === "" ? end : settings.separator, options.value("empty"), settings.keys);
    const out = new ByteWriter(process.stdout);
    const run = new Join([left, right], out, layout, shownOf(options), end);
    try {
      if (options.has("header") && (left.row || right.row)) {
        await run.print(left.row, right.row);
        await left.read();
        await right.read();
      }
      await run.run();
    } finally {
      await out.flush();
    }
    for (const reader of readers) if (reader !== process.stdin) close(reader);
    if (left.disordered || right.disordered) throw new Failure("input is not in sorted order");
    return 0;
  },
});
