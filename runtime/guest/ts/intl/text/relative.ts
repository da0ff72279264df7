/** Intl.RelativeTimeFormat, in English. */
import { NumberFormat } from "amla:intl-number";
import { RELATIVE_TIME } from "../data/relative-time";
import { supportedLocalesOf } from "../locale/negotiate";
import { coerceOptions, readLocaleMatcher, readNumberingSystem, stringOption } from "../locale/options";
import { joinParts, type Part, service, textOf } from "../locale/service";
import { englishLocale, isAmerican } from "./english";

const SERVICE = "Intl.RelativeTimeFormat";
const STYLES = ["long", "short", "narrow"] as const;
const FORMAT = `${SERVICE}.prototype.format()`;

interface UnitPart extends Part {
  unit?: string;
}

class RelativeTimeFormatClass {
  readonly #locale: string;
  readonly #style: (typeof STYLES)[number];
  readonly #numeric: "always" | "auto";

  constructor(locales?: unknown, given?: unknown) {
    const resolved = englishLocale(SERVICE, locales);
    const options = coerceOptions(SERVICE, given);
    readLocaleMatcher(SERVICE, options);
    readNumberingSystem(options, resolved.keywords.get("nu"));
    this.#locale = resolved.locale;
    this.#style = stringOption(SERVICE, options, "style", STYLES, "long");
    this.#numeric = stringOption(SERVICE, options, "numeric", ["always", "auto"] as const, "always");
  }

  static supportedLocalesOf(locales: unknown, options?: unknown): string[] {
    return supportedLocalesOf(SERVICE, locales, options).filter(isAmerican);
  }

  format(value: unknown, unit: unknown): string {
    return textOf(this.formatToParts(value, unit));
  }

  formatToParts(value: unknown, unit: unknown): UnitPart[] {
    const number = toNumber(value);
    const name = String(unit as string).replace(/s$/, "");
    const row = /^[a-z]+$/.test(name) ? new RegExp(`^${name}=(.*)$`, "m").exec(RELATIVE_TIME)?.[1] : undefined;
    if (row === undefined) throw new RangeError(`Invalid unit argument for ${FORMAT} '${String(unit)}'`);
    if (!Number.isFinite(number)) throw new RangeError(`Value need to be finite number for ${FORMAT}`);
    const cells = (row.split("|")[STYLES.indexOf(this.#style)] as string).split("~");
    const word = this.#numeric === "auto" ? cells.find((cell) => cell.startsWith(`${number}:`)) : undefined;
    if (word !== undefined) return [{ type: "literal", value: word.slice(word.indexOf(":") + 1) }];
    return spell(cells, number, name);
  }

  resolvedOptions(): Record<string, unknown> {
    return { locale: this.#locale, style: this.#style, numeric: this.#numeric, numberingSystem: "latn" };
  }
}

/** "in 3 days": the number's parts carry the unit. */
function spell(cells: readonly string[], number: number, unit: string): UnitPart[] {
  const parts = new NumberFormat("en-US").formatToParts(Math.abs(number));
  const singular = textOf(parts) === "1" ? 0 : 1;
  const future = number > 0 || Object.is(number, 0) ? 2 : 0;
  const [before = "", after = ""] = (cells[future + singular] as string).split("#");
  const literal = (value: string): UnitPart => ({ type: "literal", value });
  return joinParts([literal(before), ...parts.map((part) => ({ ...part, unit })), literal(after)]);
}

function toNumber(value: unknown): number {
  if (typeof value === "bigint") throw new TypeError("Cannot convert a BigInt value to a number");
  return Number(value);
}

export const RelativeTimeFormat = service("RelativeTimeFormat", RelativeTimeFormatClass);
