/** Names and patterns of dates. */
import { LOCALES, localeData, read, write } from "./cldr.mjs";

const WIDTHS = ["wide", "abbreviated", "narrow"];
const STYLES = ["full", "long", "medium", "short"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const ENGLISH_ONLY = /^(?!.*[QwWY])(?!.*-)/;
const NUMERIC_AND_NAMES = /^(?!.*[GQwWYB])(?!.*-)/;
const list = (items) => {
  if (items.some((item) => /[|~]/.test(item))) throw new Error(`separator in ${items}`);
  return items.join("~");
};

function dateRow(locale) {
  const { dates } = localeData("dates", locale, "ca-gregorian");
  const calendar = dates.calendars.gregorian;
  const names = (table, keys) => {
    const rows = WIDTHS.map((width) => list(keys.map((key) => table.format[width][key])));
    const alone = WIDTHS.map((width) => list(keys.map((key) => table["stand-alone"][width][key])));
    return [...rows, ...alone.map((row, i) => (row === rows[i] ? "" : row))];
  };
  const months = Array.from({ length: 12 }, (_, i) => String(i + 1));
  const halves = WIDTHS.map((width) => calendar.dayPeriods.format[width]).flatMap((row) => [row.am, row.pm]);
  const eras = ["eraNames", "eraAbbr", "eraNarrow"].flatMap((width) => [calendar.eras[width][0], calendar.eras[width][1]]);
  const formats = calendar.dateTimeFormats;
  const wanted = locale === "en" ? ENGLISH_ONLY : NUMERIC_AND_NAMES;
  const available = inOrder(locale).filter(([key]) => wanted.test(key));
  const { decimal } = localeData("numbers", locale, "numbers").numbers["symbols-numberSystem-latn"];
  const zone = localeData("dates", locale, "timeZoneNames").dates.timeZoneNames;
  return [
    new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hourCycle,
    ...names(calendar.months, months),
    ...names(calendar.days, DAYS),
    list(halves),
    list(eras),
    list(STYLES.map((style) => calendar.dateFormats[style])),
    list(STYLES.map((style) => calendar.timeFormats[style])),
    list(STYLES.map((style) => formats[style])),
    // Node's ICU has spaces in Traditional Chinese that CLDR's JSON lacks.
    list(STYLES.map((style) => calendar["dateTimeFormats-atTime"].standard[style].replace("}{", style === "short" ? "}\u2009{" : "} {"))),
    list(available.map(([key, pattern]) => `${key}=${pattern}`)),
    dayPeriods(locale, calendar.dayPeriods.format),
    list(["Timezone", "Era", "Day-Of-Week", "Year"].map((item) => formats.appendItems[item])),
    list([zone.gmtFormat, ...zone.hourFormat.replace(/.*H([^m]*)mm;(.).*/, "$1 $2").split(" "), decimal]),
  ];
}

const patternsOf = (locale) => localeData("dates", locale, "ca-gregorian").dates.calendars.gregorian.dateTimeFormats.availableFormats;

/** Of equally near patterns ICU takes the first: a locale's own before its parent's, and then by the skeleton's letters. */
function inOrder(locale) {
  const chain = [locale];
  const parents = read("cldr-core/supplemental/parentLocales.json").supplemental.parentLocales.parentLocale;
  for (let at = locale; ; chain.push(at)) {
    at = parents[at] ?? (at.includes("-") ? at.split("-")[0] : "root");
    if (at === "root") break;
  }
  const tables = chain.map(patternsOf);
  const level = (key) => tables.findIndex((table, i) => table[key] !== tables[i + 1]?.[key]);
  const entries = Object.entries(tables[0]).map(([key, pattern]) => [level(key), key, pattern]);
  entries.sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
  return entries.map(([, key, pattern]) => [key, pattern]);
}

/** Parts of the day: from hour, to hour (or `at`), then their wide, abbreviated and narrow names. */
function dayPeriods(locale, names) {
  const rules = read("cldr-core/supplemental/dayPeriods.json").supplemental.dayPeriodRuleSet;
  const own = rules[locale] ?? rules[locale.split("-")[0]] ?? (locale === "nb" ? rules.no : undefined);
  const hour = (time) => Number(time.split(":")[0]);
  return list(
    Object.entries(own ?? {}).map(([period, { _at, _from, _before }]) => {
      const when = _at === undefined ? `${hour(_from)}-${hour(_before)}` : `${hour(_at)}`;
      const texts = WIDTHS.map((width) => names[width][period] ?? "");
      return [when, ...(new Set(texts).size === 1 ? [texts[0]] : texts)].join("^");
    }),
  );
}

/** A cell of a regional row that is the language's own is `=`. */
function against(row, base) {
  return row.map((cell, i) => (base !== undefined && cell === base[i] && cell.length > 1 ? "=" : cell)).join("|");
}

const HEAD = [
  "// hour cycle|months wide|abbreviated|narrow|standalone ones if they differ (3)|weekdays (6)|AM, PM by width|eras by width|",
  "// date styles|time styles|date-time glue|glue with a word|patterns by skeleton|parts of the day|appended items|GMT form~separator~minus~decimal point",
];
const english = dateRow("en");
const intervals = Object.entries(localeData("dates", "en", "ca-gregorian").dates.calendars.gregorian.dateTimeFormats.intervalFormats)
  .filter(([key, patterns]) => ENGLISH_ONLY.test(key) && typeof patterns === "object")
  .map(([key, patterns]) => `${key}=${list(Object.entries(patterns).filter(([field]) => field.length === 1).map(([field, pattern]) => field + pattern))}`);
write("date-english", [
  ...HEAD,
  `export const DATE_ENGLISH =\n  ${JSON.stringify(english.join("|"))};`,
  "/** Patterns of ranges by skeleton, each after the letter of the largest field that differs. */",
  `export const DATE_INTERVALS =\n  ${JSON.stringify(intervals.join("|"))};`,
]);
const rows = new Map(LOCALES.map((locale) => [locale, dateRow(locale)]));
const baseOf = (locale) => (locale.startsWith("en-") ? english : locale.includes("-") ? rows.get(locale.split("-")[0]) : undefined);
write("date-locales", [
  ...HEAD,
  "// A cell `=` is that of the language's row.",
  "export const DATE_LOCALES: Readonly<Record<string, string>> = {",
  ...LOCALES.map((locale) => `  ${JSON.stringify(locale)}: ${JSON.stringify(against(rows.get(locale), baseOf(locale)))},`),
  "};",
]);
