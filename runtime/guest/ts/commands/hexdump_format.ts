/** hexdump's formats: what -e takes, and what the other options stand for. */

import { native } from "../bridge/native";
import { type Directive, formatInteger, parseFlags } from "../shell/format/directive";
import { byteText } from "./byte_text";
import { Failure } from "./command";
import { words } from "./merging";

/** A directive within a unit, and the text in front of it. */
interface Piece {
  readonly before: string;
  /** undefined for text behind the last directive. */
  readonly directive?: Directive;
  /** `_a` with its radix, `_A`, `_c`, `_p`, `_u`, or a letter of printf. */
  readonly conversion: string;
  /** Bytes that it takes. */
  readonly size: number;
}

/** `16/1 "%02x "`: pieces that are used so many times. */
export interface Unit {
  readonly count: number;
  /** Whether the count was given. */
  readonly counted: boolean;
  readonly pieces: readonly Piece[];
}

const SIZES: Readonly<Record<string, number>> = { c: 1, d: 4, i: 4, o: 4, u: 4, x: 4, X: 4, e: 8, E: 8, f: 8, g: 8, G: 8, s: 1, _c: 1, _p: 1, _u: 1, _a: 0, _A: 0 };
const ESCAPES: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" };

const unescape = (text: string): string => text.replace(/\\([^])/g, (_, letter: string) => ESCAPES[letter] ?? letter);

function parsePieces(format: string, size: number | undefined): Piece[] {
  const pieces: Piece[] = [];
  let text = "";
  let at = 0;
  const directive = /%([-+ #0]*)(\d*)(?:\.(\d*))?(_[aA][dox]|_[cpu]|[cdiouxXeEfgGs])/y;
  while (at < format.length) {
    if (format[at] !== "%" || format[at + 1] === "%") {
      text += format[at];
      at += format[at] === "%" ? 2 : 1;
      continue;
    }
    directive.lastIndex = at;
    const match = directive.exec(format);
    if (!match) throw new Failure(`bad conversion character %${format.slice(at + 1, at + 2)}`);
    const [whole, flags, width, precision, conversion] = match as unknown as [string, string, string, string | undefined, string];
    const usual = SIZES[conversion.slice(0, 2)] ?? SIZES[conversion]!;
    const own = conversion === "s" ? (precision ? Number(precision) : size!) : usual === 0 ? 0 : (size ?? usual);
    if (conversion === "s" && !precision && size === undefined) throw new Failure("%s requires a precision or a byte count");
    const places = precision === undefined ? undefined : Number(precision);
    pieces.push({
      before: text,
      directive: { ...parseFlags(flags), width: Number(width), precision: places, conversion: conversion === "i" ? "d" : conversion },
      conversion,
      size: own,
    });
    text = "";
    at += whole.length;
  }
  if (text !== "") pieces.push({ before: text, conversion: "", size: 0 });
  return pieces;
}

/** `16/1 "%02x " "\n"` */
export function parseFormat(text: string): Unit[] {
  const units: Unit[] = [];
  const unit = /\s*(?:(\d+)\s*)?(?:\/\s*(\d+)\s*)?"((?:[^"\\]|\\[^])*)"\s*/y;
  let at = 0;
  while (at < text.length) {
    unit.lastIndex = at;
    const match = unit.exec(text);
    if (!match) throw new Failure(`bad format {${text}}`);
    const [whole, count, size, format] = match as unknown as [string, string | undefined, string | undefined, string];
    units.push({ count: count === undefined ? 1 : Number(count), counted: count !== undefined, pieces: parsePieces(unescape(format), size === undefined ? undefined : Number(size)) });
    at += whole.length;
  }
  return units;
}

export const unitSize = ({ count, pieces }: Unit): number => count * pieces.reduce((sum, piece) => sum + piece.size, 0);

/** Kinds of pieces, as c/filters/hexdump.c numbers them. */
const KINDS: Readonly<Record<string, number>> = { "": 0, _a: 1, d: 2, i: 2, o: 3, u: 3, x: 3, X: 3, e: 4, E: 4, f: 4, g: 4, G: 4, c: 5, _c: 6, _p: 7, _u: 8, s: 9 };
const FLAGS = { left: "-", plus: "+", space: " ", alternate: "#", zero: "0" } as const;

/** A directive for C's printf. */
function formOf({ conversion, directive }: Piece): string {
  if (!directive) return "";
  const isNumber = /^(?:[diouxX]|_a.)$/.test(conversion);
  const isText = !isNumber && !/^[eEfgG]$/.test(conversion);
  const flags = (Object.keys(FLAGS) as (keyof typeof FLAGS)[]).filter((key) => directive[key] && !(isText && key !== "left")).map((key) => FLAGS[key]);
  const precision = directive.precision === undefined || isText ? "" : `.${directive.precision}`;
  const letter = conversion === "c" ? "c" : isText ? "s" : isNumber ? `ll${conversion.at(-1)!}` : conversion;
  return `%${flags.join("")}${directive.width || ""}${precision}${letter}`;
}

const SIZES_OF_NUMBERS: Readonly<Record<number, readonly number[]>> = { 2: [1, 2, 4, 8], 3: [1, 2, 4, 8], 4: [4, 8] };

/** Formats as the filter reads them. */
export function encodeFormats(formats: readonly (readonly Unit[])[]): { formats: Uint8Array; texts: Uint8Array } {
  let texts = "";
  const numbers: number[] = [];
  const place = (text: string): number => {
    const at = texts.length;
    texts += text;
    return at;
  };
  for (const units of formats) {
    numbers.push(units.length);
    for (const { count, pieces } of units) {
      numbers.push(count, pieces.length);
      for (const piece of pieces) {
        const kind = KINDS[piece.conversion.slice(0, 2)]!;
        if (SIZES_OF_NUMBERS[kind]?.includes(piece.size) === false) throw new Failure(`bad byte count for conversion character ${piece.conversion}`);
        const before = byteText(piece.before);
        numbers.push(place(before), before.length, kind, piece.size, place(`${formOf(piece)}\0`), piece.directive?.width ?? 0);
      }
    }
  }
  return { formats: words(numbers), texts: native.bytes.latin1Encode(texts) };
}

/** Whether the format is for the end alone: it prints the final offset. */
export const isForEnd = (units: readonly Unit[]): boolean => units.some(({ pieces }) => pieces.some(({ conversion }) => conversion.startsWith("_A")));

/** The final offset, where a format asks for it. */
export function showEnd(units: readonly Unit[], offset: number): string {
  return units
    .flatMap(({ pieces }) => pieces)
    .map((piece, index, all) => {
      if (!piece.conversion.startsWith("_A")) return "";
      const after = all[index + 1];
      const number = formatInteger(BigInt(offset), { ...piece.directive!, conversion: piece.conversion[2]! });
      return piece.before + number + (after && !after.directive ? after.before : "");
    })
    .join("");
}
