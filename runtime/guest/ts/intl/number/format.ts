/** Intl.NumberFormat and the toLocaleString of numbers. */
import { remember } from "../locale/cache";
import { supportedLocalesOf } from "../locale/negotiate";
import { joinParts, type Part, service, textOf } from "../locale/service";
import { type Decimal, toDecimal } from "./decimal";
import { flatten, layOut } from "./layout";
import { rangeParts, type RangePart } from "./range";
import { describe, type NumberSettings, readSettings } from "./settings";

class NumberFormatClass {
  readonly #settings: NumberSettings;
  #bound: ((value: unknown) => string) | undefined;

  constructor(locales?: unknown, options?: unknown) {
    this.#settings = readSettings(locales, options);
  }

  static supportedLocalesOf(locales: unknown, options?: unknown): string[] {
    return supportedLocalesOf("Intl.NumberFormat", locales, options);
  }

  get format(): (value: unknown) => string {
    const settings = settingsOf(this);
    return (this.#bound ??= (value) => formatNumber(settings, value));
  }

  formatToParts(value?: unknown): Part[] {
    return joinParts(flatten(layOut(settingsOf(this), toDecimal(value))));
  }

  formatRange(start: unknown, end: unknown): string {
    return textOf(this.formatRangeToParts(start, end));
  }

  formatRangeToParts(start: unknown, end: unknown): RangePart[] {
    return rangeParts(settingsOf(this), limit(start, "start"), limit(end, "end"));
  }

  resolvedOptions(): Record<string, unknown> {
    return describe(settingsOf(this));
  }

  static settings(format: NumberFormatClass): NumberSettings {
    if (!(#settings in format)) {
      throw new TypeError("Method UnwrapNumberFormat called on incompatible receiver undefined");
    }
    return format.#settings;
  }
}

const settingsOf = NumberFormatClass.settings;
delete (NumberFormatClass as { settings?: unknown }).settings;

export const NumberFormat = service("NumberFormat", NumberFormatClass, true);

export function formatNumber(settings: NumberSettings, value: unknown): string {
  return textOf(flatten(layOut(settings, toDecimal(value))));
}

let plain: NumberSettings | undefined;
const settingsFor = remember(readSettings);

/** Number.prototype.toLocaleString and BigInt's; without arguments the settings are made once. */
export function numberToLocaleString(value: number | bigint, locales: unknown, options: unknown): string {
  if (locales !== undefined || options !== undefined) return formatNumber(settingsFor(locales, options), value);
  plain ??= readSettings(undefined, undefined);
  return formatNumber(plain, value);
}

function limit(value: unknown, name: string): Decimal {
  if (value === undefined) throw new TypeError(`Invalid ${name} : undefined`);
  const number = toDecimal(value);
  if (number.kind === "nan") throw new RangeError(`Invalid ${name} : ${String(value)}`);
  return number;
}
