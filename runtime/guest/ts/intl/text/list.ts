/** Intl.ListFormat, in English. */
import { supportedLocalesOf } from "../locale/negotiate";
import { readLocaleMatcher, stringOption } from "../locale/options";
import { type Part, service, textOf } from "../locale/service";
import { englishLocale, isAmerican } from "./english";

const SERVICE = "Intl.ListFormat";
const TYPES = ["conjunction", "disjunction", "unit"] as const;
const STYLES = ["long", "short", "narrow"] as const;

/** What stands between two items, before the last of several, and between the others. */
type Joints = readonly [pair: string, last: string, inner: string];
const OR: Joints = [" or ", ", or ", ", "];
const COMMAS: Joints = [", ", ", ", ", "];
const JOINTS: Readonly<Record<string, Joints>> = {
  "conjunction long": [" and ", ", and ", ", "],
  "conjunction short": [" & ", ", & ", ", "],
  "conjunction narrow": COMMAS,
  "disjunction long": OR,
  "disjunction short": OR,
  "disjunction narrow": OR,
  "unit long": COMMAS,
  "unit short": COMMAS,
  "unit narrow": [" ", " ", " "],
};

class ListFormatClass {
  readonly #locale: string;
  readonly #type: (typeof TYPES)[number];
  readonly #style: (typeof STYLES)[number];

  constructor(locales?: unknown, given?: unknown) {
    this.#locale = englishLocale(SERVICE, locales).locale;
    const options = strictOptions(given);
    readLocaleMatcher(SERVICE, options);
    this.#type = stringOption(SERVICE, options, "type", TYPES, "conjunction");
    this.#style = stringOption(SERVICE, options, "style", STYLES, "long");
  }

  static supportedLocalesOf(locales: unknown, options?: unknown): string[] {
    return supportedLocalesOf(SERVICE, locales, options).filter(isAmerican);
  }

  format(list?: unknown): string {
    return textOf(this.formatToParts(list));
  }

  formatToParts(list?: unknown): Part[] {
    const items = stringsOf(list);
    const [pair, last, inner] = JOINTS[`${this.#type} ${this.#style}`] as Joints;
    return items.flatMap((value, i) => {
      const joint = items.length === 2 ? pair : i === items.length - 1 ? last : inner;
      const element = { type: "element", value };
      return i === 0 ? [element] : [{ type: "literal", value: joint }, element];
    });
  }

  resolvedOptions(): Record<string, unknown> {
    return { locale: this.#locale, type: this.#type, style: this.#style };
  }
}

function stringsOf(list: unknown): string[] {
  if (list === undefined) return [];
  const items = list as Iterable<unknown>;
  if (list === null || typeof items[Symbol.iterator] !== "function") {
    throw new TypeError(`${typeof list} ${String(list)} is not iterable (cannot read property Symbol(Symbol.iterator))`);
  }
  return Array.from(items, (item) => {
    if (typeof item !== "string") throw new TypeError(`Iterable yielded ${String(item)} which is not a string`);
    return item;
  });
}

/** Options that must be an object if given. */
export function strictOptions(given: unknown): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  if ((typeof given !== "object" && typeof given !== "function") || given === null) throw new TypeError("invalid_argument");
  return given as Readonly<Record<string, unknown>>;
}

export const ListFormat = service("ListFormat", ListFormatClass);
