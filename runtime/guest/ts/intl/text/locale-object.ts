/** Intl.Locale: a language tag and its parts. */
import { stringOption } from "../locale/options";
import { parseTag, type Tag, unicodeExtension } from "../locale/tags";

const SERVICE = "Intl.Locale";
/** What a bare language means, for languages that models name. */
const LIKELY =
  "ar-Arab-EG cs-Latn-CZ da-Latn-DK de-Latn-DE el-Grek-GR en-Latn-US es-Latn-ES fi-Latn-FI fr-Latn-FR he-Hebr-IL hi-Deva-IN hu-Latn-HU id-Latn-ID it-Latn-IT ja-Jpan-JP ko-Kore-KR nb-Latn-NO nl-Latn-NL no-Latn-NO pl-Latn-PL pt-Latn-BR ro-Latn-RO ru-Cyrl-RU sv-Latn-SE th-Thai-TH tr-Latn-TR uk-Cyrl-UA vi-Latn-VN zh-Hans-CN";
/** Option, keyword, its allowed values. */
const KEYWORDS = [
  ["calendar", "ca", undefined],
  ["collation", "co", undefined],
  ["hourCycle", "hc", ["h11", "h12", "h23", "h24"]],
  ["caseFirst", "kf", ["upper", "lower", "false"]],
  ["numberingSystem", "nu", undefined],
] as const;

export class Locale {
  readonly #tag: Tag;

  constructor(tag: unknown, options?: unknown) {
    const known = typeof tag === "object" && tag !== null;
    if (typeof tag !== "string" && !known) {
      throw new TypeError("First argument to Intl.Locale constructor can't be empty or missing");
    }
    const base = parseTag(String(tag));
    this.#tag = options === undefined ? base : parseTag(withOptions(base, Object(options) as Record<string, unknown>));
  }

  get baseName(): string {
    return this.#tag.base;
  }
  get language(): string {
    return this.#tag.language;
  }
  get script(): string | undefined {
    return this.#tag.script;
  }
  get region(): string | undefined {
    return this.#tag.region;
  }
  get calendar(): string | undefined {
    return this.#tag.keywords.get("ca");
  }
  get collation(): string | undefined {
    return this.#tag.keywords.get("co");
  }
  get hourCycle(): string | undefined {
    return this.#tag.keywords.get("hc");
  }
  get caseFirst(): string | undefined {
    return this.#tag.keywords.get("kf");
  }
  get numeric(): boolean {
    const value = this.#tag.keywords.get("kn");
    return value !== undefined && value !== "false";
  }
  get numberingSystem(): string | undefined {
    return this.#tag.keywords.get("nu");
  }

  toString(): string {
    return this.#tag.full;
  }

  /** Throws RangeError for a language whose script and region are not known here. */
  maximize(): Locale {
    const { language, script, region, full } = this.#tag;
    if (script !== undefined && region !== undefined) return new Locale(full);
    const [, likelyScript = "", likelyRegion = ""] = likely(language, script, region).split("-");
    const head = `${language}-${script ?? likelyScript}-${region ?? likelyRegion}`;
    return new Locale(head + full.slice(baseHead(this.#tag).length));
  }

  minimize(): Locale {
    const most = this.maximize();
    const rest = this.#tag.full.slice(baseHead(this.#tag).length);
    const { language, script, region } = most;
    for (const shorter of [language, `${language}-${region}`, `${language}-${script}`]) {
      if (new Locale(shorter).maximize().baseName === `${language}-${script}-${region}`) return new Locale(shorter + rest);
    }
    return most;
  }
}
Object.defineProperty(Locale.prototype, Symbol.toStringTag, { value: SERVICE, configurable: true });

/** The tag's language, script and region as it spells them. */
function baseHead({ language, script, region }: Tag): string {
  return [language, script, region].filter((part) => part !== undefined).join("-");
}

function likely(language: string, script: string | undefined, region: string | undefined): string {
  const chinese = language === "zh" && (script === "Hant" || ["TW", "HK", "MO"].includes(region ?? ""));
  if (chinese) return `zh-Hant-${region ?? "TW"}`;
  const found = LIKELY.split(" ").find((tag) => tag.startsWith(`${language}-`));
  if (found === undefined) throw new RangeError(`${SERVICE}: the script and region of ${language} are not known here`);
  return found;
}

function withOptions(tag: Tag, options: Record<string, unknown>): string {
  const part = (name: string, shape: RegExp, own: string | undefined): string | undefined => {
    const value = options[name];
    if (value === undefined) return own;
    if (!shape.test(String(value as string))) throw new RangeError("Incorrect locale information provided");
    return String(value as string);
  };
  const language = part("language", /^([a-z]{2,3}|[a-z]{5,8})$/i, tag.language);
  const script = part("script", /^[a-z]{4}$/i, tag.script);
  const region = part("region", /^([a-z]{2}|\d{3})$/i, tag.region);
  const keywords = new Map(tag.keywords);
  for (const [name, key, allowed] of KEYWORDS) {
    const value = stringOption<string, undefined>(SERVICE, options, name, allowed, undefined);
    if (value === undefined) continue;
    if (!/^[a-z0-9]{3,8}(-[a-z0-9]{3,8})*$/i.test(value)) throw new RangeError(`Invalid ${name} : ${value}`);
    keywords.set(key, value);
  }
  if (options["numeric"] !== undefined) keywords.set("kn", options["numeric"] ? "" : "false");
  const head = [language, script, region, tag.variants || undefined].filter((piece) => piece !== undefined).join("-");
  return head + unicodeExtension(keywords);
}
