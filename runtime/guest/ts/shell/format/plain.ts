/** Numbers in the plainest spelling, laid out without computing with them. */

const PLAIN = /^(-?)(\d{1,10})(?:\.(\d{1,5}))?$/;
const TIE = /^50*$/;

/**
 * Sign and digits of `%.*f`; undefined for other spellings, and where the rounding depends on how the type holds the number.
 * It holds 19 digits, so that 15 of them are rounded as they stand.
 */
export function plainFixed(text: string, precision: number): [sign: string, digits: string] | undefined {
  const match = PLAIN.exec(text);
  if (!match || (match[2]!.length > 1 && match[2]!.startsWith("0"))) return undefined;
  const [, sign, whole, fraction = ""] = match as unknown as [string, string, string, string?];
  if (fraction.length <= precision) return [sign, precision > 0 ? `${whole}.${fraction.padEnd(precision, "0")}` : whole];
  const rest = fraction.slice(precision);
  if (TIE.test(rest)) return undefined;
  const kept = `${whole}${fraction.slice(0, precision)}`;
  const rounded = rest[0]! < "5" ? kept : `${Number(kept) + 1}`.padStart(kept.length, "0");
  const point = rounded.length - precision;
  return [sign, precision > 0 ? `${rounded.slice(0, point)}.${rounded.slice(point)}` : rounded];
}
