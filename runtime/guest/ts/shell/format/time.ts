/** strftime with the flags that GNU date adds, in the C locale. */

import { localType } from "./zone";

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
];
const DAY = 86_400_000;

/** A moment taken apart in a zone. */
interface Fields {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** 0 to 365. */
  readonly yearday: number;
  /** Seconds since 1970. */
  readonly epoch: number;
  /** Minutes east of UTC, with seconds as a fraction. */
  readonly offset: number;
  readonly zone: string;
}

function take(seconds: number, nanosecond: number, tz: string | undefined): Fields {
  const ms = seconds * 1000;
  const { offset, abbreviation } = localType(tz, ms);
  const wall = new Date(ms + offset);
  const year = wall.getUTCFullYear();
  return {
    year,
    month: wall.getUTCMonth(),
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
    nanosecond,
    weekday: wall.getUTCDay(),
    yearday: Math.floor((wall.getTime() - new Date(wall).setUTCMonth(0, 1)) / DAY),
    epoch: seconds,
    offset: offset / 60_000,
    zone: abbreviation,
  };
}

/** Year and number of the ISO 8601 week. */
function isoWeek({ year, yearday, weekday }: Fields): [number, number] {
  const thursday = yearday - ((weekday + 6) % 7) + 3;
  if (thursday < 0) {
    const before = daysOf(year - 1) + thursday;
    return [year - 1, Math.floor(before / 7) + 1];
  }
  if (thursday >= daysOf(year)) return [year + 1, 1];
  return [year, Math.floor(thursday / 7) + 1];
}

function daysOf(year: number): number {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 366 : 365;
}

const hour12 = ({ hour }: Fields): number => hour % 12 || 12;

/** A number with the width and the filler that it has without flags. */
type Numeric = readonly [value: (fields: Fields) => number, width: number, filler: "0" | "_"];

const NUMBERS: Readonly<Record<string, Numeric>> = {
  C: [({ year }) => Math.floor(year / 100), 2, "0"],
  d: [({ day }) => day, 2, "0"],
  e: [({ day }) => day, 2, "_"],
  g: [(fields) => isoWeek(fields)[0] % 100, 2, "0"],
  G: [(fields) => isoWeek(fields)[0], 4, "0"],
  H: [({ hour }) => hour, 2, "0"],
  I: [hour12, 2, "0"],
  j: [({ yearday }) => yearday + 1, 3, "0"],
  k: [({ hour }) => hour, 2, "_"],
  l: [hour12, 2, "_"],
  m: [({ month }) => month + 1, 2, "0"],
  M: [({ minute }) => minute, 2, "0"],
  q: [({ month }) => Math.floor(month / 3) + 1, 1, "0"],
  s: [({ epoch }) => epoch, 1, "0"],
  S: [({ second }) => second, 2, "0"],
  u: [({ weekday }) => weekday || 7, 1, "0"],
  U: [({ yearday, weekday }) => Math.floor((yearday + 7 - weekday) / 7), 2, "0"],
  V: [(fields) => isoWeek(fields)[1], 2, "0"],
  w: [({ weekday }) => weekday, 1, "0"],
  W: [({ yearday, weekday }) => Math.floor((yearday + 7 - ((weekday + 6) % 7)) / 7), 2, "0"],
  y: [({ year }) => ((year % 100) + 100) % 100, 2, "0"],
  Y: [({ year }) => year, 4, "0"],
};

const TEXTS: Readonly<Record<string, (fields: Fields) => string>> = {
  a: ({ weekday }) => DAYS[weekday]!.slice(0, 3),
  A: ({ weekday }) => DAYS[weekday]!,
  b: ({ month }) => MONTHS[month]!.slice(0, 3),
  B: ({ month }) => MONTHS[month]!,
  h: ({ month }) => MONTHS[month]!.slice(0, 3),
  n: () => "\n",
  p: ({ hour }) => (hour < 12 ? "AM" : "PM"),
  P: ({ hour }) => (hour < 12 ? "am" : "pm"),
  t: () => "\t",
  Z: ({ zone }) => zone,
  "%": () => "%",
};

const COMPOSED: Readonly<Record<string, string>> = {
  c: "%a %b %e %H:%M:%S %-Y",
  D: "%m/%d/%y",
  r: "%I:%M:%S %p",
  R: "%H:%M",
  T: "%H:%M:%S",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

const DIRECTIVE = /%([-_0^#+]*)(\d*)([EO]?)(:{0,3}z|N|[^]|$)/g;

/** Which directives take the modifiers that ask for another way to write them. */
const MODIFIED: Readonly<Record<string, RegExp>> = { E: /[^aAbBdDeFgGhHIjklmMNSUVwW]/, O: /[^aAcDFqxXY]/ };

/** Whether the engine's calendar knows the moment: some 275,000 years in either direction. */
export function isInCalendar(seconds: number): boolean {
  return Math.abs(seconds) <= 8.64e12 - 86_400;
}

/**
 * `seconds` since 1970, whole; `tz` as in the environment; directives that there are none of stay as they are. Moments that
 * no calendar knows are shown as their number.
 */
export function formatTime(format: string, seconds: number, tz: string | undefined, nanosecond = 0): string {
  if (!isInCalendar(seconds)) return String(seconds);
  return format.includes("%") ? expand(format, take(seconds, nanosecond, tz)) : format;
}

function expand(format: string, fields: Fields): string {
  return format.replace(DIRECTIVE, (whole, flags: string, width: string, modifier: string, letter: string) => {
    const filler = /[-_0+](?=[\^#]*$)/.exec(flags)?.[0];
    const most = width === "" ? undefined : Number(width);
    const known = (modifier === "" || MODIFIED[modifier]!.test(letter)) && (letter !== "%" || whole === "%%");
    const text = known ? one(fields, filler, most, letter) : undefined;
    return text === undefined ? padded(whole, filler, most) : cased(text, flags, letter);
  });
}

function cased(text: string, flags: string, letter: string): string {
  if (letter === "P") return text;
  if (flags.includes("^")) return text.toUpperCase();
  if (flags.includes("#")) return letter === "Z" || letter === "p" ? text.toLowerCase() : text.toUpperCase();
  return text;
}

function padded(text: string, filler: string | undefined, width = 0): string {
  return text.padStart(filler === "-" ? 0 : width, filler === "0" || filler === "+" ? "0" : " ");
}

function one(fields: Fields, filler: string | undefined, width: number | undefined, letter: string): string | undefined {
  if (letter === "N") return nanoseconds(fields, filler, width);
  if (letter.endsWith("z")) return zoneOffset(fields, letter.length - 1, filler, width);
  const number = NUMBERS[letter];
  if (number) {
    const [value, usual, fill] = number;
    return filled(value(fields), usual, width, filler ?? fill);
  }
  if (letter === "F") return expand(`%${filler ?? (width === undefined ? "+" : "")}${Math.max((width ?? 10) - 6, 1)}Y-%m-%d`, fields);
  const composed = COMPOSED[letter];
  const text = TEXTS[letter]?.(fields) ?? (composed === undefined ? undefined : expand(composed, fields));
  return text === undefined ? undefined : padded(text, filler, width);
}

/** With `+` a number that is wider than usual has a sign. */
function filled(value: number, usual: number, width = usual, filler: string): string {
  if (filler === "-") return String(value);
  const wide = Math.max(width, String(value).length) > usual;
  const sign = value < 0 ? "-" : filler === "+" && wide ? "+" : "";
  if (filler === "_") return `${sign}${Math.abs(value)}`.padStart(width, " ");
  return sign + String(Math.abs(value)).padStart(width - sign.length, "0");
}

/** GNU pads at the end: zeros, with `_` blanks, with `-` and a width nothing. */
function nanoseconds({ nanosecond }: Fields, filler: string | undefined, width?: number): string {
  const digits = String(nanosecond).padStart(9, "0").slice(0, width ?? 9);
  if (filler === "_" || (filler === "-" && width !== undefined)) {
    const short = digits.replace(/(?<=.)0+$/, "");
    return filler === "_" ? short.padEnd(width ?? 9, " ") : short;
  }
  return digits.padEnd(width ?? 9, "0");
}

/** `+hhmm`, `+hh:mm`, `+hh:mm:ss`, or as short as it can be. */
function zoneOffset({ offset }: Fields, colons: number, filler: string | undefined, width = 0): string {
  const sign = offset < 0 ? "-" : "+";
  const total = Math.round(Math.abs(offset) * 60);
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60].map((part) => String(part).padStart(2, "0")) as [string, string, string];
  let text = [`${hours}${minutes}`, `${hours}:${minutes}`, `${hours}:${minutes}:${seconds}`][colons];
  text ??= [hours, ...(minutes !== "00" || seconds !== "00" ? [minutes] : []), ...(seconds !== "00" ? [seconds] : [])].join(":");
  if (filler === "_") return (sign + text.replace(/^0(?=\d)/, "")).padStart(width, " ");
  return sign + text.padStart(width - 1, "0");
}
