/** Which locales there is data for, and which of them a request gets. */
import { canonicalizeLocaleList, parseTag, type Tag, unicodeExtension } from "./tags";
import { objectOptions, stringOption } from "./options";

const DEFAULT_LOCALE = "en-US";

/** Each language's own region, whose data is the language's. */
const OWN_REGION: Readonly<Record<string, string>> = {
  en: "US", cs: "CZ", da: "DK", de: "DE", es: "ES", fi: "FI", fr: "FR", hi: "IN", id: "ID", it: "IT", ja: "JP", ko: "KR", nb: "NO",
  nl: "NL", no: "NO", pl: "PL", pt: "BR", ru: "RU", sv: "SE", tr: "TR", uk: "UA", vi: "VN", zh: "CN",
};
const REGIONAL = new Set(
  "en-GB en-AU en-CA en-IE en-IN en-NZ en-ZA de-AT de-CH es-AR es-MX es-US fr-CA fr-CH pt-PT".split(" "),
);
const SPELLED: Readonly<Record<string, string>> = {
  "zh-Hans": "zh", "zh-Hans-CN": "zh", "zh-Hant": "zh-Hant", "zh-Hant-TW": "zh-Hant", "zh-TW": "zh-Hant",
};

export interface ResolvedLocale {
  /** As resolvedOptions() shows it. */
  readonly locale: string;
  /** The key of its data: "en" for American English. */
  readonly data: string;
  /** Keywords of its Unicode extension that the constructor reads and has not overridden by options. */
  readonly keywords: ReadonlyMap<string, string>;
}

/**
 * The first requested locale that there is data for, be it that of its language alone; else American English, as in Node
 * for `default` or a language that it does not know. `resolvedOptions().locale` tells which it became.
 */
export function resolveLocale(locales: unknown): ResolvedLocale {
  for (const requested of canonicalizeLocaleList(locales)) {
    const tag = parseTag(requested);
    const data = dataKey(tag);
    if (data !== undefined) return { locale: tag.base === "nb-NO" ? "nb" : tag.base, data, keywords: tag.keywords };
    if (tag.language in OWN_REGION) return { locale: tag.language, data: languageKey(tag.language), keywords: tag.keywords };
  }
  return { locale: DEFAULT_LOCALE, data: "en", keywords: new Map() };
}

/** The locale's name with the keywords that took effect. */
export function nameWithKeywords(resolved: ResolvedLocale, used: Readonly<Record<string, string | undefined>>): string {
  const kept = Object.entries(used).filter(([key, value]) => value !== undefined && resolved.keywords.get(key) === value);
  return resolved.locale + unicodeExtension(new Map(kept as [string, string][]));
}

export function supportedLocalesOf(service: string, locales: unknown, options: unknown): string[] {
  const requested = canonicalizeLocaleList(locales);
  if (options !== undefined) {
    stringOption(`${service}.supportedLocalesOf`, objectOptions(options), "localeMatcher", ["lookup", "best fit"], "best fit");
  }
  return requested.filter((name) => dataKey(parseTag(name)) !== undefined);
}

function dataKey({ language, region, variants, base }: Tag): string | undefined {
  if (base in SPELLED) return SPELLED[base];
  if (variants !== "" || base.split("-").length > 2) return undefined;
  if (REGIONAL.has(base)) return base;
  const own = OWN_REGION[language];
  if (own === undefined || (region !== undefined && region !== own) || base.includes("-") !== (region !== undefined)) {
    return undefined;
  }
  return languageKey(language);
}

function languageKey(language: string): string {
  return language === "no" ? "nb" : language;
}
