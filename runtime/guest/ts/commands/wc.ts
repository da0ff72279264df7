import { native } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { each, then, type Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { Directory, RegularFile } from "../vfs/inode";
import { find } from "../vfs/walk";
import { Errno } from "../vfs/errors";
import type { Inode } from "../vfs/inode";
import { command, complain } from "./command";
import { openReader, using } from "./files";
import { Filter } from "./filter";
import { bytewise } from "./locale";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";
import { nameShown } from "./quoting";
import { openForReading } from "./named";

const TABLE = {
  bytes: ["-c, --bytes", "print the counts of bytes"],
  chars: ["-m, --chars", "print the counts of characters"],
  lines: ["-l, --lines", "print the counts of lines"],
  files: ["--files0-from=F", "read the files whose names, each ended by a NUL byte, are in F"],
  longest: ["-L, --max-line-length", "print the width of the longest line"],
  words: ["-w, --words", "print the counts of words"],
  total: ["--total=WHEN", "when to print a line of totals: auto, always, only, never"],
} as const;

/** In the order in which they are printed, which is that of the filter's report. */
const COUNTS = ["lines", "words", "chars", "bytes", "longest"] as const;
const LONGEST = COUNTS.indexOf("longest");

function wanted(options: Options<typeof TABLE>): boolean[] {
  const given = COUNTS.map((key) => options.has(key));
  return given.includes(true) ? given : [true, true, false, true, false];
}

function nodeOf(process: Process, name: string): Inode | undefined {
  if (name === "-") return process.stdin.file.node;
  try {
    return find(process.context, name) ?? undefined;
  } catch (error) {
    if (error instanceof Errno) return undefined;
    throw error;
  }
}

/** Digits that the numbers are padded to: those of all sizes together, but 7 where something is no plain file. */
function widthFor(process: Process, names: readonly string[], columns: number): number {
  if (names.length === 1 && columns === 1) return 1;
  let total = 0;
  let least = 1;
  for (const name of names) {
    const node = nodeOf(process, name);
    if (node instanceof RegularFile) total += node.size;
    else if (node || name === "-") least = 7;
  }
  return Math.max(String(total).length, least);
}

class Counter {
  status = 0;
  private readonly totals = [0, 0, 0, 0, 0];
  private readonly filter: Filter;

  constructor(
    private readonly process: Process,
    private readonly show: readonly boolean[],
    private readonly width: number,
    private readonly silent: boolean,
  ) {
    const [, words, chars, , longest] = show;
    this.filter = new Filter(process, "wc", { words, chars, longest, bytewise: bytewise(process) });
  }

  file(name: string, shown: string): Maybe<void> {
    let reader: Reader;
    try {
      reader = openReader(this.process, name);
    } catch (error) {
      this.refuse(name, error);
      return;
    }
    this.filter.configure({});
    const done = using(this.process, reader, () => this.filter.finish(reader));
    return then(done, () => this.count(shown));
  }

  private count(shown: string): void {
    const counts = this.filter.report as number[];
    counts.forEach((count, index) => {
      this.totals[index] = index === LONGEST ? Math.max(this.totals[index]!, count) : this.totals[index]! + count;
    });
    if (!this.silent) this.print(counts, shown);
  }

  printTotal(name: string): void {
    this.print(this.totals, name);
  }

  private refuse(name: string, error: unknown): void {
    complain(this.process, `${nameShown(name)}: ${describeErrno(error)}`);
    this.status = 1;
    if (nodeOf(this.process, name) instanceof Directory && !this.silent) this.print([0, 0, 0, 0, 0], name);
  }

  private print(counts: readonly number[], name: string): void {
    const columns = counts.filter((_, index) => this.show[index]).map((count) => String(count).padStart(this.width));
    this.process.stdout.print(`${columns.join(" ")}${name === "" ? "" : ` ${name}`}\n`);
  }
}

async function listed(process: Process, list: string, operands: readonly string[]): Promise<string[]> {
  if (operands.length > 0) throw new UsageFault(`extra operand ${quoted(operands[0]!)}\nfile operands cannot be combined with --files0-from`);
  const reader = openForReading(process, list);
  const names = native.text.decode(await reader.all()).split("\0");
  if (names.at(-1) === "") names.pop();
  return names;
}

export const wc = command({
  name: "wc",
  usage: ["[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"],
  about: "Print counts of lines, words and bytes of each FILE (or of standard input), and their totals when there are several.",
  options: TABLE,
  run(process, options, operands) {
    const list = options.value("files");
    if (list !== undefined) return listed(process, list, operands).then((names) => countAll(process, options, names, undefined, list === "-"));
    return operands.length > 0 ? countAll(process, options, operands) : countAll(process, options, ["-"], "");
  },
});

/** `shown` is printed in place of the names, if it is given; `narrow`: columns are not aligned. */
function countAll(process: Process, options: Options<typeof TABLE>, names: readonly string[], shown?: string, narrow = false): Maybe<number> {
  const show = wanted(options);
  const when = options.value("total") ?? "auto";
  const width = when === "only" || narrow ? 1 : widthFor(process, names, show.filter(Boolean).length);
  const counter = new Counter(process, show, width, when === "only");
  return then(each(names, (name) => counter.file(name, shown ?? name)), () => {
    if (when === "always" || when === "only" || (when === "auto" && names.length > 1)) counter.printTotal(when === "only" ? "" : "total");
    return counter.status;
  });
}
