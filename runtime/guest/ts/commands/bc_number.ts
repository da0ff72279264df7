/** bc's numbers: decimal fractions of any length. */

/** `digits / 10 ** scale` */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

export const ZERO: Decimal = { digits: 0n, scale: 0 };
export const ONE: Decimal = { digits: 1n, scale: 0 };

const powers: bigint[] = [1n];

export function tens(count: number): bigint {
  if (count > 4096) return 10n ** BigInt(count);
  return (powers[count] ??= 10n ** BigInt(count));
}

export function whole(value: bigint | number): Decimal {
  return { digits: BigInt(value), scale: 0 };
}

/** With that many digits behind the point; what is too much is cut off. */
export function rescaled(value: Decimal, scale: number): Decimal {
  if (scale === value.scale) return value;
  const digits = scale > value.scale ? value.digits * tens(scale - value.scale) : value.digits / tens(value.scale - scale);
  return { digits, scale };
}

function aligned(left: Decimal, right: Decimal): [left: bigint, right: bigint, scale: number] {
  const scale = Math.max(left.scale, right.scale);
  return [rescaled(left, scale).digits, rescaled(right, scale).digits, scale];
}

export function add(left: Decimal, right: Decimal): Decimal {
  if (left.scale === right.scale) return { digits: left.digits + right.digits, scale: left.scale };
  const [a, b, scale] = aligned(left, right);
  return { digits: a + b, scale };
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  const [a, b, scale] = aligned(left, right);
  return { digits: a - b, scale };
}

export function compare(left: Decimal, right: Decimal): number {
  if (left.scale === right.scale) return left.digits < right.digits ? -1 : left.digits > right.digits ? 1 : 0;
  const [a, b] = aligned(left, right);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function negate({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale };
}

export function multiply(left: Decimal, right: Decimal, scale: number): Decimal {
  const product = { digits: left.digits * right.digits, scale: left.scale + right.scale };
  if (product.scale === 0) return product;
  return rescaled(product, Math.min(product.scale, Math.max(scale, left.scale, right.scale)));
}

/** The divisor is not zero. */
export function divide(left: Decimal, right: Decimal, scale: number): Decimal {
  return { digits: (left.digits * tens(scale + right.scale)) / (right.digits * tens(left.scale)), scale };
}

export function modulo(left: Decimal, right: Decimal, scale: number): Decimal {
  const quotient = divide(left, right, scale);
  const product = { digits: quotient.digits * right.digits, scale: quotient.scale + right.scale };
  return rescaled(subtract(left, product), Math.max(left.scale, scale + right.scale));
}

export function power(base: Decimal, exponent: number, scale: number): Decimal {
  if (exponent === 0) return ONE;
  const count = Math.abs(exponent);
  const result = { digits: base.digits ** BigInt(count), scale: base.scale * count };
  if (exponent < 0) return divide(ONE, result, scale);
  return rescaled(result, Math.min(result.scale, Math.max(scale, base.scale)));
}

/** The whole part of the square root. */
export function integerRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

export function squareRoot(value: Decimal, scale: number): Decimal {
  const places = Math.max(scale, value.scale);
  return { digits: integerRoot(value.digits * tens(2 * places - value.scale)), scale: places };
}

export function toInteger({ digits, scale }: Decimal): bigint {
  return digits / tens(scale);
}

/** How many digits it has, without zeros in front. */
export function lengthOf({ digits, scale }: Decimal): number {
  const text = (digits < 0n ? -digits : digits).toString();
  return digits === 0n ? Math.max(scale, 1) : Math.max(text.length, scale);
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A digit that the base does not have counts as its greatest, but in a number of one digit. */
export function parseDecimal(text: string, base: number): Decimal {
  const [front, back = ""] = text.split(".") as [string, string?];
  if (base === 10 && !/[A-Z]/.test(text)) return { digits: BigInt(front + back || "0"), scale: back.length };
  const single = front.length + back.length === 1;
  const digitOf = (char: string): bigint => BigInt(single ? DIGITS.indexOf(char) : Math.min(DIGITS.indexOf(char), base - 1));
  let digits = 0n;
  for (const char of front + back) digits = digits * BigInt(base) + digitOf(char);
  if (back === "") return whole(digits);
  return { digits: (digits * tens(back.length)) / BigInt(base) ** BigInt(back.length), scale: back.length };
}

/** As bc prints it: nothing before a point that would be a zero. */
export function formatDecimal(value: Decimal, base: number): string {
  const { digits, scale } = value;
  if (digits === 0n) return "0";
  const sign = digits < 0n ? "-" : "";
  const magnitude = digits < 0n ? -digits : digits;
  if (base === 10) {
    const text = magnitude.toString().padStart(scale, "0");
    const front = text.slice(0, text.length - scale);
    return sign + front + (scale > 0 ? `.${text.slice(text.length - scale)}` : "");
  }
  return sign + inBase(magnitude / tens(scale), base) + fractionInBase(magnitude % tens(scale), scale, base);
}

/** Digits of bases beyond 16 are numbers of their own. */
function digitText(digit: bigint, base: number): string {
  return base <= 16 ? DIGITS[Number(digit)]! : ` ${digit.toString().padStart(String(base - 1).length, "0")}`;
}

function inBase(value: bigint, base: number): string {
  if (base <= 16) return value === 0n ? "" : value.toString(base).toUpperCase();
  const parts: string[] = [];
  for (let rest = value; rest > 0n; rest /= BigInt(base)) parts.push(digitText(rest % BigInt(base), base));
  return parts.reverse().join("");
}

function fractionInBase(fraction: bigint, scale: number, base: number): string {
  if (scale === 0) return "";
  const [one, step] = [tens(scale), BigInt(base)];
  let text = ".";
  let rest = fraction;
  for (let reached = 1n; reached.toString().length <= scale; reached *= step) {
    rest *= step;
    const digit = digitText(rest / one, base);
    text += text === "." ? digit.trimStart() : digit;
    rest %= one;
  }
  return text;
}
