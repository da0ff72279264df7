import { native } from "../bridge/native";
import type { Process } from "../shell/process";
import { RegularFile } from "../vfs/inode";
import { command, Failure } from "./command";
import { type Dice, diceOf, GuestDice } from "./dice";
import { close, openWriter } from "./files";
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

/** What is shuffled: by index, so that a range needs no list. */
interface Items {
  readonly length: number;
  /** Whether they came from elsewhere than a file. */
  readonly streamed?: boolean;
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
  const streamed = !(reader.file.node instanceof RegularFile);
  if (reader !== process.stdin) close(reader);
  if (lines.at(-1) === "") lines.pop();
  return { ...listed(lines), streamed };
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

/**
 * What GNU's shuf keeps of input whose size it cannot know: each line behind the first `count` takes the place of one of
 * them, or of none. It draws for the line at the end, too.
 */
function sampled(items: Items, count: number, dice: Dice): Items {
  if (count === 0 || items.length < count) return items;
  const kept = Array.from({ length: count }, (_, index) => items.at(index));
  for (let at = count; at <= items.length; at += 1) {
    const place = dice.below(at + 1);
    if (at < items.length && place < count) kept[place] = items.at(at);
  }
  return listed(kept);
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
    const repeats = options.has("repeat");
    const source = options.value("source");
    const dice = source === undefined ? new GuestDice() : await diceOf(process, source, repeats ? most : items.length);
    if (!dice) return 1;
    if (repeats && most > 0 && items.length === 0) throw new Failure("no lines to repeat");
    const output = options.value("output");
    const writer = output === undefined ? process.stdout : openWriter(process, output);
    const samples = source !== undefined && items.streamed && !repeats && options.has("count");
    const drawn = samples ? sampled(items, most, dice) : items;
    const chosen = repeats ? repeated(drawn, most, dice) : shuffled(drawn, Math.min(most, drawn.length), dice);
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
