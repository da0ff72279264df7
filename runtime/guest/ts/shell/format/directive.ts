/** printf's directives: how they are spelled, and how numbers and texts are laid out by them. */

import { native } from "../../bridge/native";
import { type Extended, fixed, general, hexadecimal, scientific } from "./extended";
import { plainFixed } from "./plain";

export interface Directive {
  readonly left: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternate: boolean;
  readonly zero: boolean;
  /** `'`: groups of thousands, which the C locale does not have. */
  readonly grouped: boolean;
  readonly width: number;
  readonly precision: number | undefined;
  readonly conversion: string;
}

export function parseFlags(flags: string): Pick<Directive, "left" | "plus" | "space" | "alternate" | "zero" | "grouped"> {
  const has = (flag: string): boolean => flags.includes(flag);
  return { left: has("-"), plus: has("+"), space: has(" "), alternate: has("#"), zero: has("0"), grouped: has("'") };
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Widths and precisions count bytes, as bash counts them. */
function lengthOf(text: string): number {
  return isAscii(text) ? text.length : native.text.encode(text).length;
}

/** Its first bytes. */
export function cutText(text: string, bytes: number | undefined): string {
  if (bytes === undefined || lengthOf(text) <= bytes) return text;
  return isAscii(text) ? text.slice(0, bytes) : native.text.decode(native.text.encode(text).subarray(0, bytes));
}

/** Fills up to the width, on the side that the flags say; `prefix` (a sign, 0x) stays in front of zeros. */
export function pad(text: string, directive: Directive, prefix = "", zeros = false, length = lengthOf(text)): string {
  if (directive.width === 0) return prefix + text;
  const missing = directive.width - length - prefix.length;
  if (missing <= 0) return prefix + text;
  if (directive.left) return prefix + text + " ".repeat(missing);
  return zeros ? prefix + "0".repeat(missing) + text : " ".repeat(missing) + prefix + text;
}

export function formatText(text: string, directive: Directive): string {
  return pad(cutText(text, directive.precision), directive);
}

function sign(negative: boolean, { plus, space }: Directive): string {
  return negative ? "-" : plus ? "+" : space ? " " : "";
}

const MINUS = 45;

const RADIX: Readonly<Record<string, number>> = { o: 8, x: 16, X: 16, u: 10 };

/** `d i o u x X` of a 64-bit integer. */
export function formatInteger(value: bigint, directive: Directive): string {
  const { conversion, precision, alternate, zero } = directive;
  const signed = conversion === "d" || conversion === "i";
  const magnitude = signed ? (value < 0n ? -value : value) : BigInt.asUintN(64, value);
  let digits = magnitude.toString(RADIX[conversion] ?? 10);
  if (conversion === "X") digits = digits.toUpperCase();
  if (precision !== undefined) digits = magnitude === 0n && precision === 0 ? "" : digits.padStart(precision, "0");
  let prefix = signed ? sign(value < 0n, directive) : "";
  if (alternate && conversion === "o" && !digits.startsWith("0")) digits = `0${digits}`;
  if (alternate && magnitude !== 0n && RADIX[conversion] === 16) prefix = `0${conversion}`;
  return pad(digits, directive, prefix, zero && precision === undefined);
}

/** A whole number without zeros in front, as `d` and `i` print it; only what has no precision. */
export function formatDecimal(text: string, directive: Directive): string {
  const negative = text.charCodeAt(0) === MINUS;
  const digits = negative ? text.slice(1) : text;
  return pad(digits, directive, sign(negative, directive), directive.zero, digits.length);
}

/** `f` of a number in its plainest spelling; undefined for others. */
export function formatPlainFloat(text: string, directive: Directive): string | undefined {
  const { conversion, precision = 6, alternate, zero } = directive;
  const plain = conversion === "f" && !alternate ? plainFixed(text, precision) : undefined;
  return plain && pad(plain[1], directive, sign(plain[0] !== "", directive), zero, plain[1].length);
}

/** `e f g a` and their capitals. */
export function formatFloat(value: Extended, directive: Directive): string {
  const { conversion, precision, alternate, zero } = directive;
  const lower = conversion.toLowerCase();
  let text: string;
  if (value.special) text = value.special;
  else if (lower === "f") text = fixed(value, precision ?? 6, alternate);
  else if (lower === "e") text = scientific(value, precision ?? 6, alternate);
  else if (lower === "g") text = general(value, precision ?? 6, alternate);
  else text = hexadecimal(value, precision);
  if (conversion !== lower) text = text.toUpperCase();
  return pad(text, directive, sign(value.negative, directive), zero && !value.special);
}
