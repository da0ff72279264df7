/** Words and units of dates as GNU's parse_datetime knows them. */

const MONTH_NAMES = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
const DAYS: Readonly<Record<string, number>> = {
  sunday: 0, sun: 0, monday: 1, mon: 1, tuesday: 2, tue: 2, tues: 2, wednesday: 3, wed: 3, wednes: 3, thursday: 4, thu: 4, thur: 4, thurs: 4,
  friday: 5, fri: 5, saturday: 6, sat: 6,
};

export type UnitName = "year" | "month" | "day" | "hour" | "minute" | "second";

const UNITS: Readonly<Record<string, readonly [UnitName, number]>> = {
  year: ["year", 1], month: ["month", 1], fortnight: ["day", 14], week: ["day", 7], day: ["day", 1],
  hour: ["hour", 1], minute: ["minute", 1], min: ["minute", 1], second: ["second", 1], sec: ["second", 1],
};
const SHIFTS: Readonly<Record<string, number>> = { tomorrow: 1, yesterday: -1, today: 0, now: 0 };
const ORDINALS: Readonly<Record<string, number>> = {
  last: -1, this: 0, next: 1, first: 1, third: 3, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8, ninth: 9, tenth: 10, eleventh: 11, twelfth: 12,
};

const HOUR = 60;
/** Minutes east of UTC. */
const ZONES: Readonly<Record<string, number>> = {
  gmt: 0, ut: 0, utc: 0, wet: 0, art: -3 * HOUR, brt: -3 * HOUR, nst: -210, ast: -4 * HOUR, clt: -4 * HOUR, est: -5 * HOUR, cst: -6 * HOUR,
  mst: -7 * HOUR, pst: -8 * HOUR, akst: -9 * HOUR, hst: -10 * HOUR, hast: -10 * HOUR, sst: -12 * HOUR, wat: HOUR, cet: HOUR, met: HOUR, mez: HOUR,
  eet: 2 * HOUR, cat: 2 * HOUR, sast: 2 * HOUR, eat: 3 * HOUR, msk: 3 * HOUR, ist: 330, sgt: 8 * HOUR, kst: 9 * HOUR, jst: 9 * HOUR, gst: 10 * HOUR,
  nzst: 12 * HOUR,
};
const UNIVERSAL: ReadonlySet<string> = new Set(["gmt", "ut", "utc"]);

/** Their summer times: as much, and an hour on top. */
const SUMMER: Readonly<Record<string, number>> = {
  west: 0, bst: 0, brst: -3 * HOUR, ndt: -210, adt: -4 * HOUR, clst: -4 * HOUR, edt: -5 * HOUR, cdt: -6 * HOUR, mdt: -7 * HOUR, pdt: -8 * HOUR,
  akdt: -9 * HOUR, hadt: -10 * HOUR, cest: HOUR, mest: HOUR, mesz: HOUR, eest: 2 * HOUR, msd: 3 * HOUR, nzdt: 12 * HOUR,
};

/** What a word of a date is. The letters are those of date_phrase.ts's rules. */
export interface Word {
  readonly kind: "m" | "M" | "w" | "u" | "h" | "o" | "Z" | "z" | "d" | "a" | "L";
  readonly value: number;
  readonly unit?: UnitName;
}

/** One letter is a military zone. */
function military(letter: string): number | undefined {
  const code = letter.charCodeAt(0) - 97;
  if (letter === "z") return 0;
  if (code < 9) return (code + 1) * HOUR;
  if (code > 9 && code < 13) return code * HOUR;
  return code >= 13 && code < 25 ? -(code - 12) * HOUR : undefined;
}

/** A month or a day of the week; three letters of it will do, with a point or without. */
function calendarWord(word: string): Word | undefined {
  const short = word.length === 4 && word.endsWith(".") ? word.slice(0, 3) : word;
  const month = short === "sept" ? 8 : MONTH_NAMES.findIndex((name) => name === short || (short.length === 3 && name.startsWith(short)));
  if (month >= 0) return { kind: "M", value: month };
  return Object.hasOwn(DAYS, short) ? { kind: "w", value: DAYS[short]! } : undefined;
}

function zoneWord(word: string, locals: readonly string[]): Word | undefined {
  const local = locals.findIndex((name) => name.toLowerCase() === word);
  if (local >= 0 && !UNIVERSAL.has(word)) return { kind: "L", value: local };
  if (Object.hasOwn(ZONES, word)) return { kind: "Z", value: ZONES[word]! };
  return Object.hasOwn(SUMMER, word) ? { kind: "z", value: SUMMER[word]! + HOUR } : undefined;
}

function relativeWord(word: string): Word | undefined {
  if (word === "dst") return { kind: "d", value: 0 };
  if (word === "ago") return { kind: "a", value: 0 };
  const unit = UNITS[word] ?? (word.endsWith("s") ? UNITS[word.slice(0, -1)] : undefined);
  if (unit) return { kind: "u", value: unit[1], unit: unit[0] };
  if (Object.hasOwn(SHIFTS, word)) return { kind: "h", value: SHIFTS[word]! };
  return Object.hasOwn(ORDINALS, word) ? { kind: "o", value: ORDINALS[word]! } : undefined;
}

export function wordOf(text: string, locals: readonly string[]): Word | undefined {
  const word = text.toLowerCase();
  if (/^[ap](?:m|\.m\.)$/.test(word)) return { kind: "m", value: word.startsWith("a") ? 0 : 12 };
  const known = calendarWord(word) ?? zoneWord(word, locals) ?? relativeWord(word);
  if (known) return known;
  const zone = word.length === 1 ? military(word) : undefined;
  if (zone !== undefined) return { kind: "Z", value: zone };
  return word.includes(".") ? zoneWord(word.replaceAll(".", ""), locals) : undefined;
}
