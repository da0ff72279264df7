/** What is written with a hyphen or plus in front, behind `declare`, `export` and the like. */

import { ShellError } from "../run/errors";
import { CAPITAL, EXPORTED, INTEGER, LOWER, NAMEREF, READONLY, TRACED, UPPER } from "../run/variable";

/** The bits of a variable that letters stand for. */
export const ATTRIBUTES: Readonly<Record<string, number>> = {
  i: INTEGER, n: NAMEREF, r: READONLY, t: TRACED, x: EXPORTED, c: CAPITAL, l: LOWER, u: UPPER,
};

/** What words like `-ax` and `+i` ask for, as letters and as attributes. */
interface Flags {
  readonly flags: ReadonlySet<string>;
  readonly off: ReadonlySet<string>;
  readonly attributesOn: number;
  readonly attributesOff: number;
}

/** By the words: scripts have few, each of them often. */
const KEPT_MOST = 64;
const kept = new Map<string, Flags>();

/** Splits `-ax +i` and the like from the operands; letters that are not `known` are refused. */
export function readFlags(args: readonly string[], name: string, known: string, usage: string): Flags & { operands: readonly string[] } {
  let end = 0;
  while (end < args.length && args[end] !== "--" && isFlag(args[end]!)) end += 1;
  const key = end === 1 ? args[0]! : args.slice(0, end).join(" ");
  const operands = args.slice(args[end] === "--" ? end + 1 : end);
  return { ...(kept.get(known + key) ?? parseFlags(args.slice(0, end), name, known, usage, known + key)), operands };
}

function isFlag(word: string): boolean {
  return word.length > 1 && (word.startsWith("-") || word.startsWith("+"));
}

function parseFlags(words: readonly string[], name: string, known: string, usage: string, key: string): Flags {
  const flags = new Set<string>();
  const off = new Set<string>();
  for (const word of words) {
    for (const letter of word.slice(1)) {
      if (!known.includes(letter)) {
        throw new ShellError(`${name}: ${word.charAt(0)}${letter}: invalid option\n${name}: usage: ${name === "local" ? "local [option] name[=value] ..." : usage.replace(/declare/g, name)}`, 2);
      }
      (word.startsWith("-") ? flags : off).add(letter);
    }
  }
  const parsed = { flags, off, attributesOn: attributesOf(flags), attributesOff: attributesOf(off) };
  if (kept.size >= KEPT_MOST) kept.clear();
  kept.set(key, parsed);
  return parsed;
}

function attributesOf(letters: ReadonlySet<string>): number {
  let bits = 0;
  for (const letter of letters) bits |= ATTRIBUTES[letter] ?? 0;
  return bits;
}
