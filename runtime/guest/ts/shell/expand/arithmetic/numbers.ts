/**
 * 64-bit integers: a JavaScript number while it is a safe integer, a BigInt beyond. Never both for one value, so that
 * equal values are equal.
 */

export type Integer = number | bigint;

const MOST = Number.MAX_SAFE_INTEGER;

export function isSafe(value: number): boolean {
  return value <= MOST && value >= -MOST;
}

/** Wraps around at 64 bits. */
export function wrap(value: bigint): Integer {
  const wrapped = BigInt.asIntN(64, value);
  const number = Number(wrapped);
  return isSafe(number) ? number : wrapped;
}

/** The number that a text is in its plainest form, `0`, `17`, `-3`; undefined for any other text. */
export function plainInteger(text: string): number | undefined {
  const { length } = text;
  if (length === 0 || length > 15) return undefined;
  const first = text.charCodeAt(0);
  const negative = first === 45;
  let index = negative ? 1 : 0;
  let value = text.charCodeAt(index) - 48;
  if (!(value >= 0 && value <= 9)) return undefined;
  if (value === 0 && length > 1) return undefined;
  for (index += 1; index < length; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return negative ? -value : value;
}

export function arithmeticText(value: Integer): string {
  return `${value}`;
}
