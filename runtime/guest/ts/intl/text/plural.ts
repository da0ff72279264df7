/** Intl.PluralRules. */
import { applyDigits, describeDigits, readDigitSettings, toDecimal } from "amla:intl-number";
import { resolveLocale, supportedLocalesOf } from "../locale/negotiate";
import { coerceOptions, readLocaleMatcher, stringOption } from "../locale/options";
import { service } from "../locale/service";

const SERVICE = "Intl.PluralRules";
type Category = "zero" | "one" | "two" | "few" | "many" | "other";
type Digits = ReturnType<typeof applyDigits>;

/** English ordinals: 1st, 2nd, 3rd, 11th. */
function englishOrdinal({ integer, fraction }: Digits): Category {
  const [ones, tens] = [Number(integer) % 10, Number(integer) % 100];
  if (/[1-9]/.test(fraction) || (tens >= 11 && tens <= 13)) return "other";
  return ones === 1 ? "one" : ones === 2 ? "two" : ones === 3 ? "few" : "other";
}

const singular = ({ integer, fraction }: Digits): Category => (Number(integer) === 1 && fraction === "" ? "one" : "other");
const other = (): Category => "other";

/** Categories, in the order of resolvedOptions(), and the rule. */
type Rule = readonly [categories: readonly Category[], choose: (digits: Digits) => Category];
const ONE_OTHER: Rule = [["one", "other"], singular];
const ONLY_OTHER: Rule = [["other"], other];
const RULES: Readonly<Record<string, { readonly cardinal: Rule; readonly ordinal?: Rule }>> = {
  en: { cardinal: ONE_OTHER, ordinal: [["few", "one", "two", "other"], englishOrdinal] },
  de: { cardinal: ONE_OTHER, ordinal: ONLY_OTHER },
  nl: { cardinal: ONE_OTHER, ordinal: ONLY_OTHER },
  fi: { cardinal: ONE_OTHER, ordinal: ONLY_OTHER },
  sv: { cardinal: ONE_OTHER },
  id: { cardinal: ONLY_OTHER, ordinal: ONLY_OTHER },
  ja: { cardinal: ONLY_OTHER, ordinal: ONLY_OTHER },
  ko: { cardinal: ONLY_OTHER, ordinal: ONLY_OTHER },
  zh: { cardinal: ONLY_OTHER, ordinal: ONLY_OTHER },
};

class PluralRulesClass {
  readonly #locale: string;
  readonly #type: "cardinal" | "ordinal";
  readonly #digits: ReturnType<typeof readDigitSettings>;
  readonly #rule: Rule;

  constructor(locales?: unknown, given?: unknown) {
    const resolved = resolveLocale(locales);
    const options = coerceOptions(SERVICE, given);
    readLocaleMatcher(SERVICE, options);
    this.#type = stringOption(SERVICE, options, "type", ["cardinal", "ordinal"] as const, "cardinal");
    this.#digits = readDigitSettings(SERVICE, options, 0, 3, false);
    this.#locale = resolved.locale;
    const rule = RULES[resolved.data.split("-")[0] as string]?.[this.#type];
    if (rule === undefined) throw new RangeError(`${SERVICE} has no ${this.#type} rules here for ${resolved.locale}`);
    this.#rule = rule;
  }

  static supportedLocalesOf(locales: unknown, options?: unknown): string[] {
    return supportedLocalesOf(SERVICE, locales, options).filter((name) => (name.split("-")[0] as string) in RULES);
  }

  select(value: unknown): Category {
    const number = toDecimal(toNumber(value));
    if (number.kind !== "finite") return "other";
    return this.#rule[1](applyDigits(this.#digits, { ...number, negative: false }));
  }

  /** A range counts as its end does, in English always "other". */
  selectRange(start: unknown, end: unknown): Category {
    for (const [name, value] of [["startRange", start], ["endRange", end]] as const) {
      if (value === undefined) throw new TypeError(`Invalid ${name} : undefined`);
      if (Number.isNaN(toNumber(value))) throw new RangeError(`Invalid ${name} : ${String(value)}`);
    }
    return "other";
  }

  resolvedOptions(): Record<string, unknown> {
    const pluralCategories = [...this.#rule[0]];
    return { locale: this.#locale, type: this.#type, ...describeDigits(this.#digits), pluralCategories };
  }
}

function toNumber(value: unknown): number {
  if (typeof value === "bigint") throw new TypeError("Cannot convert a BigInt value to a number");
  return Number(value);
}

export const PluralRules = service("PluralRules", PluralRulesClass);
