/** What sort's -k and its ordering options say. */

import { Failure } from "./command";
import { UsageFault } from "./options";
import { quoted } from "./sizes";

/** As c/filters/sort.h numbers them. */
const KINDS: Readonly<Record<string, number>> = { n: 1, g: 2, h: 3, M: 4, R: 5, V: 6 };
const FLAGS: Readonly<Record<string, number>> = { d: 4, i: 8, f: 16, r: 32 };
const SKIP_START = 1;
const SKIP_END = 2;
const REVERSE = 32;

export interface Ordering {
  flags: number;
  kinds: string[];
}

export interface Key extends Ordering {
  startField: number;
  startChar: number;
  endField: number;
  endChar: number;
}

/** Adds the letter's meaning; `blanks` is which ends -b is for. */
export function addLetter(ordering: Ordering, letter: string, blanks: number): void {
  if (letter === "b") ordering.flags |= blanks;
  else if (letter in KINDS) {
    if (!ordering.kinds.includes(letter)) ordering.kinds.push(letter);
  } else ordering.flags |= FLAGS[letter]!;
}

export const BOTH_ENDS = SKIP_START | SKIP_END;

export function isDefault({ flags, kinds }: Ordering): boolean {
  return kinds.length === 0 && (flags & ~REVERSE) === 0;
}

export function wholeLine(ordering: Ordering): Key {
  return { ...ordering, startField: 0, startChar: 0, endField: -1, endChar: 0 };
}

const POSITION = /^(\d+)(?:\.(\d+))?([a-zA-Z]*)$/;

function position(text: string, whole: string): [field: number, char: number | undefined, letters: string] {
  const match = POSITION.exec(text);
  if (!match) {
    if (!/^\d/.test(text)) throw new Failure(`invalid number at field start: invalid count at start of ${quoted(text)}`, 2);
    throw new Failure(`stray character in field spec: invalid field specification ${quoted(whole)}`, 2);
  }
  const [, field, char, letters] = match;
  if (Number(field) === 0) throw new Failure(`field number is zero: invalid field specification ${quoted(whole)}`, 2);
  const stray = [...letters!].find((letter) => letter !== "b" && !(letter in KINDS) && !(letter in FLAGS));
  if (stray) throw new Failure(`stray character in field spec: invalid field specification ${quoted(whole)}`, 2);
  return [Math.min(Number(field), 2 ** 30), char === undefined ? undefined : Math.min(Number(char), 2 ** 30), letters!];
}

/** `2`, `2,3n`, `1.3,1.5br`. */
export function parseKey(text: string): Key {
  const [, start, end] = /^([^,]*)(?:,([^]*))?$/.exec(text)!;
  const [field, char = 1, letters] = position(start!, text);
  if (char === 0) throw new Failure(`character offset is zero: invalid field specification ${quoted(text)}`, 2);
  const key: Key = { flags: 0, kinds: [], startField: field - 1, startChar: char - 1, endField: -1, endChar: 0 };
  for (const letter of letters) addLetter(key, letter, SKIP_START);
  if (end === undefined) return key;
  const [endField, endChar = 0, endLetters] = position(end, text);
  key.endField = endField - 1;
  key.endChar = endChar;
  for (const letter of endLetters) addLetter(key, letter, SKIP_END);
  return key;
}

/** A key without letters of its own takes the options'. */
export function inherit(key: Key, ordering: Ordering): Key {
  return isDefault(key) && !(key.flags & REVERSE) ? { ...key, flags: ordering.flags, kinds: ordering.kinds } : key;
}

/** Refuses orders that exclude each other. */
export function checkCompatible({ kinds, flags }: Ordering): void {
  const text = (flags & (FLAGS["d"]! | FLAGS["i"]!)) !== 0;
  const plain = kinds.filter((kind) => kind !== "R" && kind !== "V");
  const versions = kinds.filter((kind) => kind === "R" || kind === "V");
  const groups = plain.length + (text || versions.length > 0 ? 1 : 0) + (versions.length > 1 ? 1 : 0);
  if (groups <= 1) return;
  const letters = [...kinds, ...(flags & FLAGS["d"]! ? ["d"] : []), ...(flags & FLAGS["i"]! ? ["i"] : [])].sort();
  throw new UsageFault(`options '-${letters.join("")}' are incompatible`, false);
}

/** The structures that the filter reads. */
export function encodeKeys(keys: readonly Key[]): Uint8Array {
  const numbers = keys.flatMap((key) => [key.startField, key.startChar, key.endField, key.endChar, key.flags, KINDS[key.kinds[0] ?? ""] ?? 0]);
  return new Uint8Array(Int32Array.from(numbers).buffer);
}

/** `+1 -2` is an old spelling of `-k 2,2`: +POS counts from 0, and -POS is where the key ends. */
export function rewriteKeys(args: readonly string[]): readonly string[] {
  const result: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!;
    if (arg === "--") return [...result, ...args.slice(at)];
    const [, field, char, letters] = /^\+(\d+)(?:\.(\d+))?([a-zA-Z]*)$/.exec(arg) ?? [];
    if (field === undefined) {
      result.push(arg);
      continue;
    }
    const start = `${Number(field) + 1}.${Number(char ?? 0) + 1}${letters!}`;
    const [, endField, endChar, endLetters] = /^-(\d+)(?:\.(\d+))?([a-zA-Z]*)$/.exec(args[at + 1] ?? "") ?? [];
    if (endField === undefined) result.push(`-k${start}`);
    else {
      at += 1;
      const end = Number(endChar ?? 0) === 0 ? `${endField}` : `${Number(endField) + 1}.${endChar}`;
      result.push(`-k${start},${end}${endLetters!}`);
    }
  }
  return result;
}
