/** From locale and options to the pattern that a DateTimeFormat writes with. */
import { nameWithKeywords, resolveLocale } from "../locale/negotiate";
import { type DateData, dateData, type HourCycle } from "./data";
import { mapFields, PatternGenerator } from "./generator";
import { COMPONENTS, type DateOptions, type Defaults, type Need, readOptions, SERVICE, type Style, STYLES } from "./options";
import { canonicalZone } from "./zone-name";

const HOUR_LETTERS: Readonly<Record<HourCycle, string>> = { h11: "K", h12: "h", h23: "H", h24: "k" };

export interface DateSettings {
  readonly locale: string;
  /** Undefined for the default one, which a script may change. */
  readonly timeZone: string | undefined;
  readonly hourCycle: HourCycle | undefined;
  readonly dateStyle: Style | undefined;
  readonly timeStyle: Style | undefined;
  readonly pattern: string;
  readonly data: DateData;
}

const generators = new Map<string, PatternGenerator>();

export function readSettings(locales: unknown, given: unknown, need: Need, defaults: Defaults): DateSettings {
  const resolved = resolveLocale(locales);
  const options = readOptions(given, need, defaults, resolved.keywords);
  const data = dateData(resolved.data);
  const keyword = resolved.keywords.get("hc");
  const cycle = options.hasHour || options.timeStyle !== undefined ? hourCycleOf(options, keyword, data) : undefined;
  refuseUnknownWords(options, data, resolved.locale);
  const pattern = options.dateStyle ?? options.timeStyle ? stylePattern(options, data, cycle) : fieldsPattern(options, data, cycle);
  const used = options.hour12 === undefined && (options.hourCycle === undefined || options.hourCycle === keyword);
  return {
    locale: nameWithKeywords(resolved, { hc: used ? keyword : undefined, nu: "latn", ca: "gregory" }),
    timeZone: options.timeZone === undefined ? undefined : canonicalZone(options.timeZone),
    hourCycle: cycle,
    dateStyle: options.dateStyle,
    timeStyle: options.timeStyle,
    pattern,
    data,
  };
}

/** resolvedOptions(), in V8's order; the components are those of the pattern. */
export function describe(settings: DateSettings): Record<string, unknown> {
  const { hourCycle, dateStyle, timeStyle } = settings;
  return {
    locale: settings.locale,
    calendar: "gregory",
    numberingSystem: "latn",
    timeZone: settings.timeZone ?? defaultTimeZone(),
    ...(hourCycle !== undefined && { hourCycle, hour12: hourCycle === "h11" || hourCycle === "h12" }),
    ...(dateStyle === undefined && timeStyle === undefined && describeComponents(settings.pattern)),
    ...(dateStyle !== undefined && { dateStyle }),
    ...(timeStyle !== undefined && { timeStyle }),
  };
}

/** V8 looks for the letters anywhere in the pattern, in literal text too. */
function describeComponents(pattern: string): Record<string, string | number> {
  const out: Record<string, string | number> = {};
  for (const [name, values] of COMPONENTS) {
    const fraction = /S+/.exec(pattern)?.[0].length;
    if (name === "timeZoneName" && fraction !== undefined) out["fractionalSecondDigits"] = fraction;
    const widest = Object.entries(values).sort(([, a], [, b]) => b.length - a.length);
    for (const letter of OTHER_LETTERS[name] ?? [""]) {
      const found = widest.find(([, letters]) => pattern.includes(letter === "" ? letters : letter.repeat(letters.length)));
      if (found !== undefined) out[name] ??= found[0];
    }
  }
  return out;
}

/** The letters of fields that have several, in the order in which V8 tries them. */
const OTHER_LETTERS: Readonly<Record<string, string>> = { weekday: "Ec", month: "ML", hour: "HhkK", dayPeriod: "Bb" };

function hourCycleOf({ hour12, hourCycle }: DateOptions, keyword: string | undefined, data: DateData): HourCycle {
  const zeroBased = data.hourCycle === "h11" || data.hourCycle === "h23";
  if (hour12 !== undefined) return hour12 ? (zeroBased ? "h11" : "h12") : zeroBased ? "h23" : "h24";
  const asked = hourCycle ?? keyword;
  return asked !== undefined && asked in HOUR_LETTERS ? (asked as HourCycle) : data.hourCycle;
}

function fieldsPattern({ skeleton }: DateOptions, data: DateData, cycle: HourCycle | undefined): string {
  const letter = HOUR_LETTERS[cycle ?? data.hourCycle];
  return withHours(generatorOf(data).best(skeleton.replaceAll("h", letter)), cycle);
}

function stylePattern({ dateStyle, timeStyle }: DateOptions, data: DateData, cycle: HourCycle | undefined): string {
  const date = dateStyle && (data.dateStyles[STYLES.indexOf(dateStyle)] as string);
  const time = timeStyle && (data.timeStyles[STYLES.indexOf(timeStyle)] as string);
  if (time === undefined) return date as string;
  const glue = dateStyle && (data.glue[STYLES.indexOf(dateStyle)] as string);
  const pattern = glue === undefined ? time : glue.replace(/\{([01])\}/g, (_, at: string) => (at === "0" ? time : (date as string)));
  const letter = HOUR_LETTERS[cycle ?? data.hourCycle];
  if (hourLetterIn(time) === letter) return pattern;
  const skeleton = skeletonOf(pattern).replace(/[aBb]/g, "").replace(/[hHkK]/g, letter);
  return withHours(generatorOf(data).best(skeleton), cycle);
}

/** The generator of a locale, made once. */
export function generatorOf(data: DateData): PatternGenerator {
  let generator = generators.get(data.key);
  if (generator === undefined) {
    generator = new PatternGenerator(data);
    generators.set(data.key, generator);
  }
  return generator;
}

/** The pattern with the hours of the cycle, whatever the locale's own pattern counts. */
function withHours(pattern: string, cycle: HourCycle | undefined): string {
  if (cycle === undefined) return pattern;
  return mapFields(pattern, (run) => (/[hHkK]/.test(run) ? HOUR_LETTERS[cycle].repeat(run.length) : run));
}

function hourLetterIn(pattern: string): string | undefined {
  return /[hHkK]/.exec(pattern.replace(/'[^']*'/g, ""))?.[0];
}

function skeletonOf(pattern: string): string {
  let out = "";
  mapFields(pattern, (run) => ((out += run), run));
  return out;
}

/** Zones, eras and parts of the day have names only in American English. */
function refuseUnknownWords({ skeleton, timeStyle }: DateOptions, data: DateData, locale: string): void {
  if (data.key === "en") return;
  const words: readonly (readonly [used: boolean, name: string])[] = [
    [/[zv]/.test(skeleton), "timeZoneName other than shortOffset and longOffset"],
    [skeleton.includes("G"), "era"],
    [skeleton.includes("B"), "dayPeriod"],
    [timeStyle === "full" || timeStyle === "long", `timeStyle '${timeStyle}'`],
  ];
  const [, wanted] = words.find(([used]) => used) ?? [];
  if (wanted !== undefined) throw new RangeError(`${SERVICE}: ${wanted} is available here only in en-US, not in ${locale}`);
}

/** The zone of the environment variable TZ, else UTC. */
export function defaultTimeZone(): string {
  const { env } = require("node:process") as { env: Readonly<Record<string, string | undefined>> };
  const name = env["TZ"];
  if (name === undefined || name === "" || name === "UTC") return "UTC";
  try {
    return canonicalZone(name.replace(/^:/, ""));
  } catch {
    return "UTC";
  }
}
