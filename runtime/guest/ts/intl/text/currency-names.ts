/** English names of currencies, from data/currency-names.ts. */
import { CURRENCY_NAMES } from "../data/currency-names";

/** "US dollar", "US dollars". Throws RangeError for a currency without a name here. */
export function currencyForms(code: string): [one: string, other: string] {
  const cells = cellsOf(code);
  if (cells === undefined) throw new RangeError(`Intl has no English name here for the currency ${code}`);
  const [title = "", one = title, other = ""] = cells;
  return [one, cells.length === 1 ? one : other || `${one}s`];
}

/** "US Dollar", as DisplayNames writes it. */
export function currencyTitle(code: string): string | undefined {
  const cells = cellsOf(code);
  return cells && (cells[0] || cells[1]);
}

/** Codes of the currencies in use, as Intl.supportedValuesOf lists them. */
export function currencyCodes(): string[] {
  const past = new Set(["DEM", "ESP", "FRF", "ITL", "NLG", "XAG", "XAU", "XXX"]);
  return CURRENCY_NAMES.split("\n")
    .map((line) => line.slice(0, 3))
    .filter((code) => !past.has(code));
}

function cellsOf(code: string): string[] | undefined {
  const at = `\n${CURRENCY_NAMES}`.indexOf(`\n${code}=`);
  return at < 0 ? undefined : (CURRENCY_NAMES.slice(at + code.length + 1).split("\n", 1)[0] as string).split("|");
}
