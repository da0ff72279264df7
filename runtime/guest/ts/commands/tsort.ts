import { command, complain, Failure } from "./command";
import type { Process } from "../shell/process";
import { UsageFault } from "./options";
import { quoted } from "./sizes";
import { byteText } from "./byte_text";
import { openNamed } from "./named";

class Item {
  before = 0;
  readonly after: Item[] = [];

  constructor(readonly name: string) {}
}

async function wordsOf(process: Process, name: string): Promise<string[]> {
  return (await openNamed(process, name).text()).split(/[ \t\n]+/).filter(Boolean);
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

interface Loop {
  readonly items: readonly Item[];
  /** The relation to leave out: from the last to the first. */
  readonly from: Item;
  readonly to: Item;
}

/** A loop among the items that are left, found backwards from the first of them, in as many rounds as it takes. */
function findLoop(items: readonly Item[]): Loop {
  const left = items.filter((item) => item.before > 0);
  const next = new Map<Item, Item>();
  let end = left[0]!;
  for (;;) {
    for (const item of left) {
      if (!item.after.includes(end)) continue;
      if (next.has(item)) return { items: chain(end, item, next), from: item, to: end };
      next.set(item, end);
      end = item;
    }
  }
}

function chain(first: Item, last: Item, next: ReadonlyMap<Item, Item>): Item[] {
  const items = [first];
  for (let at = first; at !== last; items.push(at)) at = next.get(at)!;
  return items;
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
    for (let at = 0; left > 0; ) {
      for (let item = ready[at]; item; item = ready[at]) {
        at += 1;
        process.stdout.print(`${item.name}\n`);
        left -= 1;
        // Later relations were given last and are undone first.
        for (const next of [...item.after].reverse()) if (--next.before === 0) ready.push(next);
      }
      if (left === 0) break;
      const loop = findLoop(items);
      complain(process, `${name}: input contains a loop:`);
      for (const item of loop.items) complain(process, item.name);
      status = 1;
      loop.from.after.splice(loop.from.after.indexOf(loop.to), 1);
      if (--loop.to.before === 0) ready.push(loop.to);
    }
    return status;
  },
});
