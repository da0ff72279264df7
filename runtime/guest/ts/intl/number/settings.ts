/** The options of NumberFormat: read, checked, and shown again. */
import { FOUR_DECIMALS, NO_DECIMALS, THREE_DECIMALS } from "../data/currencies";
import { nameWithKeywords, resolveLocale } from "../locale/negotiate";
import { coerceOptions, type Options, outOfRange, readLocaleMatcher, readNumberingSystem, stringOption } from "../locale/options";
import { describeDigits, type DigitSettings, readDigitSettings } from "./digits";
import { currencySymbol, type NumberSymbols, numberSymbols } from "./symbols";
import { isPercentSign, isUnit } from "./unit";

const SERVICE = "Intl.NumberFormat";
const NOTATIONS = ["standard", "scientific", "engineering", "compact"] as const;

type Grouping = "auto" | "always" | "min2" | false;

export interface NumberSettings {
  readonly locale: string;
  readonly style: "decimal" | "percent" | "currency" | "unit";
  readonly currency: string | undefined;
  readonly currencyDisplay: "code" | "symbol" | "narrowSymbol" | "name";
  readonly currencySign: "standard" | "accounting";
  readonly unit: string | undefined;
  readonly unitDisplay: "short" | "narrow" | "long";
  readonly notation: "standard" | "scientific" | "engineering" | "compact";
  readonly compactDisplay: "short" | "long";
  readonly useGrouping: Grouping;
  readonly signDisplay: "auto" | "never" | "always" | "exceptZero" | "negative";
  readonly digits: DigitSettings;
  readonly symbols: NumberSymbols;
  readonly secondaryGroup: number;
  /** `#` with the affixes around it; `;` before a negative form. */
  readonly pattern: string;
  /** The same for numbers with a compact letter, which never stand in parentheses. */
  readonly compactPattern: string;
  readonly currencySymbol: string | undefined;
  readonly currencyName: readonly [one: string, other: string] | undefined;
}

export function readSettings(locales: unknown, given: unknown): NumberSettings {
  const resolved = resolveLocale(locales);
  const options = coerceOptions(SERVICE, given);
  readLocaleMatcher(SERVICE, options);
  const numbering = readNumberingSystem(options, resolved.keywords.get("nu"));
  const unitOptions = readUnitOptions(options);
  const { style, currency, currencyDisplay } = unitOptions;
  const notation = stringOption(SERVICE, options, "notation", NOTATIONS, "standard");
  const places = style === "currency" ? decimalsOf(currency as string) : undefined;
  const most = places ?? (style === "percent" ? 0 : 3);
  const digits = readDigitSettings(SERVICE, options, places ?? 0, most, notation === "compact");
  const compactDisplay = stringOption(SERVICE, options, "compactDisplay", ["short", "long"] as const, "short");
  const useGrouping = readGrouping(options, notation === "compact" ? "min2" : "auto");
  const signs = ["auto", "never", "always", "exceptZero", "negative"] as const;
  const signDisplay = stringOption(SERVICE, options, "signDisplay", signs, "auto");
  refuseUnknownWords(resolved.data, resolved.locale, style, currencyDisplay, notation);
  const symbols = numberSymbols(resolved.data);
  const named = style === "currency" && currencyDisplay === "name";
  const currencySign = signDisplay === "never" ? "standard" : unitOptions.currencySign;
  return {
    ...unitOptions,
    locale: nameWithKeywords(resolved, { nu: numbering }),
    currencySign, notation, digits, compactDisplay, useGrouping, signDisplay, symbols,
    secondaryGroup: style === "currency" && currencySign === "accounting" ? symbols.accountingGroup : symbols.secondaryGroup,
    pattern: isPercentSign({ ...unitOptions, notation })
      ? symbols.percent
      : patternFor(symbols, style, notation, named ? "none" : currencySign),
    compactPattern: patternFor(symbols, style, notation, named ? "none" : "standard"),
    currencySymbol: style === "currency" ? currencySymbol(symbols, currency as string, currencyDisplay) : undefined,
    currencyName: named ? currencyWords(currency as string) : undefined,
  };
}

/** resolvedOptions(), in V8's order. */
export function describe(settings: NumberSettings): Record<string, unknown> {
  const { style, notation, digits } = settings;
  return {
    locale: settings.locale,
    numberingSystem: "latn",
    style,
    ...(style === "currency" && {
      currency: settings.currency,
      currencyDisplay: settings.currencyDisplay,
      currencySign: settings.currencySign,
    }),
    ...(style === "unit" && { unit: settings.unit, unitDisplay: settings.unitDisplay }),
    ...describeDigits(digits),
    useGrouping: settings.useGrouping,
    notation,
    ...(notation === "compact" && { compactDisplay: settings.compactDisplay }),
    signDisplay: settings.signDisplay,
    roundingMode: digits.roundingMode,
    roundingIncrement: digits.roundingIncrement,
    trailingZeroDisplay: digits.trailingZeroDisplay,
    roundingPriority: digits.trailingZeroDisplay === "auto" ? digits.priority : "auto",
  };
}

function readUnitOptions(options: Options) {
  const style = stringOption(SERVICE, options, "style", ["decimal", "percent", "currency", "unit"] as const, "decimal");
  const currency = stringOption(SERVICE, options, "currency", undefined, undefined);
  if (currency !== undefined && !/^[a-z]{3}$/i.test(currency)) throw new RangeError(`Invalid currency code : ${currency}`);
  if (currency === undefined && style === "currency") throw new TypeError("Currency code is required with currency style.");
  const displays = ["code", "symbol", "narrowSymbol", "name"] as const;
  const currencyDisplay = stringOption(SERVICE, options, "currencyDisplay", displays, "symbol");
  const currencySign = stringOption(SERVICE, options, "currencySign", ["standard", "accounting"] as const, "standard");
  const unit = stringOption(SERVICE, options, "unit", undefined, undefined);
  if (unit !== undefined && !isUnit(unit)) throw new RangeError(`Invalid unit argument for Intl.NumberFormat() '${unit}'`);
  if (unit === undefined && style === "unit") throw new TypeError("Invalid unit argument for Intl.NumberFormat() ''");
  const unitDisplay = stringOption(SERVICE, options, "unitDisplay", ["short", "narrow", "long"] as const, "short");
  return {
    style, currencyDisplay, currencySign, unitDisplay,
    currency: style === "currency" ? currency?.toUpperCase() : undefined,
    unit: style === "unit" ? unit : undefined,
  };
}

function readGrouping(options: Options, fallback: "auto" | "min2"): Grouping {
  const value = options["useGrouping"];
  if (value === undefined) return fallback;
  if (value === true) return "always";
  if (!value) return false;
  const text = String(value as string);
  if (text === "true" || text === "false") return fallback;
  if (text === "min2" || text === "auto" || text === "always") return text;
  throw outOfRange(SERVICE, text, "useGrouping");
}

function decimalsOf(code: string): number {
  if (NO_DECIMALS.includes(code)) return 0;
  if (THREE_DECIMALS.includes(code)) return 3;
  return FOUR_DECIMALS.includes(code) ? 4 : 2;
}

/** The percent sign of a compact number is a unit, not an affix, as it is in ICU. */
function patternFor(symbols: NumberSymbols, style: string, notation: string, sign: "none" | "standard" | "accounting"): string {
  if (style === "percent" && notation !== "compact") return symbols.percent;
  if (style !== "currency" || sign === "none") return "#";
  return sign === "accounting" ? symbols.accounting : symbols.currency;
}

/** There are words for numbers only in English; other locales have digits, percent and currency symbols. */
function refuseUnknownWords(data: string, locale: string, style: string, display: string, notation: string): void {
  if (data === "en") return;
  const words: readonly (readonly [used: boolean, name: string])[] = [
    [style === "unit", "style 'unit'"],
    [style === "currency" && display === "name", "currencyDisplay 'name'"],
    [notation === "compact", "notation 'compact'"],
  ];
  const [, wanted] = words.find(([used]) => used) ?? [];
  if (wanted !== undefined) throw new RangeError(`${SERVICE}: ${wanted} is available here only in en-US, not in ${locale}`);
}

function currencyWords(code: string): [one: string, other: string] {
  return (require("amla:intl-names") as { currencyForms(code: string): [string, string] }).currencyForms(code);
}
