/** Language tags (BCP 47): the check and the spelling that Intl.getCanonicalLocales asks for. */

const LANGUAGE = "[a-z]{2,3}|[a-z]{5,8}";
const VARIANT = "[a-z0-9]{5,8}|[0-9][a-z0-9]{3}";
const EXTENSION = "[a-wy-z0-9](?:-[a-z0-9]{2,8})+";
const TAG = new RegExp(
  `^(${LANGUAGE})(?:-([a-z]{4}))?(?:-([a-z]{2}|[0-9]{3}))?((?:-(?:${VARIANT}))*)((?:-${EXTENSION})*)(-x(?:-[a-z0-9]{1,8})+)?$`,
);
/** Old language codes and whole tags that have a modern spelling. */
const RENAMED: Readonly<Record<string, string>> = {
  iw: "he", in: "id", ji: "yi", mo: "ro", cmn: "zh", tl: "fil", sh: "sr-Latn", "art-lojban": "jbo", "zh-min-nan": "nan",
};

export interface Tag {
  readonly language: string;
  readonly script: string | undefined;
  readonly region: string | undefined;
  readonly variants: string;
  /** Unicode extension keys with their values, "" for a bare key. */
  readonly keywords: ReadonlyMap<string, string>;
  /** The part before any extension. */
  readonly base: string;
  readonly full: string;
}

/** Read a tag in any case. Throws RangeError if it is not well-formed. */
export function parseTag(text: string): Tag {
  const lower = text.toLowerCase();
  const match = TAG.exec(lower in RENAMED ? (RENAMED[lower] as string).toLowerCase() : lower);
  if (match === null) throw malformed();
  const [, first = "", script, region, variants = "", extensions = "", privateUse = ""] = match;
  const singletons = extensions.match(/(?<=-)[a-z0-9](?=-)/g) ?? [];
  if (new Set(singletons).size !== singletons.length) throw malformed();
  const keywords = readKeywords(/(?:^|-)u((?:-[a-z0-9]{2,8})+)/.exec(extensions)?.[1] ?? "");
  const language = RENAMED[first] ?? first;
  const base =
    language + (script ? `-${titleCase(script)}` : "") + (region ? `-${region.toUpperCase()}` : "") + variants;
  const full = base + canonicalExtensions(extensions, keywords) + privateUse;
  return {
    language,
    script: script && titleCase(script),
    region: region?.toUpperCase(),
    variants: variants.slice(1),
    keywords,
    base,
    full,
  };
}

/** The locales argument as a list of distinct canonical tags. */
export function canonicalizeLocaleList(locales: unknown): string[] {
  if (locales === undefined) return [];
  if (locales === null) throw new TypeError("Cannot convert undefined or null to object");
  if (typeof locales === "string" || isLocale(locales)) return [parseTag(String(locales)).full];
  const list = Object(locales) as ArrayLike<unknown>;
  const seen = new Set<string>();
  for (let i = 0; i < (Number(list.length) || 0); i++) {
    if (!(i in list)) continue;
    const item = list[i];
    if (typeof item !== "string" && (typeof item !== "object" || item === null)) {
      throw new TypeError("Language ID should be string or object.");
    }
    seen.add(parseTag(String(item)).full);
  }
  return [...seen];
}

/** The suffix `-u-…` for keywords, or "". */
export function unicodeExtension(keywords: ReadonlyMap<string, string>): string {
  const parts = [...keywords].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `-${key}${value && `-${value}`}`);
  return parts.length === 0 ? "" : `-u${parts.join("")}`;
}

function isLocale(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.prototype.toString.call(value) === "[object Intl.Locale]";
}

function malformed(): RangeError {
  return new RangeError("Incorrect locale information provided");
}

function titleCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function readKeywords(text: string): Map<string, string> {
  const keywords = new Map<string, string>();
  for (const [, key = "", value = ""] of text.matchAll(/-([a-z0-9][a-z])((?:-[a-z0-9]{3,8})*)/g)) {
    if (!keywords.has(key)) keywords.set(key, value.slice(1) === "true" ? "" : value.slice(1));
  }
  return keywords;
}

function canonicalExtensions(text: string, keywords: ReadonlyMap<string, string>): string {
  const parts = text.split(/-(?=[a-z0-9]-)/).filter((part) => part !== "");
  return parts
    .sort()
    .map((part) => (part.startsWith("u-") && keywords.size > 0 ? unicodeExtension(keywords) : `-${part}`))
    .join("");
}
