/** The options of DateTimeFormat: read, checked, and the skeleton or styles they ask for. */
import { numberOption, type Options, readLocaleMatcher, readNumberingSystem, stringOption } from "../locale/options";
import { type HourCycle } from "./data";

export const SERVICE = "Intl.DateTimeFormat";
export const STYLES = ["full", "long", "medium", "short"] as const;
export type Style = (typeof STYLES)[number];

/** Options with the pattern letters of their values, in the order of a skeleton. */
export const COMPONENTS: readonly (readonly [name: string, values: Readonly<Record<string, string>>])[] = [
  ["weekday", { narrow: "EEEEE", long: "EEEE", short: "EEE" }],
  ["era", { narrow: "GGGGG", long: "GGGG", short: "GGG" }],
  ["year", { "2-digit": "yy", numeric: "y" }],
  ["month", { narrow: "MMMMM", long: "MMMM", short: "MMM", "2-digit": "MM", numeric: "M" }],
  ["day", { "2-digit": "dd", numeric: "d" }],
  ["dayPeriod", { narrow: "BBBBB", long: "BBBB", short: "B" }],
  ["hour", { "2-digit": "hh", numeric: "h" }],
  ["minute", { "2-digit": "mm", numeric: "m" }],
  ["second", { "2-digit": "ss", numeric: "s" }],
  ["timeZoneName", { long: "zzzz", short: "z", longOffset: "OOOO", shortOffset: "O", longGeneric: "vvvv", shortGeneric: "v" }],
];
const DATE_FIELDS = ["weekday", "year", "month", "day"];
const TIME_FIELDS = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];

/** Which fields must be there, and which are added if none of those is: toLocaleDateString wants dates. */
export type Need = "any" | "date" | "time";
export type Defaults = "all" | "date" | "time";

export interface DateOptions {
  readonly hour12: boolean | undefined;
  readonly hourCycle: HourCycle | undefined;
  readonly timeZone: string | undefined;
  /** Letters of the components in order; `h` stands for whatever hours the locale has. */
  readonly skeleton: string;
  readonly hasHour: boolean;
  readonly timeZoneName: string | undefined;
  readonly dateStyle: Style | undefined;
  readonly timeStyle: Style | undefined;
}

export function readOptions(given: unknown, need: Need, defaults: Defaults, keyword: ReadonlyMap<string, string>): DateOptions {
  const options = withDefaults(given, need, defaults);
  readLocaleMatcher(SERVICE, options);
  readCalendar(options, keyword.get("ca"));
  readNumberingSystem(options, keyword.get("nu"));
  const hour12 = options["hour12"] === undefined ? undefined : Boolean(options["hour12"]);
  const cycles = ["h11", "h12", "h23", "h24"] as const;
  const hourCycle = stringOption(SERVICE, options, "hourCycle", cycles, undefined);
  const timeZone = options["timeZone"] === undefined ? undefined : String(options["timeZone"] as string);
  const components = readComponents(options);
  stringOption(SERVICE, options, "formatMatcher", ["basic", "best fit"], "best fit");
  const dateStyle = stringOption(SERVICE, options, "dateStyle", STYLES, undefined);
  const timeStyle = stringOption(SERVICE, options, "timeStyle", STYLES, undefined);
  const [first] = components.keys();
  if (first !== undefined && (dateStyle ?? timeStyle) !== undefined) {
    throw new TypeError(`Can't set option ${first} when ${dateStyle === undefined ? "timeStyle" : "dateStyle"} is used`);
  }
  return {
    hour12, hourCycle, timeZone, dateStyle, timeStyle,
    skeleton: [...components.values()].join(""),
    hasHour: components.has("hour"),
    timeZoneName: components.get("timeZoneName"),
  };
}

function withDefaults(given: unknown, need: Need, defaults: Defaults): Options {
  if (given === null) throw new TypeError("Cannot convert undefined or null to object");
  const options = Object.create(given === undefined ? null : (Object(given) as object)) as Record<string, unknown>;
  const styled = options["dateStyle"] !== undefined || options["timeStyle"] !== undefined;
  const has = (names: readonly string[]): boolean => names.some((name) => options[name] !== undefined);
  const asked = (need !== "time" && has(DATE_FIELDS)) || (need !== "date" && has(TIME_FIELDS));
  if (need === "date" && options["timeStyle"] !== undefined) throw new TypeError("Invalid option : timeStyle");
  if (need === "time" && options["dateStyle"] !== undefined) throw new TypeError("Invalid option : dateStyle");
  if (asked || styled) return options;
  if (defaults !== "time") Object.assign(options, { year: "numeric", month: "numeric", day: "numeric" });
  if (defaults !== "date") Object.assign(options, { hour: "numeric", minute: "numeric", second: "numeric" });
  return options;
}

/** The components that are asked for, with their letters. */
function readComponents(options: Options): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, values] of COMPONENTS) {
    if (name === "timeZoneName") readFraction(options, found);
    const value = stringOption(SERVICE, options, name, Object.keys(values), undefined);
    if (value !== undefined) found.set(name, values[value] as string);
  }
  return found;
}

function readFraction(options: Options, found: Map<string, string>): void {
  const digits = numberOption(options, "fractionalSecondDigits", 1, 3, undefined);
  if (digits !== undefined) found.set("fractionalSecondDigits", "S".repeat(digits));
}

function readCalendar(options: Options, keyword: string | undefined): void {
  const calendar = stringOption(SERVICE, options, "calendar", undefined, undefined) ?? keyword;
  if (calendar === undefined) return;
  if (!/^[a-z0-9]{3,8}(-[a-z0-9]{3,8})*$/i.test(calendar)) throw new RangeError(`Invalid calendar : ${calendar}`);
  if (!/^gregor(y|ian)$/i.test(calendar)) {
    throw new RangeError(`Intl.DateTimeFormat has only the calendar gregory here, not ${calendar}`);
  }
}
