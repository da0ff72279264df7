/** POSIX time zone rules such as `EST5EDT,M3.2.0,M11.1.0`, the form in which zones go on after their last transition. */
import type { LocalType } from "./zones";

interface Change {
  readonly month: number;
  readonly week: number;
  readonly weekday: number;
  /** Milliseconds after local midnight; may be negative or beyond a day. */
  readonly time: number;
}

export interface PosixRule {
  readonly standard: LocalType | undefined;
  readonly daylight?: { readonly type: LocalType; readonly starts: Change; readonly ends: Change };
}

const DAY = 86_400_000;
const NAME_AND_OFFSET = /(<[^>]+>|[A-Za-z]+)(-?[\d:]*)/y;

/** Read a rule. An empty one has no standard time: the last transition's type goes on. */
export function parsePosixRule(text: string): PosixRule {
  if (text === "") return { standard: undefined };
  const [names, starts, ends] = text.split(",") as [string, string?, string?];
  NAME_AND_OFFSET.lastIndex = 0;
  const standard = readType(NAME_AND_OFFSET.exec(names), false, 0);
  if (starts === undefined || ends === undefined) return { standard };
  const type = readType(NAME_AND_OFFSET.exec(names), true, standard.offset + 3_600_000);
  return { standard, daylight: { type, starts: readChange(starts), ends: readChange(ends) } };
}

/** The local time that a rule gives for a moment, or undefined if the rule is empty. */
export function typeByRule(rule: PosixRule, utcMs: number): LocalType | undefined {
  const { standard, daylight } = rule;
  if (standard === undefined || daylight === undefined) return standard;
  const year = new Date(utcMs + standard.offset).getUTCFullYear();
  const start = momentOf(daylight.starts, year) - standard.offset;
  const end = momentOf(daylight.ends, year) - daylight.type.offset;
  const within = start < end ? utcMs >= start && utcMs < end : utcMs >= start || utcMs < end;
  return within ? daylight.type : standard;
}

/** The changes of a year, in order. */
export function changesByRule({ standard, daylight }: PosixRule, year: number): [from: number, type: LocalType][] {
  if (standard === undefined || daylight === undefined) return [];
  const both: [number, LocalType][] = [
    [momentOf(daylight.starts, year) - standard.offset, daylight.type],
    [momentOf(daylight.ends, year) - daylight.type.offset, standard],
  ];
  return both.sort(([one], [other]) => one - other);
}

function readType(match: RegExpExecArray | null, isDst: boolean, otherwise: number): LocalType {
  const [, name = "", west = ""] = match ?? [];
  return { abbreviation: name.replace(/[<>]/g, ""), isDst, offset: west === "" ? otherwise : -readTime(west) };
}

function readChange(text: string): Change {
  const [day, time = "2"] = text.split("/") as [string, string?];
  const [month, week, weekday] = day.slice(1).split(".").map(Number) as [number, number, number];
  return { month, week, weekday, time: readTime(time) };
}

function readTime(text: string): number {
  const [hours, minutes = 0, seconds = 0] = text.replace("-", "").split(":").map(Number) as [number, number?, number?];
  return (text.startsWith("-") ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}

/** The local moment of a change in a year: the weekday's n-th occurrence in the month, the fifth meaning the last. */
function momentOf(change: Change, year: number): number {
  const first = utcDate(year, change.month - 1);
  const days = (utcDate(year, change.month) - first) / DAY;
  const firstWeekday = new Date(first).getUTCDay();
  let day = ((change.weekday - firstWeekday + 7) % 7) + (change.week - 1) * 7;
  if (day >= days) day -= 7;
  return first + day * DAY + change.time;
}

function utcDate(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}
