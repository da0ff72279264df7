/** Counts with units, as GNU commands take them: 5, 2K, 3MB, 1GiB, 4b. */

import { Failure } from "./command";
import { escaped } from "./quoting";

const UNITS = "kKMGTPEZYRQ";

function factor(unit: string): bigint | undefined {
  if (unit === "") return 1n;
  if (unit === "b") return 512n;
  const [, letter, rest] = /^([kKMGTPEZYRQm])(iB|B|)$/.exec(unit) ?? [];
  if (letter === undefined) return undefined;
  const power = letter === "k" || letter === "K" ? 1 : letter === "m" ? 2 : UNITS.indexOf(letter);
  return (rest === "B" ? 1000n : 1024n) ** BigInt(power);
}

/** The number that `text` spells, no greater than 2 ** 53 - 1; undefined when it spells none. */
export function parseSize(text: string): number | undefined {
  const [, digits, unit] = /^[ \t]*\+?(\d+)(\w*)$/.exec(text) ?? [];
  const by = digits === undefined ? undefined : factor(unit!);
  if (by === undefined) return undefined;
  const size = BigInt(digits!) * by;
  return size > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(size);
}

/** As parseSize; ends the command with `complaint: ‘text’` when it is no size. */
/** What is told of a number that is one, but too small. */
export const OUT_OF_RANGE = ": Numerical result out of range";

export function demandSize(text: string, complaint: string, status = 1): number {
  const size = parseSize(text);
  if (size === undefined) throw new Failure(`${complaint}: ${quoted(text)}`, status);
  return size;
}

/** An argument within a message. */
export function quoted(text: string): string {
  return `‘${escaped(text, "’").slice(1)}`;
}
