/** Dates as `date -d` and `touch -d` take them. */

import { localType, momentOf } from "../shell/format/zone";
import { itemsOf, numberItem } from "./date_items";
import { gather, type Gathered } from "./date_rules";
import { type Moment, momentOfMs } from "./moments";

/** A wall clock as milliseconds, read as if UTC; years below 100 are meant as they are. */
function wallOf(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  const wall = new Date(0);
  wall.setUTCFullYear(year, month, day);
  wall.setUTCHours(hour, minute, second);
  return wall.getTime();
}

function hourOf({ hour, half }: Gathered): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  return hour >= 1 && hour <= 12 ? (hour % 12) + half : undefined;
}

function yearOf(given: Gathered["year"], now: number): number {
  if (!given) return now;
  return given.digits === 2 ? given.value + (given.value < 69 ? 2000 : 1900) : given.value;
}

/** Counts from `now`; undefined where there is no such time. */
function resolve(given: Gathered, now: Moment, tz: string | undefined): Moment | undefined {
  const nowMs = now.seconds * 1000;
  const local = new Date(nowMs + offsetAt(tz, nowMs));
  const dated = given.dates > 0;
  const year = yearOf(given.year, local.getUTCFullYear());
  const [month, day] = dated ? [given.month, given.day] : [local.getUTCMonth(), local.getUTCDate()];
  const running = given.times === 0 && given.relatives > 0 && !dated && given.days === 0;
  const hour = running ? local.getUTCHours() : given.times > 0 ? hourOf(given) : 0;
  if (hour === undefined) return undefined;
  const [minute, second] = running ? [local.getUTCMinutes(), local.getUTCSeconds()] : [given.minute, given.second];
  let wall = wallOf(year, month, day, hour, minute, second);
  const check = new Date(wall);
  if (check.getUTCMonth() !== month || check.getUTCDate() !== day || check.getUTCHours() !== hour || check.getUTCMinutes() !== minute || check.getUTCSeconds() !== second) return undefined;
  const isKnown = given.local ? offsetAt(tz, wall - given.zone * 60_000) === given.zone * 60_000 : given.zones > 0 || !isGap(tz, wall);
  if (!isKnown) return undefined;
  if (given.days > 0 && !dated) {
    const { ordinal, weekday } = given;
    const today = check.getUTCDay();
    wall += ((weekday - today + 7) % 7 + 7 * (ordinal - (ordinal > 0 && today !== weekday ? 1 : 0))) * 86_400_000;
  }
  const { shift } = given;
  if (shift.year || shift.month || shift.day) {
    const at = new Date(wall);
    wall = wallOf(at.getUTCFullYear() + shift.year, at.getUTCMonth() + shift.month, at.getUTCDate() + shift.day, at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds());
  }
  // A day that is told from now is counted in the summer or winter time of now.
  const ms = given.zones > 0 ? wall - given.zone * 60_000 : running ? wall - offsetAt(tz, nowMs) : momentOf(tz, wall);
  const nanosecond = (running ? now.nanosecond : 0) + given.nanosecond;
  const carry = Math.floor(nanosecond / 1e9);
  const seconds = Math.floor(ms / 1000) + shift.hour * 3600 + shift.minute * 60 + shift.second + carry;
  return Number.isFinite(seconds) ? { seconds, nanosecond: nanosecond - carry * 1e9 } : undefined;
}

function offsetAt(tz: string | undefined, ms: number): number {
  return localType(tz, ms).offset;
}

/** Whether clocks jump over that time. */
function isGap(tz: string | undefined, wall: number): boolean {
  const ms = momentOf(tz, wall);
  return ms + offsetAt(tz, ms) !== wall;
}

/** The abbreviations that the zone has in winter and summer. */
function abbreviations(tz: string | undefined, now: Moment): string[] {
  return [0, 182].map((days) => localType(tz, (now.seconds + days * 86_400) * 1000).abbreviation);
}

/** The moment that a phrase means; undefined when it means none. */
export function parsePhrase(phrase: string, now: Moment, tz: string | undefined): Moment | undefined {
  const [, named, rest] = /^\s*TZ="((?:[^"\\]|\\.)*)"([^]*)$/.exec(phrase) ?? [];
  if (rest !== undefined) return parsePhrase(rest, now, named!.replace(/\\(.)/g, "$1"));
  const seconds = /^\s*@\s*([-+]?)\s*(\d+)(?:[.,](\d+))?\s*$/.exec(phrase);
  if (seconds) {
    const { value, nanosecond } = numberItem(seconds[1] || undefined, seconds[2]!, seconds[3]);
    return { seconds: value, nanosecond };
  }
  if (phrase.includes("@")) return undefined;
  const locals = abbreviations(tz, now);
  const items = itemsOf(phrase, locals);
  const known = items?.map((item) => (item.kind === "L" ? { ...item, value: offsetOf(tz, now, item.text) } : item));
  const gathered = known && gather(known);
  return gathered && resolve(gathered, now, tz);
}

/** Minutes east of UTC while the zone has that abbreviation. */
function offsetOf(tz: string | undefined, now: Moment, abbreviation: string): number {
  const types = [0, 182].map((days) => localType(tz, (now.seconds + days * 86_400) * 1000));
  return (types.find((type) => type.abbreviation.toLowerCase() === abbreviation.toLowerCase())?.offset ?? 0) / 60_000;
}

/** `[[CC]YY]MMDDhhmm[.ss]`, as `touch -t` has it. */
export function parseStamp(text: string, now: Moment, tz: string | undefined): Moment | undefined {
  const [, century, year, month, day, hour, minute, second = "0"] = /^(\d\d)??(\d\d)?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/.exec(text) ?? [];
  if (minute === undefined) return undefined;
  const current = new Date(now.seconds * 1000 + localType(tz, now.seconds * 1000).offset).getUTCFullYear();
  const short = Number(year);
  const full = year === undefined ? current : century === undefined ? short + (short < 69 ? 2000 : 1900) : Number(century) * 100 + short;
  const wall = wallOf(full, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const check = new Date(wall);
  if (check.getUTCMonth() !== Number(month) - 1 || check.getUTCDate() !== Number(day) || check.getUTCHours() !== Number(hour) || check.getUTCMinutes() !== Number(minute)) return undefined;
  return momentOfMs(momentOf(tz, wall));
}
