/**
 * Numbers as x86's 80-bit `long double` holds them: bash's printf, seq and numfmt print what that type rounds to, which
 * JavaScript's numbers do not always.
 */

/** `sign * mantissa * 2 ** exponent`; or no number. */
export interface Extended {
  readonly negative: boolean;
  readonly mantissa: bigint;
  readonly exponent: number;
  readonly special?: "inf" | "nan";
}

const PRECISION = 64n;

export function special(kind: "inf" | "nan", negative: boolean): Extended {
  return { negative, mantissa: 0n, exponent: 0, special: kind };
}

const DECIMAL = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/;
const HEXADECIMAL = /^([-+]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?(?:[pP]([-+]?\d+))?$/;
/** Exponents beyond these are zero or infinite in the type. */
const TENS_MOST = 5000;

/** The number that the text spells, as strtold reads it; undefined when it spells none. */
export function parseExtended(text: string): Extended | undefined {
  const word = /^([-+]?)(inf|infinity|nan)$/i.exec(text);
  if (word) return special(word[2]!.toLowerCase().startsWith("inf") ? "inf" : "nan", word[1] === "-");
  const hex = HEXADECIMAL.exec(text);
  if (hex && (hex[2] || hex[3])) return scaled(hex[1] === "-", BigInt(`0x${hex[2]}${hex[3] ?? ""}`), 1n, Number(hex[4] ?? 0) - 4 * (hex[3] ?? "").length);
  const decimal = DECIMAL.exec(text);
  if (!decimal || !(decimal[2] || decimal[3])) return undefined;
  const digits = BigInt(`${decimal[2]}${decimal[3] ?? ""}`);
  const tens = Number(decimal[4] ?? 0) - (decimal[3] ?? "").length;
  const negative = decimal[1] === "-";
  if (digits === 0n) return { negative, mantissa: 0n, exponent: 0 };
  if (tens > TENS_MOST) return special("inf", negative);
  if (tens < -TENS_MOST - decimal[0].length) return { negative, mantissa: 0n, exponent: 0 };
  return tens >= 0 ? scaled(negative, digits * 10n ** BigInt(tens), 1n, 0) : scaled(negative, digits, 10n ** BigInt(-tens), 0);
}

/** `numerator / denominator * 2 ** exponent`, rounded to the type's precision, half to even. */
function scaled(negative: boolean, numerator: bigint, denominator: bigint, exponent: number): Extended {
  if (numerator === 0n) return { negative, mantissa: 0n, exponent: 0 };
  const shift = PRECISION + 1n - BigInt(bits(numerator) - bits(denominator));
  const [top, bottom] = shift >= 0n ? [numerator << shift, denominator] : [numerator, denominator << -shift];
  let quotient = top / bottom;
  const exact = top % bottom === 0n;
  let places = exponent - Number(shift);
  const extra = BigInt(bits(quotient)) - PRECISION;
  if (extra > 0n) {
    const low = quotient & ((1n << extra) - 1n);
    const half = 1n << (extra - 1n);
    quotient >>= extra;
    places += Number(extra);
    if (low > half || (low === half && (!exact || (quotient & 1n) === 1n))) quotient += 1n;
  }
  return { negative, mantissa: quotient, exponent: places };
}

function bits(value: bigint): number {
  return value.toString(16).length * 4 - (value === 0n ? 0 : Math.clz32(Number.parseInt(value.toString(16)[0]!, 16)) - 28);
}

export function fromInteger(value: bigint): Extended {
  return scaled(value < 0n, value < 0n ? -value : value, 1n, 0);
}

/** `left + right` and `left * count`, each rounded once, as the type computes. */
export function add(left: Extended, right: Extended): Extended {
  if (left.special || right.special) return left.special ? left : right;
  const low = Math.min(left.exponent, right.exponent);
  const whole = (each: Extended): bigint => (each.negative ? -1n : 1n) * (each.mantissa << BigInt(each.exponent - low));
  const sum = whole(left) + whole(right);
  return scaled(sum < 0n, sum < 0n ? -sum : sum, 1n, low);
}

export function multiply(left: Extended, right: Extended): Extended {
  if (left.special || right.special) return left.special ? left : right;
  return scaled(left.negative !== right.negative, left.mantissa * right.mantissa, 1n, left.exponent + right.exponent);
}

export function compare(left: Extended, right: Extended): number {
  const difference = add(left, { ...right, negative: !right.negative });
  return difference.mantissa === 0n ? 0 : difference.negative ? -1 : 1;
}

/** The magnitude times 10 ** tens as a whole number, rounded half to even. */
function decimalInteger({ mantissa, exponent }: Extended, tens: number): bigint {
  let numerator = mantissa * (tens > 0 ? 10n ** BigInt(tens) : 1n);
  let denominator = tens < 0 ? 10n ** BigInt(-tens) : 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  return twice > denominator || (twice === denominator && (quotient & 1n) === 1n) ? quotient + 1n : quotient;
}

/** Digits without a sign, as `%.*f`. Behind as many places as the number has binary ones there are only zeros. */
export function fixed(value: Extended, precision: number, point = false): string {
  const places = Math.min(precision, Math.max(0, -value.exponent));
  const digits = decimalInteger(value, places).toString().padStart(places + 1, "0");
  const whole = digits.slice(0, digits.length - places);
  return precision > 0 ? `${whole}.${digits.slice(whole.length).padEnd(precision, "0")}` : point ? `${whole}.` : whole;
}

/** The decimal exponent and the digits of `%.*e`: one before the point and `precision` behind it. */
function scientificParts(value: Extended, precision: number): [digits: string, exponent: number] {
  if (value.mantissa === 0n) return ["0".repeat(precision + 1), 0];
  const places = Math.min(precision, Number(PRECISION) + Math.abs(value.exponent));
  let exponent = Math.floor((bits(value.mantissa) + value.exponent - 1) * Math.LOG10E * Math.LN2);
  for (;;) {
    const digits = decimalInteger(value, places - exponent).toString();
    if (digits.length === places + 1) return [digits.padEnd(precision + 1, "0"), exponent];
    exponent += digits.length > places + 1 ? 1 : -1;
  }
}

export function scientific(value: Extended, precision: number, point = false): string {
  const [digits, exponent] = scientificParts(value, precision);
  return `${digits[0]}${precision > 0 ? `.${digits.slice(1)}` : point ? "." : ""}${exponentText(exponent)}`;
}

function exponentText(exponent: number): string {
  return `e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** `%.*g`; with `keep`, as `#` asks, zeros at the end stay. */
export function general(value: Extended, precision: number, keep = false): string {
  const wanted = precision === 0 ? 1 : precision;
  const [, exponent] = scientificParts(value, wanted - 1);
  const plain = exponent >= -4 && exponent < wanted;
  const text = plain ? fixed(value, wanted - 1 - exponent, keep) : scientific(value, wanted - 1, keep);
  if (keep || !text.includes(".")) return text;
  return text.replace(/\.?0+(?=e|$)/, "");
}

/** `%a` as glibc prints it for the type: one hexadecimal digit of 8 to f before the point. */
export function hexadecimal(value: Extended, precision: number | undefined): string {
  if (value.mantissa === 0n) return `0x0${precision ? `.${"0".repeat(precision)}` : ""}p+0`;
  const shift = 64 - bits(value.mantissa);
  let digits = (value.mantissa << BigInt(shift)).toString(16);
  let exponent = value.exponent - shift + 60;
  if (precision === undefined) digits = digits.replace(/0+$/, "");
  else if (precision < 15) {
    const drop = BigInt(4 * (15 - precision));
    const half = 1n << (drop - 1n);
    const whole = value.mantissa << BigInt(shift);
    let kept = whole >> drop;
    const low = whole & ((1n << drop) - 1n);
    if (low > half || (low === half && (kept & 1n) === 1n)) kept += 1n;
    digits = kept.toString(16);
    if (digits.length > precision + 1) {
      digits = digits.slice(0, -1);
      exponent += 4;
    }
  } else digits = digits.padEnd(precision + 1, "0");
  const tail = digits.slice(1);
  return `0x${digits[0]}${tail ? `.${tail}` : ""}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}
