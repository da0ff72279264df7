/** A locale's number symbols and patterns, read from the rows of data/number-locales.ts. */
import { NARROW, SYMBOLS } from "../data/currencies";

export interface NumberSymbols {
  readonly decimal: string;
  readonly group: string;
  readonly currencyDecimal: string;
  readonly currencyGroup: string;
  readonly minus: string;
  readonly exponential: string;
  readonly nan: string;
  readonly approximately: string;
  readonly range: string;
  /** Digits that must stand before the first group separator. */
  readonly minimumGrouping: number;
  readonly secondaryGroup: number;
  readonly accountingGroup: number;
  /** Patterns with `#` for the number, `¤` for the symbol, a negative form after `;`. */
  readonly percent: string;
  readonly currency: string;
  readonly accounting: string;
  readonly currencySymbols: string;
  readonly narrowSymbols: string;
}

const AMERICAN = `.|,|||-|E|NaN|~|–|1|3|3|#%|¤#|¤#;(¤#)|${SYMBOLS}|`;

/** The symbols of a data key. Other locales' rows are loaded only when asked for. */
export function numberSymbols(key: string): NumberSymbols {
  const row = key === "en" ? AMERICAN : otherLocales()[key];
  const cells = (row as string).split("|");
  const cell = (index: number): string => cells[index] as string;
  return {
    decimal: cell(0),
    group: cell(1),
    currencyDecimal: cell(2) || cell(0),
    currencyGroup: cell(3) || cell(1),
    minus: cell(4),
    exponential: cell(5),
    nan: cell(6),
    approximately: cell(7),
    range: cell(8),
    minimumGrouping: Number(cell(9)),
    secondaryGroup: Number(cell(10)),
    accountingGroup: Number(cell(11)),
    percent: cell(12),
    currency: cell(13),
    accounting: cell(14),
    currencySymbols: cell(15),
    narrowSymbols: cell(16),
  };
}

/** The symbol that stands for a currency; the code if it has none. */
export function currencySymbol(symbols: NumberSymbols, code: string, display: string): string {
  if (display === "code") return code;
  const tables = display === "symbol" ? [symbols.currencySymbols] : [symbols.narrowSymbols, NARROW, SYMBOLS];
  for (const table of tables) {
    const found = lookUp(table, code);
    if (found !== undefined) return found;
  }
  return code;
}

/** The value of `key=value` in a list separated by spaces. */
export function lookUp(table: string, key: string): string | undefined {
  const at = ` ${table}`.indexOf(` ${key}=`);
  return at < 0 ? undefined : (table.slice(at + key.length + 1).split(" ", 1)[0] as string);
}

function otherLocales(): Readonly<Record<string, string>> {
  return (require("amla:intl-locales") as { NUMBER_LOCALES: Readonly<Record<string, string>> }).NUMBER_LOCALES;
}
