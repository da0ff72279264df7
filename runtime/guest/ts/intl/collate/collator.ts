/** Intl.Collator and String.prototype.localeCompare. */
import { remember } from "../locale/cache";
import { nameWithKeywords, resolveLocale, type ResolvedLocale, supportedLocalesOf } from "../locale/negotiate";
import { booleanOption, coerceOptions, readLocaleMatcher, stringOption } from "../locale/options";
import { service } from "../locale/service";
import { type CollatorSettings, type Compare, comparison } from "./compare";
import { tailoringOf } from "./tailoring";

const SERVICE = "Intl.Collator";
const SENSITIVITIES = ["base", "accent", "case", "variant"] as const;
const CASES = ["upper", "lower", "false"] as const;
/** Languages that sort by the root collation, but for French as in Canada. */
const ROOT_LANGUAGES = new Set(["en", "de", "fr", "it", "pt", "nl", "id"]);

interface Settings extends CollatorSettings {
  readonly locale: string;
  readonly usage: "sort" | "search";
}

class CollatorClass {
  readonly #settings: Settings;
  #compare: Compare | undefined;
  #bound: ((a: unknown, b: unknown) => number) | undefined;

  constructor(locales?: unknown, options?: unknown) {
    this.#settings = readSettings(locales, options);
  }

  static supportedLocalesOf(locales: unknown, options?: unknown): string[] {
    return supportedLocalesOf(SERVICE, locales, options).filter((name) => hasOrder(name.split("-u-")[0] as string));
  }

  get compare(): (a: unknown, b: unknown) => number {
    const compare = (this.#compare ??= comparison(this.#settings));
    return (this.#bound ??= (a, b) => compare(String(a), String(b)));
  }

  resolvedOptions(): Record<string, unknown> {
    const { locale, usage, sensitivity, ignorePunctuation, numeric, caseFirst } = this.#settings;
    return { locale, usage, sensitivity, ignorePunctuation, collation: "default", numeric, caseFirst };
  }
}

export const Collator = service("Collator", CollatorClass, true);

const plain = comparison({ sensitivity: "variant", ignorePunctuation: false, numeric: false, caseFirst: "false" });
const comparisonFor = remember((locales, options) => comparison(readSettings(locales, options)));

export function localeCompare(a: string, b: string, locales: unknown, options: unknown): number {
  return locales === undefined && options === undefined ? plain(a, b) : comparisonFor(locales, options)(a, b);
}

function readSettings(locales: unknown, given: unknown): Settings {
  const resolved = resolveLocale(locales);
  refuseUnknown(resolved);
  const options = coerceOptions(SERVICE, given);
  const usage = stringOption(SERVICE, options, "usage", ["sort", "search"] as const, "sort");
  readLocaleMatcher(SERVICE, options);
  stringOption(SERVICE, options, "collation", undefined, undefined);
  const keywords = resolved.keywords;
  const numericOption = booleanOption(options, "numeric");
  const caseOption = stringOption(SERVICE, options, "caseFirst", CASES, undefined);
  const [kn, kf] = [keywords.get("kn"), keywords.get("kf")];
  const kept = CASES.find((value) => value === kf);
  return {
    usage,
    numeric: numericOption ?? (kn !== undefined && kn !== "false"),
    caseFirst: caseOption ?? kept ?? "false",
    sensitivity: stringOption(SERVICE, options, "sensitivity", SENSITIVITIES, "variant"),
    ignorePunctuation: booleanOption(options, "ignorePunctuation") ?? false,
    tailoring: tailoringOf(languageOf(resolved.data)),
    locale: nameWithKeywords(resolved, {
      kn: numericOption === undefined || numericOption === (kn !== "false") ? kn : undefined,
      kf: caseOption === undefined || caseOption === kept ? kept : undefined,
    }),
  };
}

const languageOf = (data: string): string => data.split("-")[0] as string;

function hasOrder(data: string): boolean {
  const language = languageOf(data);
  return (ROOT_LANGUAGES.has(language) && data !== "fr-CA") || tailoringOf(language) !== undefined;
}

function refuseUnknown({ data, locale }: ResolvedLocale): void {
  if (!hasOrder(data)) throw new RangeError(`${SERVICE} does not have the order of ${locale} here`);
}
