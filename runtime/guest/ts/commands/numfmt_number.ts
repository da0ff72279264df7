/** Numbers of numfmt: exact fractions, read and written with units. */

import { quoted } from "./sizes";

/** `numerator / denominator`; the denominator is positive. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export type Scale = "none" | "si" | "iec" | "iec-i" | "auto";
export type Rounding = "up" | "down" | "from-zero" | "towards-zero" | "nearest";

const UNITS = "KMGTPEZY";

export const scaled = ({ numerator, denominator }: Fraction, times: bigint, over = 1n): Fraction => ({ numerator: numerator * times, denominator: denominator * over });

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** Rounds to a whole number. */
export function round({ numerator, denominator }: Fraction, rounding: Rounding | "even"): bigint {
  const whole = numerator / denominator;
  const rest = numerator % denominator;
  if (rest === 0n) return whole;
  const away = whole + (numerator < 0n ? -1n : 1n);
  switch (rounding) {
    case "up":
      return numerator > 0n ? away : whole;
    case "down":
      return numerator < 0n ? away : whole;
    case "from-zero":
      return away;
    case "towards-zero":
      return whole;
    case "even": // as printf rounds
      return 2n * magnitude(rest) > denominator || (2n * magnitude(rest) === denominator && whole % 2n !== 0n) ? away : whole;
    case "nearest":
      return 2n * magnitude(rest) >= denominator ? away : whole;
  }
}

/** A whole number of 10 ** -places as text. */
function decimal(value: bigint, places: number): string {
  const digits = magnitude(value).toString().padStart(places + 1, "0");
  const split = digits.length - places;
  return `${value < 0n ? "-" : ""}${digits.slice(0, split)}${places > 0 ? `.${digits.slice(split)}` : ""}`;
}

export interface Parsed {
  readonly value: Fraction;
  /** Digits behind the point, where no unit follows. */
  readonly places: number;
}

/** The number, or what is wrong with the text. */
export function parseNumber(text: string, scale: Scale): Parsed | string {
  const [whole, sign, digits, fraction] = /^(-?)(\d+)(?:\.(\d*))?/.exec(text) ?? /^(-?)()\.(\d+)/.exec(text) ?? [];
  if (whole === undefined) return `invalid number: ${quoted(text)}`;
  if (digits!.replace(/^0+/, "").length > 33) return `value too large to be converted: ${quoted(text)}`;
  const places = (fraction ?? "").length;
  const value: Fraction = { numerator: BigInt(`${digits}${fraction ?? ""}`) * (sign ? -1n : 1n), denominator: 10n ** BigInt(places) };
  const rest = text.slice(whole.length).replace(/^[ \t]+/, "");
  if (rest === "") return { value, places };
  const power = UNITS.indexOf(rest[0] === "k" ? "K" : rest[0]!) + 1;
  if (power === 0) return `invalid suffix in input: ${quoted(text)}`;
  if (scale === "none") return `rejecting suffix in input: ${quoted(text)} (consider using --from)`;
  const binary = rest[1] === "i";
  if (scale === "iec-i" && !binary) return `missing 'i' suffix in input: ${quoted(text)} (e.g Ki/Mi/Gi)`;
  const used = binary && (scale === "auto" || scale === "iec-i") ? 2 : 1;
  if (rest.length > used) return `invalid suffix in input ${quoted(text)}: ${quoted(rest.slice(used))}`;
  const base = scale === "si" || (scale === "auto" && !binary) ? 1000n : 1024n;
  return { value: scaled(value, base ** BigInt(power)), places: 0 };
}

/** A whole number in the scale's units, rounded up; undefined where plain numbers could be inexact. */
export function showWhole(text: string, scale: Exclude<Scale, "none">): string | undefined {
  if (!/^\d{1,12}$/.test(text)) return undefined;
  const value = Number(text);
  const base = scale === "si" ? 1000 : 1024;
  let [power, unit] = [0, 1];
  for (; value >= base * unit; unit *= base) power += 1;
  if (power === 0) return String(value);
  let tenths = value < 10 * unit ? Math.ceil((10 * value) / unit) : 10 * Math.ceil(value / unit);
  if (tenths >= 10 * base) [tenths, power] = [10, power + 1];
  const number = tenths < 100 ? (tenths / 10).toFixed(1) : String(tenths / 10);
  return number + UNITS[power - 1]! + (scale === "iec-i" ? "i" : "");
}

/** The number in the scale's units; `precision` where one was asked for. */
export function showNumber(value: Fraction, places: number, scale: Scale, rounding: Rounding, precision: number | undefined): string {
  if (scale === "none") {
    const shown = precision ?? places;
    return decimal(round(scaled(value, 10n ** BigInt(shown)), rounding), shown);
  }
  const base = scale === "si" ? 1000n : 1024n;
  let power = 0;
  let at = value;
  while (magnitude(at.numerator) >= base * at.denominator) {
    at = scaled(at, 1n, base);
    power += 1;
  }
  const small = magnitude(at.numerator) < 10n * at.denominator;
  const adjust = precision !== undefined ? Math.min(power * 3, precision) : small ? 1 : 0;
  const ten = 10n ** BigInt(adjust);
  at = { numerator: round(scaled(at, ten), rounding), denominator: ten };
  if (magnitude(at.numerator) >= base * at.denominator) {
    at = scaled(at, 1n, base);
    power += 1;
  }
  const point = at.numerator !== 0n && magnitude(at.numerator) < 10n * at.denominator && power > 0;
  const shown = precision ?? (point ? 1 : 0);
  const unit = power === 0 ? "" : `${UNITS[power - 1]!}${scale === "iec-i" ? "i" : ""}`;
  return decimal(round(scaled(at, 10n ** BigInt(shown)), "even"), shown) + unit;
}
