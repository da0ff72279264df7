/** Intl.DisplayNames, in English. */
import { CALENDARS, FIELDS, LANGUAGES, REGIONS, SCRIPTS } from "../data/display-names";
import { supportedLocalesOf } from "../locale/negotiate";
import { readLocaleMatcher, stringOption } from "../locale/options";
import { parseTag } from "../locale/tags";
import { service } from "../locale/service";
import { currencyTitle } from "./currency-names";
import { englishLocale, isAmerican } from "./english";
import { strictOptions } from "./list";

const SERVICE = "Intl.DisplayNames";
const STYLES = ["narrow", "short", "long"] as const;
const TYPES = ["language", "region", "script", "currency", "calendar", "dateTimeField"] as const;

interface Settings {
  readonly locale: string;
  readonly style: (typeof STYLES)[number];
  readonly type: (typeof TYPES)[number];
  readonly fallback: "code" | "none";
  readonly languageDisplay: "dialect" | "standard";
}

/** type: the shape of its codes, how a code is spelt, how it is named. */
interface Kind {
  readonly shape: RegExp;
  readonly spell: (code: string) => string;
  readonly name: (code: string, settings: Settings) => string | undefined;
}
const asIs = (code: string): string => code;
const upper = (code: string): string => code.toUpperCase();
const title = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).toLowerCase();
const FIELD_CODES: Readonly<Record<string, string>> = { weekOfYear: "week", dayPeriod: "dayperiod", timeZoneName: "zone" };
const KINDS: Readonly<Record<Settings["type"], Kind>> = {
  region: { shape: /^([a-z]{2}|\d{3})$/i, spell: asIs, name: (code, settings) => lookUp(REGIONS, code, settings) },
  script: { shape: /^[a-z]{4}$/i, spell: asIs, name: (code, settings) => required(SCRIPTS, title(code), settings) },
  language: { shape: /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i, spell: asIs, name: languageName },
  currency: { shape: /^[a-z]{3}$/i, spell: upper, name: currencyName },
  calendar: {
    shape: /^[a-z0-9]{3,8}(-[a-z0-9]{3,8})*$/i,
    spell: asIs,
    name: (code, settings) => lookUp(CALENDARS, code === "gregory" ? "gregorian" : code, settings),
  },
  dateTimeField: {
    shape: /^(era|year|quarter|month|weekOfYear|weekday|day|dayPeriod|hour|minute|second|timeZoneName)$/,
    spell: asIs,
    name: (code, { style }) => rowOf(FIELDS, FIELD_CODES[code] ?? code)?.split("|")[2 - STYLES.indexOf(style)],
  },
};

class DisplayNamesClass {
  readonly #settings: Settings;

  constructor(locales: unknown, given: unknown) {
    const { locale } = englishLocale(SERVICE, locales);
    if (given === undefined) throw new TypeError("invalid_argument");
    const options = strictOptions(given);
    readLocaleMatcher(SERVICE, options);
    const style = stringOption(SERVICE, options, "style", STYLES, "long");
    const type = stringOption(SERVICE, options, "type", TYPES, undefined);
    if (type === undefined) throw new TypeError("invalid_argument");
    const fallback = stringOption(SERVICE, options, "fallback", ["code", "none"] as const, "code");
    const languageDisplay = stringOption(SERVICE, options, "languageDisplay", ["dialect", "standard"] as const, "dialect");
    this.#settings = { locale, style, type, fallback, languageDisplay };
  }

  static supportedLocalesOf(locales: unknown, options?: unknown): string[] {
    return supportedLocalesOf(SERVICE, locales, options).filter(isAmerican);
  }

  of(code: unknown): string | undefined {
    const text = String(code as string);
    const { shape, spell, name } = KINDS[this.#settings.type];
    if (!shape.test(text)) throw new RangeError("invalid_argument");
    return name(spell(text), this.#settings) ?? (this.#settings.fallback === "code" ? spell(text) : undefined);
  }

  resolvedOptions(): Record<string, unknown> {
    const { locale, style, type, fallback, languageDisplay } = this.#settings;
    return { locale, style, type, fallback, ...(type === "language" && { languageDisplay }) };
  }
}

function rowOf(table: string, code: string): string | undefined {
  const at = `\n${table}`.indexOf(`\n${code}=`);
  return at < 0 ? undefined : (table.slice(at + code.length + 1).split("\n", 1)[0] as string);
}

function lookUp(table: string, code: string, { style }: Settings): string | undefined {
  const [long, short = long] = rowOf(table, code)?.split("|") ?? [];
  return style === "long" ? long : short;
}

/** A name from a table that has only the common codes. Throws RangeError for another. */
function required(table: string, code: string, settings: Settings): string {
  const name = lookUp(table, code, settings);
  if (name === undefined) throw new RangeError(`${SERVICE} has no English name here for ${code}`);
  return name;
}

/** The name in every style, as V8 gives it. */
function currencyName(code: string): string {
  const name = currencyTitle(code);
  if (name === undefined) throw new RangeError(`${SERVICE} has no English name here for ${code}`);
  return name;
}

/** "American English", "French (France)", "Chinese (Simplified, Taiwan)": a name of the whole tag, or script and region added. */
function languageName(code: string, settings: Settings): string {
  const { language, script, region, variants, base } = parseTag(code.replaceAll("_", "-"));
  if (variants !== "") throw new RangeError(`${SERVICE} has no English name here for ${base}`);
  const rest = [script, region].filter((part) => part !== undefined);
  const dialect = settings.languageDisplay === "dialect" ? lookUp(LANGUAGES, base, settings) : undefined;
  if (dialect !== undefined) return dialect;
  return withDetails(required(LANGUAGES, language, settings), rest, settings);
}

function withDetails(name: string, parts: readonly string[], settings: Settings): string {
  const names = parts.map((part) => (part.length === 4 ? required(SCRIPTS, part, settings) : (lookUp(REGIONS, part, settings) ?? part)));
  return names.length === 0 ? name : `${name} (${names.join(", ")})`;
}

export const DisplayNames = service("DisplayNames", DisplayNamesClass);
