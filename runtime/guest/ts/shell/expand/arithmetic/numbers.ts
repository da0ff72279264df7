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

/**
 * The number that a text is in its plainest form, `0`, `17`, `-3`; undefined for any other text. The engine converts back
 * and forth faster than a loop here looks at characters.
 */
export function plainInteger(text: string): number | undefined {
  const value = +text;
  if ((value | 0) === value) return `${value}` === text ? value : undefined;
  return value % 1 === 0 && isSafe(value) && `${value}` === text ? value : undefined;
}

export function arithmeticText(value: Integer): string {
  return `${value}`;
}
