/** The formats of od -t. */

import { Failure } from "./command";
import { quoted } from "./sizes";

export interface DumpType {
  /** Bytes of a field. */
  readonly size: number;
  /** Columns of a field, without the blank in front. */
  readonly width: number;
  /** Whether the characters are printed at the end of the line. */
  readonly text: boolean;
  show(view: DataView, at: number, littleEndian: boolean): string;
}

const ESCAPES: Readonly<Record<number, string>> = { 0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r" };
const NAMES =
  "nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp".split(" ");

const octal = (byte: number): string => byte.toString(8).padStart(3, "0");

export function showCharacter(byte: number): string {
  return ESCAPES[byte] ?? (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : octal(byte));
}

function showName(byte: number): string {
  const low = byte & 127;
  return low === 127 ? "del" : (NAMES[low] ?? String.fromCharCode(low));
}

function unsigned(view: DataView, at: number, size: number, little: boolean): bigint {
  if (size === 1) return BigInt(view.getUint8(at));
  if (size === 2) return BigInt(view.getUint16(at, little));
  return size === 4 ? BigInt(view.getUint32(at, little)) : view.getBigUint64(at, little);
}

/** The fewest digits that read back as the same number, as `%g` lays them out. */
export function shortest(value: number, size: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const same = (text: string): boolean => (size === 4 ? Math.fround(Number(text)) === value : Number(text) === value);
  const isNormal = Math.abs(value) >= (size === 4 ? 2 ** -126 : 2 ** -1022);
  let digits = !isNormal ? 1 : size === 4 ? 6 : 15;
  while (digits < 17 && !same(value.toExponential(digits - 1))) digits += 1;
  if (Object.is(value, -0)) return "-0";
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
  const power = Number(exponent);
  if (value !== 0 && (power < -4 || power >= digits)) {
    const bare = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    return `${bare}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const plain = value.toFixed(Math.max(0, digits - 1 - power));
  return plain.includes(".") ? plain.replace(/\.?0+$/, "") : plain;
}

const WIDTHS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  d: { 1: 4, 2: 6, 4: 11, 8: 20 },
  u: { 1: 3, 2: 5, 4: 10, 8: 20 },
  o: { 1: 3, 2: 6, 4: 11, 8: 22 },
  x: { 1: 2, 2: 4, 4: 8, 8: 16 },
};

const SHOW: Readonly<Record<string, (value: bigint, size: number, width: number) => string>> = {
  d: (value, size) => BigInt.asIntN(size * 8, value).toString(),
  u: (value) => value.toString(),
  o: (value, _size, width) => value.toString(8).padStart(width, "0"),
  x: (value, _size, width) => value.toString(16).padStart(width, "0"),
};

const FLOATS: Readonly<Record<number, number>> = { 4: 15, 8: 24 };
const LETTERS: Readonly<Record<string, number>> = { C: 1, S: 2, I: 4, L: 8, F: 4, D: 8 };

function integers(letter: string, size: number, text: boolean): DumpType {
  const width = WIDTHS[letter]![size]!;
  const show = SHOW[letter]!;
  return { size, width, text, show: (view, at, little) => show(unsigned(view, at, size, little), size, width) };
}

function floats(size: number, text: boolean): DumpType {
  return {
    size,
    width: FLOATS[size]!,
    text,
    show: (view, at, little) => shortest(size === 4 ? view.getFloat32(at, little) : view.getFloat64(at, little), size),
  };
}

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
  if (letter === "a") return { size: 1, width: 3, text, show: (view, at) => showName(view.getUint8(at)) };
  if (letter === "c") return { size: 1, width: 3, text, show: (view, at) => showCharacter(view.getUint8(at)) };
  const size = given === undefined ? (letter === "f" ? 8 : 4) : (LETTERS[given] ?? Number(given));
  if (letter === "f" && size in FLOATS) return floats(size, text);
  if (letter !== "f" && size in WIDTHS["d"]!) return integers(letter, size, text);
  const kind = letter === "f" ? "floating point" : "integral";
  throw new Failure(`invalid type string ${quoted(whole)};\nthis system doesn't provide a ${size}-byte ${kind} type`);
}
