/**
 * A number on its way to text, in layers: the digits; inside out around them the exponent, the affixes (sign, currency
 * symbol, percent, compact letter) and the unit or currency name. formatRange decides per layer whether to write it once.
 */
import { type Part } from "../locale/service";
import { compactPower, compactWord } from "./compact";
import { type Decimal, isZero, magnitude, shift } from "./decimal";
import { applyDigits, type Digits } from "./digits";
import { type NumberSettings } from "./settings";
import { isSingular, unitLayer } from "./unit";

/** Parts that stand before and after what they enclose. */
export type Layer = readonly [before: readonly Part[], after: readonly Part[]];

export interface Layout {
  /** Equal for numbers that round to the same value. */
  readonly rounded: string;
  readonly number: readonly Part[];
  readonly exponent: readonly Part[];
  readonly affixes: Layer;
  readonly unit: Layer;
}

/** The space between a currency code and a digit: not part of the affix, as infinity goes without. */
export const GAP: Part = { type: "literal", value: "\u00a0" };
export const part = (type: string, value: string): Part => ({ type, value });

export function layOut(settings: NumberSettings, value: Decimal, approximately = false): Layout {
  const { digits, power } = scaleAndRound(settings, settings.style === "percent" ? shift(value, 2) : value);
  const number = numberParts(settings, value, digits);
  const compact = settings.notation === "compact" ? compactWord(settings, power) : [];
  const exponent = isExponential(settings) && value.kind === "finite" ? exponentParts(settings, power) : [];
  const { negative, kind, digits: shown, scale } = digits.value;
  return {
    rounded: [negative, kind, shown, scale, power].join(" "),
    number,
    exponent,
    affixes: affixLayer(settings, signOf(settings, digits.value), approximately, compact, value.kind === "finite"),
    unit: unitLayer(settings, isSingular(digits, power)),
  };
}

export function flatten({ number, exponent, affixes, unit }: Layout): Part[] {
  return [...unit[0], ...affixes[0], ...number, ...exponent, ...affixes[1], ...unit[1]];
}

const isExponential = ({ notation }: NumberSettings): boolean => notation === "scientific" || notation === "engineering";

/** Divide by the notation's power of ten and round; rounding up to the next power (999.9K) starts over from there. */
function scaleAndRound(settings: NumberSettings, value: Decimal): { digits: Digits; power: number } {
  if (value.kind !== "finite") return { digits: { integer: "", fraction: "", value }, power: 0 };
  const power = powerFor(settings, magnitude(value));
  const digits = applyDigits(settings.digits, shift(value, -power));
  if (isZero(digits.value) || isZero(value)) return { digits, power: isZero(value) ? 0 : power };
  const next = powerFor(settings, magnitude(digits.value) + power);
  if (next === power) return { digits, power };
  return { digits: applyDigits(settings.digits, shift(value, -next)), power: next };
}

function powerFor({ notation }: NumberSettings, size: number): number {
  if (notation === "standard") return 0;
  if (notation === "scientific") return size;
  return notation === "compact" ? compactPower(size) : Math.floor(size / 3) * 3;
}

function numberParts(settings: NumberSettings, value: Decimal, { integer, fraction }: Digits): Part[] {
  const { symbols, style } = settings;
  if (value.kind === "nan") return [part("nan", symbols.nan)];
  if (value.kind === "infinite") return [part("infinity", "∞")];
  const currency = style === "currency" && settings.currencyDisplay !== "name";
  const groups = groupDigits(settings, integer);
  const separator = part("group", currency ? symbols.currencyGroup : symbols.group);
  const parts = groups.flatMap((group, i) => (i === 0 ? [part("integer", group)] : [separator, part("integer", group)]));
  if (fraction === "") return parts;
  return [...parts, part("decimal", currency ? symbols.currencyDecimal : symbols.decimal), part("fraction", fraction)];
}

function groupDigits({ useGrouping, symbols, notation, secondaryGroup }: NumberSettings, integer: string): string[] {
  const two = useGrouping === "min2" || (useGrouping === "auto" && notation === "compact");
  const least = useGrouping === "always" ? 1 : Math.max(two ? 2 : 1, symbols.minimumGrouping);
  if (useGrouping === false || integer.length < 3 + least) return [integer];
  const groups = [integer.slice(-3)];
  for (let end = integer.length - 3; end > 0; end -= secondaryGroup) {
    groups.unshift(integer.slice(Math.max(end - secondaryGroup, 0), end));
  }
  return groups;
}

function exponentParts({ symbols }: NumberSettings, power: number): Part[] {
  const sign = power < 0 ? [part("exponentMinusSign", symbols.minus)] : [];
  return [part("exponentSeparator", symbols.exponential), ...sign, part("exponentInteger", String(Math.abs(power)))];
}

type Sign = "" | "-" | "+";

function signOf({ signDisplay }: NumberSettings, value: Decimal): Sign {
  const zero = isZero(value) || value.kind === "nan";
  const minus = value.negative ? "-" : "";
  switch (signDisplay) {
    case "never":
      return "";
    case "auto":
      return minus;
    case "negative":
      return zero ? "" : minus;
    case "always":
      return minus || "+";
    case "exceptZero":
      return zero ? "" : minus || "+";
  }
}

/** The pattern's text around the digits. A negative pattern with a minus in it also serves for plus and "approximately". */
function affixLayer(settings: NumberSettings, sign: Sign, approximately: boolean, compact: readonly Part[], digits: boolean): Layer {
  const pattern = compact.length === 0 ? settings.pattern : settings.compactPattern;
  const [positive = "#", negative] = pattern.split(";");
  const useNegative = negative !== undefined && (sign === "-" || (negative.includes("-") && (sign === "+" || approximately)));
  const mark = `${approximately ? "~" : ""}${sign}`;
  const [before = "", after = ""] = (useNegative ? negative.replace("-", mark) : mark + positive).split("#");
  const symbol = settings.currencySymbol ?? "";
  return [
    [...affixParts(settings, before), ...(digits && before.endsWith("¤") && /[^\p{S}\p{Z}]$/u.test(symbol) ? [GAP] : [])],
    [
      ...compact,
      ...(digits && compact.length === 0 && after.startsWith("¤") && /^[^\p{S}\p{Z}]/u.test(symbol) ? [GAP] : []),
      ...affixParts(settings, after),
    ],
  ];
}

function affixParts({ symbols, currencySymbol, unit }: NumberSettings, text: string): Part[] {
  return (text.match(/[-+%¤~]|[^-+%¤~]+/g) ?? []).map((piece) => {
    switch (piece) {
      case "-":
        return part("minusSign", symbols.minus);
      case "+":
        return part("plusSign", "+");
      case "%":
        return part(unit === undefined ? "percentSign" : "unit", "%");
      case "¤":
        return part("currency", currencySymbol ?? "");
      case "~":
        return part("approximatelySign", symbols.approximately);
      default:
        return part("literal", piece);
    }
  });
}
