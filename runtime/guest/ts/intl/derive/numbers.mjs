/** Number symbols and patterns of the locales, currencies and units. */
import { LOCALES, localeData, write } from "./cldr.mjs";

const affixes = (pattern) => pattern.replace(/[#,0]*0(\.[0#]+)?/g, "#").replaceAll("'", "");
const currenciesOf = (locale) => localeData("numbers", locale, "currencies").numbers.currencies;
const english = currenciesOf("en");

const secondary = (pattern) => (pattern.startsWith("#,##,") ? 2 : 3);

function symbolsOf(locale) {
  const out = [];
  for (const [code, { symbol = code }] of Object.entries(currenciesOf(locale))) if (symbol !== code) out.push(`${code}=${symbol}`);
  return out.join(" ");
}

/** Narrow symbols that are not what English has. */
function narrowOf(locale) {
  const out = [];
  const narrow = (table, code) => table[code]?.["symbol-alt-narrow"] ?? table[code]?.symbol ?? code;
  const own = currenciesOf(locale);
  for (const code of Object.keys(own)) if (narrow(own, code) !== narrow(english, code)) out.push(`${code}=${narrow(own, code)}`);
  return out.join(" ");
}

function numberRow(locale) {
  const { numbers } = localeData("numbers", locale, "numbers");
  const symbols = numbers["symbols-numberSystem-latn"];
  const currency = numbers["currencyFormats-numberSystem-latn"];
  const decimal = numbers["decimalFormats-numberSystem-latn"].standard;
  const range = numbers["miscPatterns-numberSystem-latn"].range.slice(3, -3);
  return [
    symbols.decimal,
    symbols.group,
    symbols.currencyDecimal ?? "",
    symbols.currencyGroup ?? "",
    symbols.minusSign,
    symbols.exponential,
    symbols.nan,
    symbols.approximatelySign,
    range,
    numbers.minimumGroupingDigits,
    secondary(decimal),
    secondary(currency.accounting.replace("¤", "")),
    affixes(numbers["percentFormats-numberSystem-latn"].standard),
    affixes(currency.standard),
    affixes(currency.accounting),
    symbolsOf(locale),
    narrowOf(locale),
  ].join("|");
}

write("number-locales", [
  "// decimal|group|currency decimal|currency group|minus|exponential|NaN|approximately|range|minimum grouping digits|",
  "// secondary group size|that of accounting|percent|currency|accounting|currency symbols|narrow ones that are not English's",
  "export const NUMBER_LOCALES: Readonly<Record<string, string>> = {",
  ...LOCALES.map((locale) => `  ${JSON.stringify(locale)}: ${JSON.stringify(numberRow(locale))},`),
  "};",
]);

const codes = Object.keys(english);
// Node does not follow CLDR's decimals in all currencies, so they are asked of the Node that runs this.
const decimals = (currency) => new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
const digits = (n) => codes.filter((code) => decimals(code) === n);
const quote = JSON.stringify;
write("currencies", [
  "/** Currencies whose amounts have not two decimals. */",
  `export const NO_DECIMALS = ${quote(digits(0).join(" "))};`,
  `export const THREE_DECIMALS = ${quote(digits(3).join(" "))};`,
  `export const FOUR_DECIMALS = ${quote(digits(4).join(" "))};`,
  "/** Symbols in American English that are not the code, and narrow symbols that are not those. */",
  `export const SYMBOLS = ${quote(symbolsOf("en"))};`,
  `export const NARROW = ${quote(
    codes
      .filter((c) => (english[c]["symbol-alt-narrow"] ?? english[c].symbol ?? c) !== (english[c].symbol ?? c))
      .map((c) => `${c}=${english[c]["symbol-alt-narrow"]}`)
      .join(" "),
  )};`,
]);

/** "US Dollar|US dollar|US dollars", shortened where one form follows from another. */
function names({ displayName, ["displayName-count-one"]: one, ["displayName-count-other"]: other }) {
  if (one === undefined) return displayName;
  const title = displayName === one ? "" : displayName;
  return [title, one, other === `${one}s` ? "" : other].join("|").replace(/\|$/, "");
}
// Of the currencies that are no longer money, those that scripts may still meet.
const current = [...new Set([...Intl.supportedValuesOf("currency"), "DEM", "ESP", "FRF", "ITL", "NLG", "XAG", "XAU", "XXX"])].sort();
write("currency-names", [
  "/** Lines of code, `=`, then title|one|other; an empty or missing title is `one`, an empty other is `one` + s. */",
  `export const CURRENCY_NAMES =\n  ${quote(current.map((c) => `${c}=${names(english[c])}`).join("\n"))};`,
]);

const { long, short, narrow } = localeData("units", "en", "units").units;
const SIMPLE =
  "acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare hour inch kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile mile-scandinavian milliliter millimeter millisecond minute month nanosecond ounce percent petabyte pound second stone terabit terabyte week yard year".split(
    " ",
  );
const keyOf = (unit) => Object.keys(long).find((key) => key.replace(/^[a-z]+-/, "") === unit);
function unitRow(unit) {
  const key = keyOf(unit);
  const form = (width, count) => width[key][`unitPattern-count-${count}`] ?? width[key]["unitPattern-count-other"];
  const cells = [long, short, narrow].flatMap((width) => {
    const one = form(width, "one");
    const other = form(width, "other");
    return [other, one === other ? "" : one, (width[key].perUnitPattern ?? "").replace("{0}", "")];
  });
  return `${unit}=${cells.join("|").replaceAll("{0}", "*")}`;
}
const COMPOUND = ["kilometer-per-hour", "meter-per-second", "mile-per-hour", "mile-per-gallon", "liter-per-kilometer"];
write("units", [
  "/** Lines of unit, `=`, then other|one if it differs|per-unit suffix, for long, short and narrow; `*` is the number. */",
  `export const UNITS =\n  ${quote([...SIMPLE, ...COMPOUND].map(unitRow).join("\n"))};`,
]);
