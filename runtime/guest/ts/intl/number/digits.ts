/** The digit options that NumberFormat and PluralRules share, and what they make of a value. */
import { defaultNumber, numberOption, type Options, stringOption } from "../locale/options";
import { type Decimal, magnitude, toPlain } from "./decimal";
import { ROUNDING_MODES, type RoundingMode, roundTo, roundToDigits } from "./rounding";

export interface DigitSettings {
  readonly minimumIntegerDigits: number;
  readonly fraction: readonly [least: number, most: number] | undefined;
  readonly significant: readonly [least: number, most: number] | undefined;
  readonly priority: "auto" | "morePrecision" | "lessPrecision";
  readonly roundingMode: RoundingMode;
  readonly roundingIncrement: number;
  readonly trailingZeroDisplay: "auto" | "stripIfInteger";
}

export interface Digits {
  readonly integer: string;
  readonly fraction: string;
  /** The rounded value, without padding. */
  readonly value: Decimal;
}

const INCREMENTS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000];
const MAX_FRACTION = 20;
const MAX_SIGNIFICANT = 21;

/** Read the options; the defaults are the least and most fraction digits when none are asked for. */
export function readDigitSettings(
  service: string,
  options: Options,
  leastDefault: number,
  mostDefault: number,
  compact: boolean,
): DigitSettings {
  const minimumIntegerDigits = numberOption(options, "minimumIntegerDigits", 1, 21, 1);
  const asked = {
    leastFraction: options["minimumFractionDigits"],
    mostFraction: options["maximumFractionDigits"],
    leastSignificant: options["minimumSignificantDigits"],
    mostSignificant: options["maximumSignificantDigits"],
  };
  const roundingIncrement = numberOption(options, "roundingIncrement", 1, 5000, 1);
  if (!INCREMENTS.includes(roundingIncrement)) throw new RangeError("roundingIncrement value is out of range.");
  const roundingMode = stringOption(service, options, "roundingMode", ROUNDING_MODES, "halfExpand");
  const priorities = ["auto", "morePrecision", "lessPrecision"] as const;
  const priority = stringOption(service, options, "roundingPriority", priorities, "auto");
  const displays = ["auto", "stripIfInteger"] as const;
  const trailingZeroDisplay = stringOption(service, options, "trailingZeroDisplay", displays, "auto");
  const shared = { minimumIntegerDigits, roundingIncrement, roundingMode, trailingZeroDisplay };

  const hasSignificant = asked.leastSignificant !== undefined || asked.mostSignificant !== undefined;
  const hasFraction = asked.leastFraction !== undefined || asked.mostFraction !== undefined;
  const needSignificant = priority !== "auto" || hasSignificant;
  const needFraction = priority !== "auto" || (!hasSignificant && (hasFraction || !compact));
  const most = roundingIncrement === 1 ? mostDefault : leastDefault;
  const significant = needSignificant ? readSignificant(asked.leastSignificant, asked.mostSignificant) : undefined;
  const fraction = needFraction ? readFraction(asked.leastFraction, asked.mostFraction, leastDefault, most) : undefined;
  const settings: DigitSettings =
    significant === undefined && fraction === undefined
      ? { ...shared, significant: [1, 2], fraction: [0, 0], priority: "morePrecision" }
      : { ...shared, significant, fraction, priority };
  if (roundingIncrement !== 1) checkIncrement(settings);
  return settings;
}

/** Round the value by the settings and spell its digits. */
export function applyDigits(settings: DigitSettings, value: Decimal): Digits {
  const { fraction, significant, priority } = settings;
  const places = significant && Math.max(significant[0] - 1 - magnitude(roundSignificant(settings, value)), 0);
  let rounded: Decimal;
  let least: number;
  if (significant === undefined || (fraction !== undefined && fractionWins(priority, settings, value))) {
    rounded = roundTo(value, -(fraction?.[1] ?? 0), settings.roundingMode, settings.roundingIncrement);
    least = fraction?.[0] ?? 0;
  } else {
    rounded = roundSignificant(settings, value);
    least = places ?? 0;
  }
  const plain = toPlain(rounded, settings.minimumIntegerDigits, least);
  const strip = settings.trailingZeroDisplay === "stripIfInteger" && /^0*$/.test(plain.fraction);
  return { integer: plain.integer, fraction: strip ? "" : plain.fraction, value: rounded };
}

/** The entries of resolvedOptions(), in V8's order. */
export function describeDigits(settings: DigitSettings): Record<string, number> {
  const { fraction, significant } = settings;
  return {
    minimumIntegerDigits: settings.minimumIntegerDigits,
    ...(significant && { minimumSignificantDigits: significant[0], maximumSignificantDigits: significant[1] }),
    ...(fraction && { minimumFractionDigits: fraction[0], maximumFractionDigits: fraction[1] }),
  };
}

function roundSignificant(settings: DigitSettings, value: Decimal): Decimal {
  return roundToDigits(value, settings.significant?.[1] ?? MAX_SIGNIFICANT, settings.roundingMode);
}

/** Between both kinds of precision: the one that rounds at the finer (or coarser) place. */
function fractionWins(priority: DigitSettings["priority"], settings: DigitSettings, value: Decimal): boolean {
  const [, mostFraction] = settings.fraction as [number, number];
  const [, mostSignificant] = settings.significant as [number, number];
  const significantPlace = magnitude(value) - mostSignificant + 1;
  const finer = -mostFraction < significantPlace;
  return priority === "morePrecision" ? finer : !finer;
}

function readSignificant(least: unknown, most: unknown): [number, number] {
  const from = defaultNumber(least, "minimumSignificantDigits", 1, MAX_SIGNIFICANT, 1);
  return [from, defaultNumber(most, "maximumSignificantDigits", from, MAX_SIGNIFICANT, MAX_SIGNIFICANT)];
}

function readFraction(least: unknown, most: unknown, leastDefault: number, mostDefault: number): [number, number] {
  const from = defaultNumber(least, "minimumFractionDigits", 0, MAX_FRACTION, undefined);
  const to = defaultNumber(most, "maximumFractionDigits", 0, MAX_FRACTION, undefined);
  if (from !== undefined && to !== undefined && from > to) {
    throw new RangeError("maximumFractionDigits value is out of range.");
  }
  if (from === undefined) return [Math.min(leastDefault, to ?? leastDefault), to ?? mostDefault];
  return [from, to ?? Math.max(mostDefault, from)];
}

function checkIncrement({ priority, fraction, significant }: DigitSettings): void {
  if (priority !== "auto" || significant !== undefined) throw new TypeError("RoundingType is not fractionDigits");
  if (fraction?.[0] !== fraction?.[1]) throw new RangeError("maximumFractionDigits not equal to minimumFractionDigits");
}
