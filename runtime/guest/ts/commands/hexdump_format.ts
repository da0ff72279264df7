/** hexdump's formats: what -e takes, and what the other options stand for. */

import { type Directive, formatFloat, formatInteger, parseFlags, pad } from "../shell/format/directive";
import { parseExtended } from "../shell/format/extended";
import { Failure } from "./command";
import { showCharacter } from "./od_types";

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
    const own = conversion === "s" ? (precision ? Number(precision) : (size ?? 1)) : usual === 0 ? 0 : (size ?? usual);
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

function integerAt(view: DataView, at: number, size: number, signed: boolean): bigint {
  if (size === 1) return BigInt(signed ? view.getInt8(at) : view.getUint8(at));
  if (size === 2) return BigInt(signed ? view.getInt16(at, true) : view.getUint16(at, true));
  if (size === 4) return BigInt(signed ? view.getInt32(at, true) : view.getUint32(at, true));
  if (size === 8) return signed ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
  throw new Failure(`bad byte count for conversion character: ${size}`);
}

const NAMES = "nul soh stx etx eot enq ack bel bs ht lf vt ff cr so si dle dcl dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us".split(" ");
const text = (directive: Directive, value: string): string => pad(value, { ...directive, zero: false });

const isPrintable = (byte: number): boolean => byte >= 32 && byte < 127;

const SPECIAL: Readonly<Record<string, (byte: number) => string>> = {
  c: (byte) => String.fromCharCode(byte),
  _c: showCharacter,
  _p: (byte) => (isPrintable(byte) ? String.fromCharCode(byte) : "."),
  _u: (byte) => (byte === 127 ? "del" : (NAMES[byte] ?? (isPrintable(byte) ? String.fromCharCode(byte) : byte.toString(16).padStart(2, "0")))),
};

/** A piece's bytes, which are all there, in its words. */
function show(piece: Piece, view: DataView, at: number): string {
  const { conversion, size } = piece;
  const directive = piece.directive!;
  const special = SPECIAL[conversion];
  if (special) return text(directive, special(view.getUint8(at)));
  if (conversion === "s") return text(directive, String.fromCharCode(...new Uint8Array(view.buffer, at, size)).replace(/\0[^]*/, ""));
  if ("eEfgG".includes(conversion)) {
    const value = size === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true);
    return formatFloat(parseExtended(value.toExponential(100))!, directive);
  }
  return formatInteger(integerAt(view, at, size, conversion === "d" || conversion === "i"), directive);
}

/** One block as a format string prints it; of what lies behind `length` only texts are left, and blanks. */
export function showBlock(units: readonly Unit[], view: DataView, length: number, offset: number): string {
  let result = "";
  let at = 0;
  for (const { count, pieces } of units) {
    for (let turn = 1; turn <= count; turn += 1) {
      let shown = "";
      for (const piece of pieces) {
        shown += piece.before + showPiece(piece, view, at, length, offset);
        at += piece.size;
      }
      // A blank behind the last use of what is repeated is left out.
      result += turn === count && count > 1 && pieces.at(-1)!.directive === undefined ? shown.replace(/\s$/, "") : shown;
    }
  }
  return result;
}

function showPiece(piece: Piece, view: DataView, at: number, length: number, offset: number): string {
  const { directive, conversion } = piece;
  if (!directive) return "";
  if (conversion.startsWith("_a")) return formatInteger(BigInt(offset + at), { ...directive, conversion: conversion[2]! });
  return at < length ? show(piece, view, at) : " ".repeat(directive.width);
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
