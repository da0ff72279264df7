import { native } from "../bridge/native";
import type { Process } from "../shell/process";
import { command, Failure } from "./command";
import { close, openReader, openWriter } from "./files";
import { type Options, UsageFault } from "./options";
import { demandSize, quoted } from "./sizes";
import { openNamed } from "./named";

const TABLE = {
  echo: ["-e, --echo", "shuffle the arguments"],
  range: ["-i, --input-range=LO-HI", "shuffle the numbers from LO to HI"],
  count: ["-n, --head-count=COUNT", "print at most COUNT lines"],
  output: ["-o, --output=FILE", "write to FILE"],
  source: ["--random-source=FILE", "take random bytes from FILE"],
  repeat: ["-r, --repeat", "lines can occur again"],
  zero: ["-z, --zero-terminated", "lines end in a NUL byte"],
} as const;

/** Whole numbers below a bound, from random bytes. */
class Dice {
  private view: DataView = new DataView(new ArrayBuffer(0));
  private at = 0;

  /** `source`: bytes to use; without, the guest's own. */
  constructor(private readonly source?: Uint8Array) {
    if (source) this.use(source);
  }

  below(bound: number): number {
    const range = 2 ** 48;
    for (;;) {
      const value = this.word();
      if (value < range - (range % bound)) return value % bound;
    }
  }

  /** 48 bits. */
  private word(): number {
    if (this.at + 6 > this.view.byteLength) this.refill();
    const value = this.view.getUint32(this.at) * 2 ** 16 + this.view.getUint16(this.at + 4);
    this.at += 6;
    return value;
  }

  private refill(): void {
    if (this.source) throw new Failure("random source: end of file");
    const bytes = new Uint8Array(6000);
    native.random.fill(bytes);
    this.use(bytes);
  }

  private use(bytes: Uint8Array): void {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = 0;
  }
}

/** What is shuffled: by index, so that a range needs no list. */
interface Items {
  readonly length: number;
  at(index: number): string;
}

function parseRange(text: string): Items {
  const [, low, high] = /^\s*\+?(\d+)-\s*\+?(\d+)$/.exec(text) ?? [];
  if (low === undefined) throw new Failure(`invalid input range: ${quoted(text)}`);
  const [from, to] = [Number(low), Number(high)];
  if (from > to + 1) throw new Failure(`invalid input range: ${quoted(text)}`);
  return { length: to - from + 1, at: (index) => String(from + index) };
}

async function readLines(process: Process, name: string, end: string): Promise<Items> {
  const reader = openNamed(process, name);
  const lines = native.text.decode(await reader.all()).split(end);
  if (reader !== process.stdin) close(reader);
  if (lines.at(-1) === "") lines.pop();
  return listed(lines);
}

const listed = (items: readonly string[]): Items => ({ length: items.length, at: (index) => items[index]! });

async function itemsOf(process: Process, options: Options<typeof TABLE>, operands: readonly string[], end: string): Promise<Items> {
  const range = options.value("range");
  if (options.has("echo")) {
    if (range !== undefined) throw new UsageFault("cannot combine -e and -i options");
    return listed(operands);
  }
  const most = range === undefined ? 1 : 0;
  if (operands.length > most) throw new UsageFault(`extra operand ${quoted(operands[most]!)}`);
  return range !== undefined ? parseRange(range) : readLines(process, operands[0] ?? "-", end);
}

/** The first `count` of a random order: those that moved are noted, the others are where they were. */
function* shuffled(items: Items, count: number, dice: Dice): Generator<string> {
  const moved = new Map<number, number>();
  for (let at = 0; at < count; at += 1) {
    const other = at + dice.below(items.length - at);
    const chosen = moved.get(other) ?? other;
    moved.set(other, moved.get(at) ?? at);
    moved.delete(at);
    yield items.at(chosen);
  }
}

function* repeated(items: Items, count: number, dice: Dice): Generator<string> {
  for (let at = 0; at < count; at += 1) yield items.at(dice.below(items.length));
}

async function diceOf(process: Process, source: string | undefined): Promise<Dice> {
  if (source === undefined) return new Dice();
  const reader = openReader(process, source);
  const bytes = (await reader.chunk(65536)).slice();
  if (reader !== process.stdin) close(reader);
  return new Dice(bytes);
}

export const shuf = command({
  name: "shuf",
  usage: ["[OPTION]... [FILE]", "-e [OPTION]... [ARG]...", "-i LO-HI [OPTION]..."],
  about: "Print the lines of FILE, or of standard input, in random order.",
  options: TABLE,
  async run(process, options, operands) {
    const end = options.has("zero") ? "\0" : "\n";
    const most = Math.min(...options.list("count").map((text) => demandSize(text, "invalid line count")), Number.MAX_SAFE_INTEGER);
    const items = await itemsOf(process, options, operands, end);
    const dice = await diceOf(process, options.value("source"));
    const repeats = options.has("repeat");
    if (repeats && most > 0 && items.length === 0) throw new Failure("no lines to repeat");
    const output = options.value("output");
    const writer = output === undefined ? process.stdout : openWriter(process, output);
    const chosen = repeats ? repeated(items, most, dice) : shuffled(items, Math.min(most, items.length), dice);
    let gathered = "";
    for (const line of chosen) {
      gathered += line + end;
      if (gathered.length < 32768) continue;
      await writer.write(gathered);
      await process.pause();
      gathered = "";
    }
    await writer.write(gathered);
    if (writer !== process.stdout) close(writer);
    return 0;
  },
});
