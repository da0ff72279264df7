/** DateTimeFormat.prototype.formatRange, in English: what both dates share is written once, as ICU's DateIntervalFormat does. */
import { type Part, textOf } from "../locale/service";
import { type Moment, writeParts } from "./fields";
import { mapFields } from "./generator";
import { bestInterval, hasIntervals } from "./interval";
import { type DateSettings, generatorOf } from "./settings";

export interface RangePart extends Part {
  source: "startRange" | "endRange" | "shared";
}

/** Fields from large to small, with the letter of their interval patterns. */
const FIELDS: readonly (readonly [letter: string, value: (moment: Moment) => number | string])[] = [
  ["G", (m) => m.era],
  ["y", (m) => m.year],
  ["M", (m) => m.month],
  ["d", (m) => m.day],
  ["a", (m) => Math.floor(m.hour / 12)],
  ["h", (m) => m.hour],
  ["m", (m) => m.minute],
  ["s", (m) => m.second],
  ["S", (m) => m.millisecond],
];
const BETWEEN = "\u2009\u2013\u2009";

export function rangeParts(settings: DateSettings, start: Moment, end: Moment): RangePart[] {
  if (settings.data.key !== "en") {
    throw new RangeError(`Intl.DateTimeFormat: formatRange is available here only in en-US, not in ${settings.locale}`);
  }
  const { pattern, data } = settings;
  const write = (text: string, moment: Moment): Part[] => writeParts(text, moment, data);
  const [letter] = FIELDS.find(([, value]) => value(start) !== value(end)) ?? [];
  if (letter === undefined || textOf(write(pattern, start)) + letter === textOf(write(pattern, end)) + letter) {
    if (letter === undefined || !isDateField(letter) || !hasTime(pattern)) return tag(write(pattern, start), "shared");
  }
  const [first, second, head, tail] = split(settings, letter);
  if (second === undefined) {
    return [...tag(write(first, start), "startRange"), shared(BETWEEN), ...tag(write(first, end), "endRange")];
  }
  return [
    ...tag(write(head ?? "", start), "shared"),
    ...tag(write(first, start), "startRange"),
    ...tag(write(second, end), "endRange"),
    ...tag(write(tail ?? "", end), "shared"),
  ];
}

const isDateField = (letter: string): boolean => "GyMd".includes(letter);
const shared = (value: string): RangePart => ({ type: "literal", value, source: "shared" });
const tag = (parts: readonly Part[], source: RangePart["source"]): RangePart[] =>
  parts.map(({ type, value }) => ({ type, value, source }));

/** The pattern's fields without widths that ranges ignore: dates, then times. */
function skeletonsOf(pattern: string): [date: string, time: string] {
  let time = "";
  mapFields(pattern, (run) => {
    const letter = plainLetter(run);
    if (/[zOv]/.test(letter)) time += run;
    else if (!"GyMEda".includes(letter)) time += letter;
    return run;
  });
  return [dateSkeleton(pattern, ignoredWidth), time];
}

const plainLetter = (run: string): string => ({ L: "M", c: "E", K: "h", k: "H" })[run.charAt(0)] ?? run.charAt(0);

/** Numbers and short weekdays count as one letter. */
function ignoredWidth(run: string): number {
  const letter = plainLetter(run);
  if (letter === "y" || letter === "G" || (letter === "M" && run.length >= 3)) return run.length;
  return letter === "E" && run.length > 3 ? run.length : 1;
}

function dateSkeleton(pattern: string, width: (run: string) => number): string {
  let date = "";
  mapFields(pattern, (run) => {
    const letter = plainLetter(run);
    if ("GyMEd".includes(letter)) date += letter.repeat(width(run));
    return run;
  });
  return order(date, "GyMEd");
}

const hasTime = (pattern: string): boolean => skeletonsOf(pattern)[1] !== "";

function order(skeleton: string, letters: string): string {
  return [...letters].map((letter) => new RegExp(`${letter}+`).exec(skeleton)?.[0] ?? "").join("");
}

/**
 * Patterns for both ends: one for both, or those of the halves of an interval pattern with what stands before and after.
 */
function split(settings: DateSettings, letter: string): [first: string, second?: string, head?: string, tail?: string] {
  const { pattern, data } = settings;
  const [date, time] = skeletonsOf(pattern);
  const generator = generatorOf(data);
  const hours = (text: string): string => withHoursOf(pattern, text);
  if (time === "") return bestInterval(date, letter) ?? [pattern];
  if (date !== "" && !/^G*y*(M+)(E*)d$/.test(date)) {
    throw new RangeError("Intl.DateTimeFormat: formatRange with times needs here month and day or no date at all");
  }
  const wide = dateSkeleton(pattern, (run) => run.length);
  if (isDateField(letter) && date !== "" && !hasIntervals(time)) return [pattern];
  if (isDateField(letter)) return [hours(generator.best(order(fullDate(wide, date === "" ? "y" : letter), "GyMEd") + time))];
  const found = bestInterval(time, letter === "h" && time.includes("H") ? "H" : letter);
  if (found === undefined) return date === "" ? [pattern] : sameDay(generator.best(date), hours(generator.best(time)));
  const [first, second, head = "", tail = ""] = found.map(hours) as [string, string, string, string];
  return [first, second, date === "" ? head : `${generator.best(wide)}, ${head}`, tail];
}

const sameDay = (date: string, time: string): [string, string, string] => [time, BETWEEN + time, `${date}, `];

/** The date with the fields that tell the ends apart. */
function fullDate(date: string, letter: string): string {
  const wanted = { d: "d", M: "Md", y: "yMd", G: "GyMd" }[letter] ?? "";
  return date + [...wanted].filter((field) => !date.includes(field)).join("");
}

/** A pattern with the letter for hours that another has. */
function withHoursOf(pattern: string, text: string): string {
  const letter = /[hHkK]/.exec(pattern.replace(/'[^']*'/g, ""))?.[0];
  return letter === undefined ? text : mapFields(text, (run) => (/[hHkK]/.test(run) ? letter.repeat(run.length) : run));
}
