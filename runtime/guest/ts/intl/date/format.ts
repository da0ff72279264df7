/** Intl.DateTimeFormat and the toLocale…String methods of dates. */
import { remember } from "../locale/cache";
import { supportedLocalesOf } from "../locale/negotiate";
import { type Part, service, textOf } from "../locale/service";
import { momentAt, writeParts } from "./fields";
import { type Need, SERVICE } from "./options";
import { rangeParts, type RangePart } from "./range";
import { type DateSettings, defaultTimeZone, describe, readSettings } from "./settings";

const MAX_TIME = 8.64e15;

class DateTimeFormatClass {
  readonly #settings: DateSettings;
  #bound: ((date?: unknown) => string) | undefined;

  constructor(locales?: unknown, options?: unknown) {
    this.#settings = readSettings(locales, options, "any", "date");
  }

  static supportedLocalesOf(locales: unknown, options?: unknown): string[] {
    return supportedLocalesOf(SERVICE, locales, options);
  }

  get format(): (date?: unknown) => string {
    const settings = settingsOf(this);
    return (this.#bound ??= (date) => plainText(settings, date));
  }

  formatToParts(date?: unknown): Part[] {
    return partsOf(settingsOf(this), date);
  }

  formatRange(start: unknown, end: unknown): string {
    const parts = this.formatRangeToParts(start, end);
    return parts.every(({ source }) => source === "shared") ? textOf(parts).replaceAll("\u202f", " ") : textOf(parts);
  }

  formatRangeToParts(start: unknown, end: unknown): RangePart[] {
    const settings = settingsOf(this);
    if (start === undefined || end === undefined) throw new TypeError("startDate or endDate cannot be undefined");
    const zone = settings.timeZone ?? defaultTimeZone();
    return rangeParts(settings, momentAt(timeValue(start), zone), momentAt(timeValue(end), zone));
  }

  resolvedOptions(): Record<string, unknown> {
    return describe(settingsOf(this));
  }

  static settings(format: DateTimeFormatClass): DateSettings {
    if (!(#settings in format)) {
      throw new TypeError(`Method Intl.DateTimeFormat called on incompatible receiver ${String(format)}`);
    }
    return format.#settings;
  }
}

const settingsOf = DateTimeFormatClass.settings;
delete (DateTimeFormatClass as { settings?: unknown }).settings;

export const DateTimeFormat = service("DateTimeFormat", DateTimeFormatClass, true);

type Reader = (locales: unknown, options: unknown) => DateSettings;
const readers: Readonly<Record<Need, Reader>> = {
  any: remember((locales, options) => readSettings(locales, options, "any", "all")),
  date: remember((locales, options) => readSettings(locales, options, "date", "date")),
  time: remember((locales, options) => readSettings(locales, options, "time", "time")),
};

/** Date.prototype.toLocaleString ("any") and its two relatives. */
export function dateToLocaleString(time: number, locales: unknown, options: unknown, need: Need): string {
  const settings = readers[need](locales, options);
  return Number.isNaN(time) ? "Invalid Date" : plainText(settings, time);
}

/** V8 writes an ordinary space for the narrow one before AM and PM, but not in parts and ranges. */
function plainText(settings: DateSettings, date: unknown): string {
  return textOf(partsOf(settings, date)).replaceAll("\u202f", " ");
}

function partsOf(settings: DateSettings, date: unknown): Part[] {
  return writeParts(settings.pattern, momentAt(timeValue(date), settings.timeZone ?? defaultTimeZone()), settings.data);
}

/** The moment of an argument of format(): now if there is none. Throws RangeError for no valid time. */
function timeValue(date: unknown): number {
  const time = date === undefined ? Date.now() : Number(date);
  if (!(Math.abs(time) <= MAX_TIME)) throw new RangeError("Invalid time value");
  return Math.trunc(time);
}
