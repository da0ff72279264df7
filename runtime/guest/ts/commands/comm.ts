import { describeErrno } from "../shell/io/errors";
import type { Maybe } from "../shell/io/maybe";
import type { Process } from "../shell/process";
import { ByteWriter, byteText, LineSource } from "./byte_text";
import { command, complain, Failure } from "./command";
import { close, openReader } from "./files";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";

const TABLE = {
  noFirst: ["-1", "leave out column 1: lines that are only in FILE1"],
  noSecond: ["-2", "leave out column 2: lines that are only in FILE2"],
  noBoth: ["-3", "leave out column 3: lines that are in both files"],
  check: ["--check-order", "check that the input is in order, also where it does not matter"],
  noCheck: ["--nocheck-order", "do not check that the input is in order"],
  delimiter: ["--output-delimiter=STR", "put STR between columns, not a tab"],
  total: ["--total", "print the counts at the end"],
  zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
} as const;

type Checking = "always" | "unpaired" | "never";

/** One of the two files, and the check of its order. */
class Side {
  line: string | undefined;
  disordered = false;

  constructor(
    private readonly source: LineSource,
    private readonly process: Process,
    private readonly number: number,
  ) {}

  advance(checking: Checking, unpaired: boolean): Maybe<void> {
    const next = this.source.next();
    if (next instanceof Promise) return next.then((line) => this.take(line, checking, unpaired));
    this.take(next, checking, unpaired);
  }

  private take(line: string | undefined, checking: Checking, unpaired: boolean): void {
    const before = this.line;
    this.line = line;
    if (before === undefined || line === undefined || line >= before) return;
    if (this.disordered || !(checking === "always" || (checking === "unpaired" && unpaired))) return;
    this.disordered = true;
    const message = `file ${this.number} is not in sorted order`;
    if (checking === "always") throw new Failure(message);
    complain(this.process, message);
  }
}

const COLUMNS = ["noFirst", "noSecond", "noBoth"] as const;

class Comparison {
  private readonly counts = [0, 0, 0];
  private readonly prefixes: string[] = [];
  private readonly shown: boolean[];
  private readonly delimiter: string;
  private readonly end: string;
  private readonly checking: Checking;
  private unpaired = false;

  constructor(
    private readonly out: ByteWriter,
    private readonly options: Options<typeof TABLE>,
  ) {
    const delimiter = options.value("delimiter") ?? "\t";
    this.delimiter = delimiter === "" ? "\0" : byteText(delimiter);
    this.end = options.has("zero") ? "\0" : "\n";
    this.shown = COLUMNS.map((key) => !options.has(key));
    let prefix = "";
    for (const shown of this.shown) {
      this.prefixes.push(prefix);
      if (shown) prefix += this.delimiter;
    }
    const last = options.last("check", "noCheck");
    this.checking = last === "check" ? "always" : last === "noCheck" ? "never" : "unpaired";
  }

  async run(left: Side, right: Side): Promise<void> {
    await left.advance(this.checking, false);
    await right.advance(this.checking, false);
    while (left.line !== undefined || right.line !== undefined) {
      const order = left.line === undefined ? 1 : right.line === undefined ? -1 : left.line < right.line ? -1 : left.line > right.line ? 1 : 0;
      const column = order < 0 ? 0 : order > 0 ? 1 : 2;
      if (order !== 0) this.unpaired = true;
      this.counts[column]! += 1;
      const wait = this.shown[column] ? this.out.put(this.prefixes[column]! + (order > 0 ? right.line! : left.line!) + this.end) : undefined;
      if (wait) await wait;
      const next = order <= 0 ? left.advance(this.checking, this.unpaired) : undefined;
      if (next) await next;
      const other = order >= 0 ? right.advance(this.checking, this.unpaired) : undefined;
      if (other) await other;
    }
    if (this.options.has("total")) await this.out.put([...this.counts, "total"].join(this.delimiter) + this.end);
  }
}

export const comm = command({
  name: "comm",
  usage: "[OPTION]... FILE1 FILE2",
  about: "Compare files that are in order: print lines that are only in FILE1, only in FILE2, and in both, in three columns.",
  options: TABLE,
  async run(process, options, operands) {
    if (operands.length === 0) throw new UsageFault("missing operand");
    if (operands.length === 1) throw new UsageFault(`missing operand after ${quoted(operands[0]!)}`);
    if (operands.length > 2) throw new UsageFault(`extra operand ${quoted(operands[2]!)}`);
    const readers = operands.map((name) => ({ name, reader: openNamed(process, name) }));
    const end = options.has("zero") ? "\0" : "\n";
    const [left, right] = readers.map(({ reader }, index) => new Side(new LineSource(reader, end), process, index + 1)) as [Side, Side];
    const out = new ByteWriter(process.stdout);
    try {
      await new Comparison(out, options).run(left, right);
    } finally {
      await out.flush();
    }
    for (const { reader } of readers) if (reader !== process.stdin) close(reader);
    if (left.disordered || right.disordered) throw new Failure("input is not in sorted order");
    return 0;
  },
});

function openNamed(process: Process, name: string): ReturnType<typeof openReader> {
  try {
    return openReader(process, name);
  } catch (error) {
    throw new Failure(`${name}: ${describeErrno(error)}`);
  }
}
