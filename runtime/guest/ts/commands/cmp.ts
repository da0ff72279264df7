import { native } from "../bridge/native";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { describeErrno } from "../shell/io/errors";
import { Errno } from "../vfs/errors";
import { command, complain, Failure } from "./command";
import { close, openReader } from "./files";
import { type Options, UsageFault } from "./options";
import { parseSize } from "./sizes";

const TABLE = {
  printBytes: ["-b, --print-bytes", "print bytes that differ"],
  skip: ["-i, --ignore-initial=SKIP", "skip the first SKIP bytes, or SKIP1:SKIP2"],
  verbose: ["-l, --verbose", "print the numbers and values of all bytes that differ"],
  most: ["-n, --bytes=LIMIT", "compare LIMIT bytes at most"],
  silent: ["-s, --quiet, --silent", "print nothing"],
} as const;

type Given = Options<typeof TABLE>;

const TROUBLE = 2;
const NEWLINE = 10;

/** A byte as `cat -v` shows it. */
function visible(byte: number): string {
  if (byte >= 128) return `M-${visible(byte - 128)}`;
  if (byte < 32) return `^${String.fromCharCode(byte + 64)}`;
  return byte === 127 ? "^?" : String.fromCharCode(byte);
}

const octal = (byte: number): string => byte.toString(8).padStart(3);

/** A file that is read in stretches. */
class Source {
  private held = new Uint8Array(0);
  constructor(
    readonly name: string,
    readonly reader: Reader,
  ) {}

  /** What is there, some bytes at least; empty at the end. */
  async peek(): Promise<Uint8Array> {
    if (this.held.length === 0) this.held = (await this.reader.chunk()).slice();
    return this.held;
  }

  take(count: number): void {
    this.held = this.held.subarray(count);
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      const { length } = await this.peek();
      if (length === 0) return;
      this.take(Math.min(length, left));
      left -= length;
    }
  }
}

class Comparer {
  private at = 0;
  private line = 1;
  private differs = false;
  private endsLine = false;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    private readonly sources: readonly [Source, Source],
    private readonly most: number,
    private readonly width: number,
  ) {}

  async run(): Promise<number> {
    const [left, right] = this.sources;
    while (this.at < this.most) {
      const [a, b] = [await left.peek(), await right.peek()];
      if (a.length === 0 || b.length === 0) return this.ended(a.length, b.length);
      const length = Math.min(a.length, b.length, this.most - this.at);
      if (await this.stretch(a.subarray(0, length), b.subarray(0, length))) return 1;
      left.take(length);
      right.take(length);
      this.at += length;
      await this.process.pause();
    }
    return this.differs ? 1 : 0;
  }

  /** Whether the comparison is over. */
  private async stretch(a: Uint8Array, b: Uint8Array): Promise<boolean> {
    const equal = native.bytes.compare(a, b) === 0;
    const verbose = this.options.has("verbose");
    let text = "";
    for (let i = 0; i < a.length && !equal; i += 1) {
      if (a[i] === b[i]) continue;
      this.differs = true;
      if (this.options.has("silent")) return true;
      if (!verbose) {
        this.countLines(a.subarray(0, i));
        this.first(this.at + i + 1, a[i]!, b[i]!);
        return true;
      }
      text += this.detail(this.at + i + 1, a[i]!, b[i]!);
    }
    if (text !== "") await this.process.stdout.write(text);
    if (!verbose) this.countLines(a);
    this.endsLine = a.at(-1) === NEWLINE;
    return false;
  }

  private countLines(bytes: Uint8Array): void {
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) this.line += 1;
  }

  private first(number: number, a: number, b: number): void {
    const [left, right] = this.sources;
    const bytes = this.options.has("printBytes") ? ` is ${octal(a)} ${visible(a)} ${octal(b)} ${visible(b)}` : "";
    this.process.stdout.print(`${left.name} ${right.name} differ: byte ${number}, line ${this.line}${bytes}\n`);
  }

  private detail(number: number, a: number, b: number): string {
    const place = String(number).padStart(this.width);
    if (!this.options.has("printBytes")) return `${place} ${octal(a)} ${octal(b)}\n`;
    return `${place} ${octal(a)} ${visible(a).padEnd(4)} ${octal(b)} ${visible(b)}\n`;
  }

  /** One of the files, or both, are over. */
  private ended(a: number, b: number): number {
    if (a === 0 && b === 0) return this.differs ? 1 : 0;
    const short = this.sources[a === 0 ? 0 : 1].name;
    if (this.options.has("silent")) return 1;
    if (this.at === 0) complain(this.process, `EOF on ${short} which is empty`);
    else if (this.options.has("verbose")) complain(this.process, `EOF on ${short} after byte ${this.at}`);
    else complain(this.process, `EOF on ${short} after byte ${this.at}, ${this.endsLine ? `line ${this.line - 1}` : `in line ${this.line}`}`);
    return 1;
  }
}

function size(text: string, what: string): number {
  const value = parseSize(text);
  if (value === undefined) throw new UsageFault(`invalid ${what} value '${text}'`);
  return Number(value);
}

/** With -s, a file that can't be read is no more than a status. */
function opened(process: Process, name: string, silent: boolean): Source | undefined {
  try {
    return new Source(name, openReader(process, name));
  } catch (error) {
    if (silent && error instanceof Errno) return undefined;
    throw new Failure(`${name}: ${describeErrno(error)}`, TROUBLE);
  }
}

function widthOf(sources: readonly Source[], most: number): number {
  const sizes = sources.map(({ reader }) => reader.file.node?.size ?? 0).filter((bytes) => bytes > 0);
  const largest = Math.min(most, ...(sizes.length > 0 ? sizes : [0]));
  return Number.isFinite(largest) && largest > 0 ? String(largest).length : 1;
}

export const cmp = command({
  name: "cmp",
  usage: "[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]",
  about: "Compare two files byte by byte. Status 0: they are the same, 1: they differ, 2: trouble.",
  options: TABLE,
  failure: TROUBLE,
  async run(process, options, operands) {
    const [first, second = "-", ...skipped] = operands;
    if (first === undefined) throw new UsageFault("missing operand after 'cmp'");
    if (skipped.length > 2) throw new UsageFault(`extra operand '${skipped[2]}'`);
    if (options.has("verbose") && options.has("silent")) throw new UsageFault("options -l and -s are incompatible");
    const initial = options.value("skip")?.split(":") ?? [];
    const skips = [skipped[0] ?? initial[0] ?? "0", skipped[1] ?? initial[1] ?? (skipped[0] === undefined ? initial[0] : undefined) ?? "0"];
    const counts = skips.map((text) => size(text, "--ignore-initial"));
    const most = options.has("most") ? size(options.value("most")!, "--bytes") : Number.POSITIVE_INFINITY;
    if (first === "-" && second === "-") return 0;
    const silent = options.has("silent");
    const [left, right] = [opened(process, first, silent), opened(process, second, silent)];
    if (!left || !right) return TROUBLE;
    const sources = [left, right] as const;
    try {
      for (const [i, source] of sources.entries()) await source.skip(counts[i]!);
      return await new Comparer(process, options, sources, most, widthOf(sources, most)).run();
    } finally {
      for (const { reader } of sources) if (reader !== process.stdin) close(reader);
    }
  },
});
