/** The sets of tr: bytes, ranges, classes and repetitions. */

import { byteText } from "./byte_text";
import { Failure } from "./command";
import { quoted } from "./sizes";

const ESCAPES: Readonly<Record<string, number>> = { "\\": 92, a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

const span = (first: string, last: string): number[] => {
  const result: number[] = [];
  for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code += 1) result.push(code);
  return result;
};

const UPPER = span("A", "Z");
const LOWER = span("a", "z");
const DIGIT = span("0", "9");
const ALPHABET = [...UPPER, ...LOWER];
const PRINT = span(" ", "~");
const ALNUM = [...DIGIT, ...ALPHABET];

export const CLASSES: Readonly<Record<string, readonly number[]>> = {
  alnum: ALNUM,
  alpha: ALPHABET,
  blank: [9, 32],
  cntrl: [...span("\0", "\x1f"), 127],
  digit: DIGIT,
  graph: PRINT.slice(1),
  lower: LOWER,
  print: PRINT,
  punct: PRINT.slice(1).filter((code) => !ALNUM.includes(code)),
  space: [9, 10, 11, 12, 13, 32],
  upper: UPPER,
  xdigit: [...DIGIT, ...span("A", "F"), ...span("a", "f")],
};

interface Unit {
  readonly byte: number;
  /** Written with a backslash: it is no operator. */
  readonly escaped: boolean;
}

/** A part of a set. */
export interface Part {
  readonly bytes: readonly number[];
  /** The name, for a class. */
  readonly name?: string;
  /** `[c*]`: as often as fills the set up to the other's length. */
  readonly fills?: boolean;
  readonly equivalence?: boolean;
}

function unitsOf(text: string): Unit[] {
  const bytes = byteText(text);
  const units: Unit[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== "\\" || at + 1 === bytes.length) {
      units.push({ byte: bytes.charCodeAt(at), escaped: bytes[at] === "\\" });
      at += 1;
      continue;
    }
    const [octal] = /^[0-3]?[0-7]{1,2}/.exec(bytes.slice(at + 1, at + 4)) ?? [];
    const letter = bytes[at + 1]!;
    units.push({ byte: octal ? Number.parseInt(octal, 8) : (ESCAPES[letter] ?? letter.charCodeAt(0)), escaped: true });
    at += 1 + (octal?.length ?? 1);
  }
  return units;
}

class Parser {
  private readonly units: Unit[];
  /** The bytes as a string in which those that are escaped can't be taken for operators. */
  private readonly plain: string;
  private at = 0;

  constructor(text: string) {
    this.units = unitsOf(text);
    this.plain = this.units.map(({ byte, escaped }) => (escaped ? "\u{100}" : String.fromCharCode(byte))).join("");
  }

  parse(): Part[] {
    const parts: Part[] = [];
    while (this.at < this.units.length) parts.push(this.bracket() ?? this.range() ?? { bytes: [this.units[this.at++]!.byte] });
    return parts;
  }

  private bracket(): Part | undefined {
    if (this.plain[this.at] !== "[") return undefined;
    return this.named() ?? this.repetition();
  }

  private named(): Part | undefined {
    const kind = this.plain[this.at + 1];
    if (kind !== ":" && kind !== "=") return undefined;
    const end = this.plain.indexOf(`${kind}]`, this.at + 2);
    if (end < 0) return undefined;
    const name = this.text(this.at + 2, end);
    const repeats = /^\[[:=]\*\d*\]/.test(this.plain.slice(this.at));
    if (repeats) return undefined;
    if (name === "") throw new Failure(`missing ${kind === ":" ? "character class name '[::]'" : "equivalence class character '[==]'"}`);
    const known = CLASSES[name];
    if (kind === "=" && name.length > 1) throw new Failure(`${name}: equivalence class operand must be a single character`);
    if (kind === ":" && !known) throw new Failure(`invalid character class ${quoted(name)}`);
    this.at = end + 2;
    return kind === "=" ? { bytes: [name.charCodeAt(0)], equivalence: true } : { bytes: known!, name };
  }

  private repetition(): Part | undefined {
    const [whole, digits] = /^\[[^]\*([^\]]*)\]/.exec(this.plain.slice(this.at)) ?? [];
    if (whole === undefined) return undefined;
    if (!/^\d*$/.test(digits!)) throw new Failure(`invalid repeat count ${quoted(digits!)} in [c*n] construct`);
    const { byte } = this.units[this.at + 1]!;
    this.at += whole.length;
    const count = digits === "" ? 0 : Number.parseInt(digits!, digits!.startsWith("0") ? 8 : 10);
    return count === 0 ? { bytes: [byte], fills: true } : { bytes: Array.from({ length: Math.min(count, 65536) }, () => byte) };
  }

  private range(): Part | undefined {
    if (this.plain[this.at + 1] !== "-" || this.at + 2 >= this.units.length) return undefined;
    const [first, last] = [this.units[this.at]!.byte, this.units[this.at + 2]!.byte];
    if (first > last) {
      const shown = (code: number): string => (code >= 32 && code < 127 ? String.fromCharCode(code) : `\\${code.toString(8).padStart(3, "0")}`);
      throw new Failure(`range-endpoints of '${shown(first)}-${shown(last)}' are in reverse collating sequence order`);
    }
    this.at += 3;
    return { bytes: Array.from({ length: last - first + 1 }, (_, index) => first + index) };
  }

  private text(from: number, to: number): string {
    return String.fromCharCode(...this.units.slice(from, to).map(({ byte }) => byte));
  }
}

export function parseSet(text: string): Part[] {
  return new Parser(text).parse();
}

/** All bytes of a set; a part that fills takes what is missing to `length`. */
export function expand(parts: readonly Part[], length = 0): number[] {
  const fixed = parts.reduce((sum, part) => sum + (part.fills ? 0 : part.bytes.length), 0);
  const missing = Math.max(0, length - fixed);
  return parts.flatMap((part) => (part.fills ? Array.from({ length: missing }, () => part.bytes[0]!) : [...part.bytes]));
}

/** All bytes that are not in the set, in order. */
export function complementOf(bytes: readonly number[]): number[] {
  const within = new Set(bytes);
  return Array.from({ length: 256 }, (_, code) => code).filter((code) => !within.has(code));
}
