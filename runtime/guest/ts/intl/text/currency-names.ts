/** English names of currencies, from data/currency-names.ts. */
import { CURRENCY_NAMES } from "../data/currency-names";

/** "US dollar", "US dollars"; the code for both if it has no name. */
export function currencyForms(code: string): [one: string, other: string] {
  const cells = cellsOf(code);
  if (cells === undefined) return [code, code];
  const [title = "", one = title, other = ""] = cells;
  return [one, cells.length === 1 ? one : other || `${one}s`];
}

/** "US Dollar", as DisplayNames writes it. */
export function currencyTitle(code: string): string | undefined {
  const cells = cellsOf(code);
  return cells && (cells[0] || cells[1]);
}

function cellsOf(code: string): string[] | undefined {
  const at = `\n${CURRENCY_NAMES}`.indexOf(`\n${code}=`);
  return at < 0 ? undefined : (CURRENCY_NAMES.slice(at + code.length + 1).split("\n", 1)[0] as string).split("|");
}
