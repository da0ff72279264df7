/**
 * What the parts of a date mean together. A phrase is a row of items, one letter each, and the rules are written over
 * these letters; the first that fits counts.
 *
 *   N number  S signed number  D, E decimal numbers, signed or not  m am, pm  M month  w weekday  u unit  h today…
 *   o ordinal  Z zone  z summer zone  L local zone  d dst  a ago  T the letter; other characters stand for themselves
 */

import type { UnitName } from "./calendar";
import type { Item } from "./date_items";

/** What the rules gather. */
export class Gathered {
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
  /** The zone is one that the place has at some times of the year. */
  local = false;
  weekday = 0;
  ordinal = 0;
  readonly shift: Record<UnitName, number> = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };

  date(year: Item | undefined, month: number, day: number): void {
    this.dates += 1;
    // A year behind a plus is meant as it is.
    if (year) this.year = { value: Math.abs(year.value), digits: year.text.startsWith("+") ? 4 : year.text.replace("-", "").length };
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
  into.local = items[0]!.kind === "L";
  into.zone = items[0]!.kind === "T" ? -7 * 60 : items[0]!.value;
  if (items[1]?.kind === "d") into.zone += 60;
};

const relative: Action = (into, items) => {
  const back = items.at(-1)!.kind === "a" ? -1 : 1;
  const [first, unit] = items;
  if (/[DE]/.test(first!.kind) && unit!.unit !== "second") return false;
  if (first!.kind === "u") into.relative(back, first!);
  else if (first!.kind === "h") into.relative(first!.value, { ...first!, value: 1, unit: "day" });
  else into.relative(back * first!.value, unit!, back * first!.nanosecond);
};

const weekday: Action = (into, items) => {
  into.days += 1;
  const named = items.find(({ kind }) => kind === "w")!;
  into.weekday = named.value;
  into.ordinal = items[0]!.kind === "w" ? 0 : items[0]!.value;
};

/** A day, the letter T, and a time of ISO 8601 with its offset. */
const stamp: Action = (into, items) => {
  const [year, month, day, , ...time] = items;
  into.date(year, -month!.value - 1, -day!.value);
  return time.some(({ kind }) => kind === "S") ? clockWithOffset(into, time) : clock(into, time);
};

const wrong: Action = () => false;

const RULES: readonly (readonly [shape: RegExp, action: Action])[] = [
  [/^NSSTN:N(?::[NE])?(?:S(?::N)?)?/, stamp],
  [/^NSSTNS(?::N)?/, stamp],
  [/^NSST/, wrong],
  [/^NSS/, (into, [year, month, day]) => into.date(year, -month!.value - 1, -day!.value)],
  [/^N:N(?::[NE])?S:N/, clockWithOffset],
  [/^N:N(?::[NE])?S/, clockWithOffset],
  [/^NS:N/, clockWithOffset],
  [/^N:N(?::[NE])?m?/, clock],
  [/^Nm/, clock],
  [/^N\/N\/N/, slashes],
  [/^N\/N/, slashes],
  [/^NMS/, (into, [day, month, year]) => into.date(year, month!.value, day!.value)],
  [/^NMN/, (into, [day, month, year]) => into.date(year, month!.value, day!.value)],
  [/^NM/, (into, [day, month]) => into.date(undefined, month!.value, day!.value)],
  [/^MSS/, (into, [month, day, year]) => into.date(year, month!.value, -day!.value)],
  [/^MN,N/, (into, [month, day, , year]) => into.date(year, month!.value, day!.value)],
  [/^MN/, (into, [month, day]) => into.date(undefined, month!.value, day!.value)],
  [/^NSua/, wrong],
  [/^NSu/, (into, [number, count, unit]) => (into.number(number!), into.relative(count!.value, unit!))],
  [/^NS/, (into, [hour, offset]) => (into.time(hour!.value, 0, undefined, undefined), into.offset(offset!, undefined))],
  [/^[oNSDE]ua?/, relative],
  [/^[oN]w/, weekday],
  [/^w,?/, weekday],
  [/^ua?/, relative],
  [/^h/, relative],
  [/^TS(?!u)|^[ZT]Sua/, wrong],
  [/^ZS:N/, (into, items) => (zone(into, items), into.zones -= 1, into.offset(items[1]!, items[3]))],
  [/^ZS(?!u)/, (into, items) => (zone(into, items), into.zones -= 1, into.offset(items[1]!, undefined))],
  [/^[ZTLz]d?/, zone],
  [/^S(?!u)/, wrong],
  [/^N/, (into, [number]) => into.number(number!)],
];

export function gather(items: readonly Item[]): Gathered | undefined {
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
