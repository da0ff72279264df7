/** Writing a moment by a pattern: each run of letters is one field, all else is literal. */
import { joinParts, type Part } from "../locale/service";
import { offsetAt } from "../zones";
import { type DateData, type DayPeriod, type Widths } from "./data";
import { genericName, specificName } from "./zone-name";

export interface Moment {
  readonly utc: number;
  readonly offset: number;
  readonly zone: string;
  readonly era: 0 | 1;
  /** Of the era. */
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

type Writer = (moment: Moment, length: number, data: DateData, pattern: string) => string;

/** letter: type of part, how it is written. */
const FIELDS: Readonly<Record<string, readonly [type: string, write: Writer]>> = {
  G: ["era", (m, n, d) => named(d.eras, n)[m.era] as string],
  y: ["year", (m, n) => (n === 2 ? pad(m.year % 100, 2) : pad(m.year, n))],
  M: ["month", (m, n, d) => month(m, n, d.months)],
  L: ["month", (m, n, d) => month(m, n, d.monthsAlone)],
  d: ["day", (m, n) => pad(m.day, n)],
  E: ["weekday", (m, n, d) => named(d.days, n)[m.weekday] as string],
  c: ["weekday", (m, n, d) => named(d.daysAlone, n)[m.weekday] as string],
  a: ["dayPeriod", (m, n, d) => named(d.halves, n)[m.hour < 12 ? 0 : 1] as string],
  B: ["dayPeriod", (m, n, d, pattern) => partOfDay(m, n, d, pattern)],
  h: ["hour", (m, n) => pad(m.hour % 12 || 12, n)],
  K: ["hour", (m, n) => pad(m.hour % 12, n)],
  H: ["hour", (m, n) => pad(m.hour, n)],
  k: ["hour", (m, n) => pad(m.hour || 24, n)],
  m: ["minute", (m, n) => pad(m.minute, n)],
  s: ["second", (m, n) => pad(m.second, n)],
  S: ["fractionalSecond", (m, n) => pad(m.millisecond, 3).slice(0, n)],
  z: ["timeZoneName", (m, n, d) => specificName(m.zone, m.utc, n === 4) ?? gmtOffset(m.offset, n === 4, d)],
  O: ["timeZoneName", (m, n, d) => gmtOffset(m.offset, n === 4, d)],
  v: ["timeZoneName", (m, n, d) => genericName(m.zone, m.utc, n === 4) ?? gmtOffset(m.offset, n === 4, d)],
};

export function momentAt(utc: number, zone: string): Moment {
  const offset = offsetAt(zone, utc);
  const local = new Date(utc + offset);
  const year = local.getUTCFullYear();
  return {
    utc, offset, zone,
    era: year > 0 ? 1 : 0,
    year: year > 0 ? year : 1 - year,
    month: local.getUTCMonth(),
    day: local.getUTCDate(),
    weekday: local.getUTCDay(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    millisecond: local.getUTCMilliseconds(),
  };
}

/** A field of a pattern, or literal text. */
type Piece = { readonly literal: string } | { readonly type: string; readonly write: Writer; readonly length: number };
const pieces = new Map<string, readonly Piece[]>();

/** The parts of a moment by a pattern in which quotes enclose literal text. */
export function writeParts(pattern: string, moment: Moment, data: DateData): Part[] {
  let read = pieces.get(pattern);
  if (read === undefined) {
    read = readPattern(pattern);
    pieces.set(pattern, read);
  }
  const parts = read.map((piece): Part => {
    if ("literal" in piece) return { type: "literal", value: piece.literal };
    return { type: piece.type, value: piece.write(moment, piece.length, data, pattern) };
  });
  return joinParts(parts);
}

function readPattern(pattern: string): Piece[] {
  return Array.from(pattern.matchAll(/'([^']*)'|([A-Za-z])\2*|[^'A-Za-z]+/g), ([run, quoted]): Piece => {
    const [type, write] = FIELDS[run.charAt(0)] ?? [];
    if (type === undefined || write === undefined) return { literal: quoted === undefined ? run : quoted || "'" };
    return { type, write, length: run.length };
  });
}

const pad = (value: number, length: number): string => String(value).padStart(length, "0");

const named = ([wide, abbreviated, narrow]: Widths, length: number): readonly string[] =>
  length === 4 ? wide : length === 5 ? narrow : abbreviated;

function month(moment: Moment, length: number, names: Widths): string {
  return length < 3 ? pad(moment.month + 1, length) : (named(names, length)[moment.month] as string);
}

/** Noon is exact to what the pattern shows of the time; midnight has no name of its own with a clock time. */
function partOfDay(moment: Moment, length: number, data: DateData, pattern: string): string {
  const shown = pattern.replace(/'[^']*'/g, "");
  const exact = (!shown.includes("m") || moment.minute === 0) && (!shown.includes("s") || moment.second === 0);
  const noon = moment.hour === 12 && exact ? data.dayPeriods.find(({ from, to }) => from === 12 && to === undefined) : undefined;
  const period = noon ?? data.dayPeriods.find((candidate) => covers(candidate, moment.hour));
  if (period === undefined) return named(data.halves, length)[moment.hour < 12 ? 0 : 1] as string;
  return period.names[length === 4 ? 0 : length === 5 ? 2 : 1];
}

function covers({ from, to }: DayPeriod, hour: number): boolean {
  if (to === undefined) return false;
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}

/** "GMT+5:30" or "GMT+05:30". */
function gmtOffset(offset: number, long: boolean, { gmt }: DateData): string {
  const total = Math.abs(offset) / 1000;
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = total % 60;
  const tail = seconds > 0 ? gmt.separator + pad(seconds, 2) : "";
  const clock = long || minutes > 0 || seconds > 0 ? gmt.separator + pad(minutes, 2) + tail : "";
  return gmt.format.replace("{0}", `${offset < 0 ? gmt.minus : "+"}${pad(hours, long ? 2 : 1)}${clock}`);
}
