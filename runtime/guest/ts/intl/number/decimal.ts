/**
 * Exact decimal numbers: what Intl formats. A finite value is ±(digits × 10^scale); digits have no leading zeros, so zero has
 * none at all.
 */

export interface Decimal {
  readonly negative: boolean;
  readonly kind: "finite" | "infinite" | "nan";
  readonly digits: string;
  readonly scale: number;
}

export const NAN: Decimal = { negative: false, kind: "nan", digits: "", scale: 0 };
const LITERAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?$/;
const LARGEST_POWER = 308;

/** The value of an argument of format(): numbers by their shortest spelling, BigInts and decimal strings exactly. */
export function toDecimal(value: unknown): Decimal {
  const primitive = typeof value === "object" || typeof value === "function" ? toPrimitive(value) : value;
  if (typeof primitive === "symbol") throw new TypeError("Cannot convert a Symbol value to a number");
  if (typeof primitive === "bigint") return parseDecimal(String(primitive));
  if (typeof primitive === "string") return parseNumeric(primitive.trim());
  const number = Number(primitive);
  return Object.is(number, -0) ? { ...parseDecimal("0"), negative: true } : parseDecimal(String(number));
}

/** Where the leading digit stands: 0 for 1–9, 3 for thousands, -1 for tenths. Zero counts as 0. */
export function magnitude(value: Decimal): number {
  return value.digits === "" ? 0 : value.digits.length + value.scale - 1;
}

export const isZero = (value: Decimal): boolean => value.kind === "finite" && value.digits === "";

/** The value times a power of ten. */
export function shift(value: Decimal, power: number): Decimal {
  return value.digits === "" ? value : { ...value, scale: value.scale + power };
}

/** The digits before and after the point, with at least so many of each. */
export function toPlain(value: Decimal, minInteger: number, minFraction: number): { integer: string; fraction: string } {
  const { digits, scale } = value;
  const point = digits.length + scale;
  const integer = scale >= 0 ? digits + "0".repeat(scale) : digits.slice(0, Math.max(point, 0));
  const fraction = scale >= 0 ? "" : point >= 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  return { integer: integer.padStart(minInteger, "0"), fraction: fraction.padEnd(minFraction, "0") };
}

/** A finite value from coefficient digits, without zeros on either end. */
export function finite(negative: boolean, digits: string, scale: number): Decimal {
  const leading = /^0*/.exec(digits)?.[0].length ?? 0;
  const trailing = leading === digits.length ? 0 : (/0*$/.exec(digits)?.[0].length ?? 0);
  const kept = digits.slice(leading, digits.length - trailing);
  return { negative, kind: "finite", digits: kept, scale: kept === "" ? 0 : scale + trailing };
}

function parseDecimal(text: string): Decimal {
  const match = LITERAL.exec(text);
  if (match === null) return text.endsWith("Infinity") ? { ...NAN, kind: "infinite", negative: text[0] === "-" } : NAN;
  const [, sign, whole = "", fraction = match[4] ?? "", , power = "0"] = match;
  return finite(sign === "-", whole + fraction, Number(power) - fraction.length);
}

function parseNumeric(text: string): Decimal {
  if (text === "") return parseDecimal("0");
  if (/^0[xob]/i.test(text)) return parseDecimal(String(Number(text)));
  if (/^[+-]?Infinity$/.test(text)) return parseDecimal(text);
  const value = parseDecimal(text);
  if (value.kind !== "finite" || value.digits === "") return value;
  if (magnitude(value) > LARGEST_POWER) return { ...NAN, kind: "infinite", negative: value.negative };
  return value;
}

function toPrimitive(value: unknown): unknown {
  if (value === null) return 0;
  const object = value as { [Symbol.toPrimitive]?: unknown; valueOf(): unknown; toString(): unknown };
  if (object[Symbol.toPrimitive] !== undefined || typeof object.valueOf !== "function") return Number(value);
  const plain = object.valueOf();
  return typeof plain === "object" || typeof plain === "function" ? String(value as object) : plain;
}
