/** printf's formats, taken apart once for all their uses. */

import { type Directive, parseFlags } from "../format/directive";
import { byteCharacter } from "./escapes";

/** A conversion; `*` stands for a width or precision that is an argument. */
export interface Conversion {
  readonly directive: Directive;
  readonly widthGiven: boolean;
  readonly precisionGiven: boolean;
  /** Of `%(…)T`. */
  readonly time: string | undefined;
  /** As spelled, for the message where there is no such conversion. */
  readonly letter: string;
  /** Neither flags nor widths. */
  readonly plain: boolean;
}

/** Thrown as an error once the format has been worked through up to here. */
export interface Fault {
  readonly fault: string;
}

export type Step = string | Conversion | Fault;

/** Widths and precisions above that print nothing, as C's printf fails on them. */
export const INT_MOST = 2 ** 31 - 1;

const DIRECTIVE = /%(?:%|([-+ #0']*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:hh|h|ll|l|L|q(?=[diouxXeEfFgGaA])|j|z|t)?(?:\(([^)]*)\)(T)|([a-zA-Z]))?)/y;
const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([^]))/uy;
const SIMPLE: Readonly<Record<string, string>> = {
  a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\", '"': '"', "'": "'", "?": "?",
};

const KEPT_MOST = 64;
const kept = new Map<string, readonly Step[]>();

/** The steps of a format; scripts use few formats, and each many times. */
export function stepsOf(format: string): readonly Step[] {
  const known = kept.get(format);
  if (known) return known;
  const steps = parse(format);
  if (kept.size >= KEPT_MOST) kept.clear();
  kept.set(format, steps);
  return steps;
}

function parse(format: string): Step[] {
  const steps: Step[] = [];
  let text = "";
  for (let at = 0; at < format.length; ) {
    const character = format[at]!;
    if (character !== "%" && character !== "\\") {
      const end = nextSpecial(format, at);
      text += format.slice(at, end);
      at = end;
      continue;
    }
    const [step, length] = character === "%" ? directive(format, at) : escape(format, at);
    at += length;
    if (typeof step === "string") {
      text += step;
      continue;
    }
    if (text !== "") steps.push(text);
    text = "";
    steps.push(step);
  }
  if (text !== "") steps.push(text);
  return steps;
}

function nextSpecial(format: string, from: number): number {
  let at = from + 1;
  while (at < format.length && format[at] !== "%" && format[at] !== "\\") at += 1;
  return at;
}

function escape(format: string, at: number): [text: string, length: number] {
  ESCAPE.lastIndex = at;
  const match = ESCAPE.exec(format);
  if (!match) return ["\\", 1];
  const [whole, octal, hex, short, long, simple] = match;
  const code = short ?? long;
  if (octal !== undefined) return [byteCharacter(Number.parseInt(octal, 8) & 255), whole.length];
  if (hex !== undefined) return [byteCharacter(Number.parseInt(hex, 16)), whole.length];
  return [code !== undefined ? String.fromCodePoint(Number.parseInt(code, 16)) : (SIMPLE[simple!] ?? whole), whole.length];
}

function directive(format: string, at: number): [step: Step, length: number] {
  DIRECTIVE.lastIndex = at;
  const [whole, flags = "", width, precision, time, timed, letter] = DIRECTIVE.exec(format)!;
  if (whole === "%%") return ["%", 2];
  const conversion = timed ?? letter;
  if (conversion === undefined) return [{ fault: faultOf(format, at, whole.length) }, whole.length];
  const columns = width === undefined || width === "*" ? 0 : Number(width);
  const places = precision === undefined || precision === "*" || Number(precision) < 0 ? undefined : Number(precision);
  const parsed: Directive = { ...parseFlags(flags), width: columns, precision: places, conversion };
  const plain = flags === "" && width === undefined && precision === undefined;
  const step = { directive: parsed, widthGiven: width === "*", precisionGiven: precision === "*", time, letter: whole.at(-1)!, plain };
  return [step, whole.length];
}

function faultOf(format: string, at: number, length: number): string {
  if (at + length >= format.length) return `\`${format.slice(at)}': missing format character`;
  return `\`${format.charAt(at + length)}': invalid format character`;
}
