/** Rounding of exact decimals, by ECMA-402's modes, to a place or to a count of significant digits. */
import { type Decimal, finite, magnitude } from "./decimal";

export type RoundingMode = (typeof ROUNDING_MODES)[number];
export const ROUNDING_MODES = [
  "ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven",
] as const;

/** Whether the magnitude grows: half is the remainder against one half (-1, 0, 1), odd that of the kept digits. */
type Decision = (negative: boolean, half: number, odd: boolean) => boolean;
const DECISIONS: Readonly<Record<RoundingMode, Decision>> = {
  ceil: (negative) => !negative,
  floor: (negative) => negative,
  expand: () => true,
  trunc: () => false,
  halfCeil: (negative, half) => half > 0 || (half === 0 && !negative),
  halfFloor: (negative, half) => half > 0 || (half === 0 && negative),
  halfExpand: (_, half) => half >= 0,
  halfTrunc: (_, half) => half > 0,
  halfEven: (_, half, odd) => half > 0 || (half === 0 && odd),
};

/** Round to a multiple of increment × 10^place. */
export function roundTo(value: Decimal, place: number, mode: RoundingMode, increment = 1): Decimal {
  if (value.kind !== "finite" || (value.scale >= place && increment === 1) || value.digits === "") return value;
  const least = Math.min(place, value.scale);
  if (magnitude(value) < place - 2 && increment === 1) return roundTiny(value, place, mode);
  const coefficient = BigInt(value.digits) * 10n ** BigInt(value.scale - least);
  const unit = BigInt(increment) * 10n ** BigInt(place - least);
  const kept = coefficient / unit;
  const rest = coefficient % unit;
  if (rest === 0n) return value;
  const twice = rest * 2n;
  const half = twice < unit ? -1 : twice === unit ? 0 : 1;
  const up = DECISIONS[mode](value.negative, half, kept % 2n === 1n);
  return finite(value.negative, String((kept + (up ? 1n : 0n)) * BigInt(increment)), place);
}

/** Round to so many significant digits. */
export function roundToDigits(value: Decimal, digits: number, mode: RoundingMode): Decimal {
  return roundTo(value, magnitude(value) - digits + 1, mode);
}

/** A value far below the place: zero or one unit, without a huge BigInt. */
function roundTiny(value: Decimal, place: number, mode: RoundingMode): Decimal {
  return finite(value.negative, DECISIONS[mode](value.negative, -1, false) ? "1" : "0", place);
}
