/** Words that options take: a word of a table, or as much of its start as tells it from others. */

import { UsageFault } from "./options";
import { quoted } from "./sizes";

/** GNU's commands end with this status, whatever that of other wrong command lines is. */
const STATUS = 1;

/** Words that mean the same stand on one line. */
function listed<T>(table: Readonly<Record<string, T>>): string {
  const lines = Map.groupBy(Object.keys(table), (word) => table[word]);
  return [...lines.values()].map((words) => `\n  - ${words.map(quoted).join(", ")}`).join("");
}

/** What a word stands for; the words of `table` are in the order in which they are told of. */
export function choose<T>(table: Readonly<Record<string, T>>, given: string, option: string): T {
  if (Object.hasOwn(table, given)) return table[given]!;
  const near = new Set(Object.keys(table).filter((word) => word.startsWith(given)).map((word) => table[word]!));
  if (near.size === 1) return [...near][0]!;
  const how = near.size === 0 ? "invalid" : "ambiguous";
  throw new UsageFault(`${how} argument ${quoted(given)} for ${quoted(option)}\nValid arguments are:${listed(table)}`, true, STATUS);
}

/** A table of words that stand for themselves. */
export const themselves = <const W extends string>(...words: W[]): Readonly<Record<W, W>> => Object.fromEntries(words.map((word) => [word, word])) as Record<W, W>;
