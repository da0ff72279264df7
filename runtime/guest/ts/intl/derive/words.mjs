/** English words: relative times, and names of regions, languages, scripts, calendars and date fields. */
import { localeData, write } from "./cldr.mjs";

const { fields } = localeData("dates", "en", "dateFields").dates;
const UNITS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
const STYLES = ["", "-short", "-narrow"];

/** past one~past other~future one~future other, then `value:word` for what numeric "auto" says. */
function relativeRow(field) {
  const [past, future] = [field["relativeTime-type-past"], field["relativeTime-type-future"]];
  const pattern = (table, count) => (table[`relativeTimePattern-count-${count}`] ?? table["relativeTimePattern-count-other"]).replace("{0}", "#");
  const cells = [pattern(past, "one"), pattern(past, "other"), pattern(future, "one"), pattern(future, "other")];
  const words = [-2, -1, 0, 1, 2].flatMap((n) => (field[`relative-type-${n}`] === undefined ? [] : [`${n}:${field[`relative-type-${n}`]}`]));
  return [...cells, ...words].join("~");
}

const rows = UNITS.map((unit) => `${unit}=${STYLES.map((style) => relativeRow(fields[unit + style])).join("|")}`);
write("relative-time", [
  "/** Lines of unit, `=`, then for long, short and narrow: past one~other~future one~other~words for single values. */",
  `export const RELATIVE_TIME =\n  ${JSON.stringify(rows.join("\n"))};`,
]);

const names = (file, key) => localeData("localenames", "en", file).localeDisplayNames[key];

/** "US=United States|US": the second name is the short one. */
function table(source, keep) {
  const out = [];
  for (const [code, name] of Object.entries(source)) {
    const short = source[`${code}-alt-short`];
    if (keep.test(code)) out.push(`${code}=${name}${short === undefined ? "" : `|${short}`}`);
  }
  return out.join("\n");
}

const FIELDS = ["era", "year", "quarter", "month", "week", "weekday", "day", "dayperiod", "hour", "minute", "second", "zone"];
const fieldName = (field) => `${field}=${STYLES.map((style) => fields[field + style]?.displayName ?? fields[field].displayName).join("|")}`;
const text = (value) => JSON.stringify(value);
const languages = names("languages", "languages");
const common = "af am ar as az be bg bn bo br bs ca cs cy da de el en eo es et eu fa fi fil fo fr ga gd gl gu ha haw he hi hr hu hy id ig is it ja jv ka kk km kn ko ku ky la lb lo lt lv mg mi mk ml mn mr ms mt my nb ne nl nn no or pa pl ps pt rm ro ru rw sa sd se si sk sl so sq sr st su sv sw ta te tg th ti tk tn to tr ts tt ug uk und ur uz ve vi wo xh yi yo yue zh zu"
  .split(" ").join("|");
write("display-names", [
  "/** Lines of code, `=`, name, and the short name if there is one. */",
  `export const REGIONS =\n  ${text(table(names("territories", "territories"), /^([A-Z]{2}|\d{3})$/))};`,
  `export const LANGUAGES =\n  ${text(table(languages, new RegExp(`^((${common})|[a-z]{2,3}-([A-Z][a-z]{3}|[A-Z]{2}|\\d{3}))$`)))};`,
  `export const SCRIPTS =\n  ${text(table(names("scripts", "scripts"), /^(Arab|Armn|Beng|Bopo|Brai|Cyrl|Deva|Ethi|Geor|Grek|Gujr|Guru|Hang|Hani|Hans|Hant|Hebr|Hira|Jpan|Kana|Khmr|Knda|Kore|Laoo|Latn|Mlym|Mong|Mymr|Orya|Sinh|Taml|Telu|Thaa|Thai|Tibt|Zyyy|Zzzz)$/))};`,
  `export const CALENDARS =\n  ${text(table(localeData("localenames", "en", "localeDisplayNames").localeDisplayNames.types.calendar, /./))};`,
  "/** Fields with their long, short and narrow names. */",
  `export const FIELDS =\n  ${text(FIELDS.map(fieldName).join("\n"))};`,
]);
