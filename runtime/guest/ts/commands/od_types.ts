/** The formats of od -t. */

import { Failure } from "./command";
import { quoted } from "./sizes";

/** A format as c/filters/od.c reads it. */
export interface DumpType {
  readonly letter: string;
  /** Bytes of a field. */
  readonly size: number;
  /** Columns of a field, without the blank in front. */
  readonly width: number;
  /** Whether the characters are printed at the end of the line. */
  readonly text: boolean;
}

const WIDTHS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  d: { 1: 4, 2: 6, 4: 11, 8: 20 },
  u: { 1: 3, 2: 5, 4: 10, 8: 20 },
  o: { 1: 3, 2: 6, 4: 11, 8: 22 },
  x: { 1: 2, 2: 4, 4: 8, 8: 16 },
};

const FLOATS: Readonly<Record<number, number>> = { 4: 15, 8: 24 };
const LETTERS: Readonly<Record<string, number>> = { C: 1, S: 2, I: 4, L: 8, F: 4, D: 8 };

/** `x1z`, `dSox2`: one type or more. */
export function parseTypes(text: string): DumpType[] {
  const types: DumpType[] = [];
  let rest = text;
  for (const match of text.matchAll(/([acdfoux])([CSILFD]|\d+)?(z?)/gy)) {
    const [whole, letter, given, mark] = match as unknown as [string, string, string | undefined, string];
    rest = rest.slice(whole.length);
    types.push(typeOf(text, letter, given, mark === "z"));
  }
  if (rest !== "" || text === "") throw new Failure(`invalid character '${rest[0] ?? ""}' in type string ${quoted(text)}`);
  return types;
}

function typeOf(whole: string, letter: string, given: string | undefined, text: boolean): DumpType {
  if ((letter === "a" || letter === "c") && given !== undefined) throw new Failure(`invalid character '${given[0]!}' in type string ${quoted(whole)}`);
  if (letter === "a" || letter === "c") return { letter, size: 1, width: 3, text };
  const size = given === undefined ? (letter === "f" ? 8 : 4) : (LETTERS[given] ?? Number(given));
  const width = letter === "f" ? FLOATS[size] : WIDTHS[letter]![size];
  if (width !== undefined) return { letter, size, width, text };
  const kind = letter === "f" ? "floating point" : "integral";
  throw new Failure(`invalid type string ${quoted(whole)};\nthis system doesn't provide a ${size}-byte ${kind} type`);
}
