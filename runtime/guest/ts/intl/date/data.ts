/** A locale's date names and patterns, read from the rows of data/date-english.ts and data/date-locales.ts. */
import { DATE_ENGLISH } from "../data/date-english";

export type HourCycle = "h11" | "h12" | "h23" | "h24";
type List = readonly string[];
/** Names wide, abbreviated and narrow. */
export type Widths = readonly [List, List, List];

export interface DateData {
  readonly key: string;
  readonly hourCycle: HourCycle;
  readonly months: Widths;
  readonly monthsAlone: Widths;
  readonly days: Widths;
  readonly daysAlone: Widths;
  readonly halves: Widths;
  readonly eras: Widths;
  /** full, long, medium, short */
  readonly dateStyles: List;
  readonly timeStyles: List;
  /** `{1}` is the date, `{0}` the time. */
  readonly glue: List;
  /** Patterns by skeleton. */
  readonly available: ReadonlyMap<string, string>;
  readonly dayPeriods: readonly DayPeriod[];
  /** How a field that no pattern has is added; `{0}` is what is there. */
  readonly appended: { readonly zone: string; readonly era: string; readonly weekday: string; readonly year: string };
  readonly gmt: { readonly format: string; readonly separator: string; readonly minus: string };
  readonly decimal: string;
}

/** Hours from–to (or one hour exactly, when `to` is undefined) with the wide, abbreviated and narrow name. */
export interface DayPeriod {
  readonly from: number;
  readonly to: number | undefined;
  readonly names: readonly [string, string, string];
}

const cache = new Map<string, DateData>();

/** The data of a data key; rows of other locales than American English are loaded only when asked for. */
export function dateData(key: string): DateData {
  let data = cache.get(key);
  if (data === undefined) {
    data = read(key, cellsOf(key));
    cache.set(key, data);
  }
  return data;
}

function cellsOf(key: string): string[] {
  if (key === "en") return DATE_ENGLISH.split("|");
  const { DATE_LOCALES } = require("amla:intl-locales") as { DATE_LOCALES: Readonly<Record<string, string>> };
  const cells = (DATE_LOCALES[key] as string).split("|");
  if (!cells.includes("=")) return cells;
  const base = cellsOf(key.split("-")[0] as string);
  return cells.map((cell, i) => (cell === "=" ? (base[i] as string) : cell));
}

function read(key: string, cells: readonly string[]): DateData {
  const list = (at: number): string[] => (cells[at] as string).split("~");
  const widths = (at: number): Widths => [list(at), list(at + 1), list(at + 2)];
  const alone = (at: number): Widths => {
    const own = (i: number): string[] => list(cells[at + i] === "" ? at + i - 3 : at + i);
    return [own(0), own(1), own(2)];
  };
  const pairs = (at: number): Widths => {
    const flat = list(at);
    return [flat.slice(0, 2), flat.slice(2, 4), flat.slice(4)];
  };
  const [zone = "", era = "", weekday = "", year = ""] = list(21);
  const [format = "", separator = "", minus = "", decimal = ""] = list(22);
  return {
    key,
    hourCycle: cells[0] as HourCycle,
    months: widths(1),
    monthsAlone: alone(4),
    days: widths(7),
    daysAlone: alone(10),
    halves: pairs(13),
    eras: pairs(14),
    dateStyles: list(15),
    timeStyles: list(16),
    glue: list(18),
    available: new Map(list(19).map((entry) => splitOnce(entry, "="))),
    dayPeriods: list(20).map(readDayPeriod),
    appended: { zone, era, weekday, year },
    gmt: { format, separator, minus },
    decimal,
  };
}

function readDayPeriod(text: string): DayPeriod {
  const [when = "", wide = "", abbreviated = wide, narrow = wide] = text.split("^");
  const [from, to] = when.split("-").map(Number);
  return { from: from ?? 0, to, names: [wide, abbreviated, narrow] };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
