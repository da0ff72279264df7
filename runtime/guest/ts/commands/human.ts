/** Sizes as ls, du and df print them: in blocks of some size, or as short as `1.1K`. Everything is rounded up. */

import { type Inode, Symlink } from "../vfs/inode";
import { describe } from "../vfs/status";
import { Failure } from "./command";
import { parseSize, quoted } from "./sizes";

const LETTERS = ["", "K", "M", "G", "T", "P", "E", "Z", "Y"];

export interface Scale {
  /** Bytes of a unit; 0 where each number has the unit that suits it. */
  readonly unit: number;
  readonly base: 1000 | 1024;
  /** Behind each number. */
  readonly suffix: string;
}

export const BYTES: Scale = { unit: 1, base: 1024, suffix: "" };
export const KIBIBYTES: Scale = { unit: 1024, base: 1024, suffix: "" };
export const HUMAN: Scale = { unit: 0, base: 1024, suffix: "" };
export const SI: Scale = { unit: 0, base: 1000, suffix: "" };

export function scaled(bytes: number, { unit, base, suffix }: Scale): string {
  return unit === 0 ? human(bytes, base) : `${Math.ceil(bytes / unit)}${suffix}`;
}

function human(bytes: number, base: 1000 | 1024): string {
  let unit = 1;
  let power = 0;
  while (Math.ceil(bytes / unit) >= base && power < LETTERS.length - 1) {
    unit *= base;
    power += 1;
  }
  if (power === 0) return String(bytes);
  const tenths = Math.ceil((bytes * 10) / unit);
  const letter = base === 1000 && power === 1 ? "k" : LETTERS[power]!;
  return (tenths < 100 ? (tenths / 10).toFixed(1) : String(Math.ceil(bytes / unit))) + letter;
}

/** What `--block-size` says; `option` is for the message. */
export function parseScale(text: string, option = "--block-size"): Scale {
  const word = text.replace(/^'/, "");
  if (word === "human-readable" || word === "human") return HUMAN;
  if (word === "si") return SI;
  const bare = /^[a-zA-Z]/.test(word);
  const size = parseSize(bare ? `1${word}` : word);
  if (!size) throw new Failure(`invalid ${option} argument ${quoted(text)}`);
  const suffix = bare ? word.replace(/^k$/, "K").replace(/^KB$/, "kB").replace(/iB$/, "") : "";
  return { unit: size, base: 1024, suffix };
}

/** Bytes of what sectorsOf counts. */
export const SECTOR = 512;

/** What a node takes; the target of a link is within the node. */
export function sectorsOf(node: Inode): number {
  return node instanceof Symlink ? 0 : describe(node).blocks;
}
