import { command, complain, Failure } from "./command";
import { openReader } from "./files";
import { describeErrno } from "../shell/io/errors";
import type { Process } from "../shell/process";
import { UsageFault } from "./options";
import { quoted } from "./sizes";
import { byteText } from "./byte_text";

class Item {
  before = 0;
  readonly after: Item[] = [];
  printed = false;

  constructor(readonly name: string) {}
}

async function wordsOf(process: Process, name: string): Promise<string[]> {
  try {
    return (await openReader(process, name).text()).split(/[ \t\n]+/).filter(Boolean);
  } catch (error) {
    throw new Failure(`${name}: ${describeErrno(error)}`);
  }
}

function graphOf(words: readonly string[]): Item[] {
  const items = new Map<string, Item>();
  const itemOf = (name: string): Item => {
    const known = items.get(name) ?? new Item(name);
    items.set(name, known);
    return known;
  };
  for (let at = 0; at < words.length; at += 2) {
    const [left, right] = [itemOf(words[at]!), itemOf(words[at + 1]!)];
    if (left === right) continue;
    left.after.push(right);
    right.before += 1;
  }
  return [...items].map(([name, item]) => [byteText(name), item] as const).sort(([left], [right]) => (left < right ? -1 : 1)).map(([, item]) => item);
}

/** A loop among the items that are left, each before the next. */
function findLoop(items: readonly Item[]): Item[] {
  const predecessor = new Map<Item, Item>();
  for (const item of items) if (!item.printed) for (const next of item.after) if (!next.printed && !predecessor.has(next)) predecessor.set(next, item);
  const seen = new Set<Item>();
  let at = items.find((item) => !item.printed && item.before > 0)!;
  while (!seen.has(at)) {
    seen.add(at);
    at = predecessor.get(at)!;
  }
  const loop = [at];
  for (let other = predecessor.get(at)!; other !== at; other = predecessor.get(other)!) loop.unshift(other);
  return loop;
}

/** Takes one relation out of a loop. */
function breakLoop(loop: readonly Item[]): void {
  const [first, last] = [loop[0]!, loop.at(-1)!];
  last.after.splice(last.after.indexOf(first), 1);
  first.before -= 1;
}

export const tsort = command({
  name: "tsort",
  usage: "[FILE]",
  about: "Print the items of a partial order, given as pairs, in an order that agrees with it.",
  options: {},
  async run(process, _options, operands) {
    if (operands.length > 1) throw new UsageFault(`extra operand ${quoted(operands[1]!)}`);
    const name = operands[0] ?? "-";
    const words = await wordsOf(process, name);
    if (words.length % 2 === 1) throw new Failure(`${name}: input contains an odd number of tokens`);
    const items = graphOf(words);
    let status = 0;
    let left = items.length;
    const ready = items.filter((item) => item.before === 0);
    while (left > 0) {
      for (let item = ready.shift(); item; item = ready.shift()) {
        process.stdout.print(`${item.name}\n`);
        item.printed = true;
        left -= 1;
        // Later relations were given last and are undone first.
        for (const next of [...item.after].reverse()) if (--next.before === 0) ready.push(next);
      }
      if (left === 0) break;
      const loop = findLoop(items);
      complain(process, `${name}: input contains a loop:`);
      for (const item of loop) complain(process, item.name);
      status = 1;
      breakLoop(loop);
      ready.push(...loop.filter((item) => item.before === 0 && !item.printed));
    }
    return status;
  },
});
