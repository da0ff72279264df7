/**
 * Dates as `date -d` and `touch -d` take them. A phrase becomes a row of items, one letter each, and rules written over
 * these letters say what they mean; the longest that fits comes first.
 *
 *   N number  S signed number  D, E decimal numbers, signed or not  m am, pm  M month  w weekday  u unit  h today…
 *   o ordinal  Z zone  z summer zone  L local zone  d dst  a ago; other characters stand for themselves
 */

import { localType, momentOf } from "../shell/format/zone";
import { type UnitName, wordOf } from "./calendar";
import { type Moment, momentOfMs } from "./moments";

interface Item {
  readonly kind: string;
  readonly text: string;
  readonly value: number;
  readonly nanosecond: number;
  readonly unit?: UnitName | undefined;
}

const NUMBER = /^([-+])?(\d+)(?:[.,](\d+))?/;
const WORD = /^[A-Za-z][A-Za-z.]*/;

function numberItem(sign: string | undefined, digits: string, fraction: string | undefined): Item {
  const text = (sign ?? "") + digits;
  let value = Number(text);
  let nanosecond = Number((fraction ?? "").slice(0, 9).padEnd(9, "0"));
  if (sign === "-" && nanosecond > 0) {
    value -= 1;
    nanosecond = 1_000_000_000 - nanosecond;
  }
  const kind = fraction === undefined ? (sign ? "S" : "N") : sign ? "D" : "E";
  return { kind, text, value: value === 0 ? 0 : value, nanosecond };
}

function itemsOf(phrase: string, locals: readonly string[]): Item[] | undefined {
  const items: Item[] = [];
  let rest = phrase;
  for (;;) {
    rest = rest.replace(/^[\s]+/, "");
    if (rest === "") return items;
    const number = NUMBER.exec(rest.replace(/^([-+])\s+(?=\d)/, "$1"));
    const word = WORD.exec(rest)?.[0];
    if (number) {
      rest = rest.replace(/^([-+])\s+(?=\d)/, "$1").slice(number[0].length);
      items.push(numberItem(number[1], number[2]!, number[3]));
    } else if (word !== undefined) {
      rest = rest.slice(word.length);
      const known = /^t$/i.test(word) ? undefined : wordOf(word, locals);
      if (known) items.push({ ...known, text: word, nanosecond: 0 });
      else if (/^t$/i.test(word)) items.push({ kind: "T", text: word, value: 0, nanosecond: 0 });
      else return undefined;
    } else if (rest.startsWith("(")) rest = withoutComment(rest);
    else {
      if (rest[0] !== "-" && rest[0] !== "+") items.push({ kind: rest[0]!, text: rest[0]!, value: 0, nanosecond: 0 });
      rest = rest.slice(1);
    }
  }
}

function withoutComment(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")" && --depth === 0) return text.slice(at + 1);
  }
  return "";
}

/** What the rules gather. */
class Gathered {
  dates = 0;
  times = 0;
  zones = 0;
  days = 0;
  relatives = 0;
  year: { value: number; digits: number } | undefined;
  month = 0;
  day = 1;
  hour = 0;
  minute = 0;
  second = 0;
  nanosecond = 0;
  half: number | undefined;
  /** Minutes east of UTC. */
  zone = 0;
  weekday = 0;
  ordinal = 0;
  readonly shift: Record<UnitName, number> = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };

  date(year: Item | undefined, month: number, day: number): void {
    this.dates += 1;
    if (year) this.year = { value: Math.abs(year.value), digits: year.text.replace(/^[-+]/, "").length };
    this.month = month;
    this.day = day;
  }

  time(hour: number, minute: number, second: Item | undefined, half: number | undefined): void {
    this.times += 1;
    Object.assign(this, { hour, minute, second: second?.value ?? 0, nanosecond: second?.nanosecond ?? 0, half });
  }

  offset(item: Item, minutes: Item | undefined): boolean {
    this.zones += 1;
    const sign = item.text.startsWith("-") ? -1 : 1;
    const size = Math.abs(item.value);
    const digits = item.text.length - 1;
    const total = minutes ? size * 60 + minutes.value : digits <= 2 ? size * 60 : Math.floor(size / 100) * 60 + (size % 100);
    this.zone += sign * total;
    return total <= 24 * 60;
  }

  relative(count: number, unit: Item, nanosecond = 0): void {
    this.relatives += 1;
    this.shift[unit.unit!] += count * unit.value;
    this.nanosecond += nanosecond;
  }

  /** A number alone: a year behind a date, a date, or a time. */
  number(item: Item): boolean {
    const digits = item.text.length;
    if (this.dates > 0 && !this.year && this.relatives === 0 && (this.times > 0 || digits > 2)) {
      this.year = { value: item.value, digits };
    } else if (digits > 4) {
      this.dates += 1;
      this.day = item.value % 100;
      this.month = (Math.floor(item.value / 100) % 100) - 1;
      this.year = { value: Math.floor(item.value / 10_000), digits: digits - 4 };
    } else this.time(digits <= 2 ? item.value : Math.floor(item.value / 100), digits <= 2 ? 0 : item.value % 100, undefined, undefined);
    return true;
  }
}

/** False: the phrase means nothing after all. */
type Action = (into: Gathered, items: readonly Item[]) => boolean | void;

/** `10/30/2024`, and `2024/10/30` where the first has more than four digits or four. */
const slashes: Action = (into, [first, , second, , third]) => {
  if (third && first!.text.length >= 4) into.date(first, second!.value - 1, third.value);
  else into.date(third, first!.value - 1, second!.value);
};

const clock: Action = (into, items) => {
  const numbers = items.filter(({ kind }) => kind === "N" || kind === "E");
  into.time(numbers[0]!.value, numbers[1]?.value ?? 0, numbers[2], items.find(({ kind }) => kind === "m")?.value);
};

/** A time with the zone's offset behind it, whose minutes may follow a colon. */
const clockWithOffset: Action = (into, items) => {
  const at = items.findIndex(({ kind }) => kind === "S");
  clock(into, items.slice(0, at));
  return into.offset(items[at]!, items[at + 2]);
};

const zone: Action = (into, items) => {
  into.zones += 1;
  into.zone = items[0]!.kind === "T" ? -7 * 60 : items[0]!.value;
  if (items[1]?.kind === "d") into.zone += 60;
};

const relative: Action = (into, items) => {
  const back = items.at(-1)!.kind === "a" ? -1 : 1;
  const [first] = items;
  if (first!.kind === "u") into.relative(back, first!);
  else if (first!.kind === "h") into.relative(first!.value, { ...first!, value: 1, unit: "day" });
  else into.relative(back * first!.value, items[1]!, back * first!.nanosecond);
};

const weekday: Action = (into, items) => {
  into.days += 1;
  const named = items.find(({ kind }) => kind === "w")!;
  into.weekday = named.value;
  into.ordinal = items[0]!.kind === "w" ? 0 : items[0]!.value;
};

const RULES: readonly (readonly [shape: RegExp, action: Action])[] = [
  [/^NSST(?=N)/, (into, [year, month, day]) => into.date(year, -month!.value - 1, -day!.value)],
  [/^NSS(?!u)/, (into, [year, month, day]) => into.date(year, -month!.value - 1, -day!.value)],
  [/^N:N(?::[NE])?S:N/, clockWithOffset],
  [/^N:N(?::[NE])?S/, clockWithOffset],
  [/^NS:N/, clockWithOffset],
  [/^N:N(?::[NE])?m?/, clock],
  [/^Nm/, clock],
  [/^N\/N\/N/, slashes],
  [/^N\/N/, slashes],
  [/^NMS/, (into, [day, month, year]) => into.date(year, month!.value, day!.value)],
  [/^NMN(?![:mu])/, (into, [day, month, year]) => into.date(year, month!.value, day!.value)],
  [/^NM/, (into, [day, month]) => into.date(undefined, month!.value, day!.value)],
  [/^MSS/, (into, [month, day, year]) => into.date(year, month!.value, -day!.value)],
  [/^MN,N/, (into, [month, day, , year]) => into.date(year, month!.value, day!.value)],
  [/^MN(?![:m])/, (into, [month, day]) => into.date(undefined, month!.value, day!.value)],
  [/^NSu/, (into, [number, count, unit]) => (into.relative(count!.value, unit!), into.number(number!))],
  [/^NS/, (into, [hour, offset]) => (into.time(hour!.value, 0, undefined, undefined), into.offset(offset!, undefined))],
  [/^[oNSDE]ua?/, relative],
  [/^[oN]w/, weekday],
  [/^w,?/, weekday],
  [/^ua?/, relative],
  [/^h/, relative],
  [/^[ZTL]S:N/, (into, items) => (zone(into, items), into.zones -= 1, into.offset(items[1]!, items[3]))],
  [/^[ZTL]S(?!u)/, (into, items) => (zone(into, items), into.zones -= 1, into.offset(items[1]!, undefined))],
  [/^[ZTLz]d?/, zone],
  [/^S(?!u)/, () => false],
  [/^N/, (into, [number]) => into.number(number!)],
];

function gather(items: readonly Item[]): Gathered | undefined {
  const shape = items.map(({ kind }) => kind).join("");
  const into = new Gathered();
  for (let at = 0; at < items.length; ) {
    const rest = shape.slice(at);
    const rule = RULES.find(([pattern]) => pattern.test(rest));
    const length = rule?.[0].exec(rest)![0].length ?? 0;
    if (!rule || rule[1](into, items.slice(at, at + length)) === false) return undefined;
    at += length;
  }
  const most = Math.max(into.dates, into.times, into.days, into.zones);
  return most > 1 ? undefined : into;
}

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
  const local = new Date(nowMs + localType(tz, nowMs).offset);
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
  if (given.zones === 0 && isGap(tz, wall)) return undefined;
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
  const ms = given.zones > 0 ? wall - given.zone * 60_000 : momentOf(tz, wall);
  const nanosecond = (running ? now.nanosecond : 0) + given.nanosecond;
  const carry = Math.floor(nanosecond / 1e9);
  const seconds = Math.floor(ms / 1000) + shift.hour * 3600 + shift.minute * 60 + shift.second + carry;
  return Number.isFinite(seconds) ? { seconds, nanosecond: nanosecond - carry * 1e9 } : undefined;
}

/** Whether clocks jump over that time. */
function isGap(tz: string | undefined, wall: number): boolean {
  const ms = momentOf(tz, wall);
  return ms + localType(tz, ms).offset !== wall;
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
