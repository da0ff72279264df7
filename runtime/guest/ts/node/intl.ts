/** amla:intl: the object `Intl`, whose constructors are loaded when first named. */
import { canonicalizeLocaleList } from "../intl/locale/tags";
import { supportedValuesOf } from "../intl/locale/values";

const MODULES: Readonly<Record<string, string>> = {
  DateTimeFormat: "amla:intl-date",
  NumberFormat: "amla:intl-number",
  Collator: "amla:intl-collate",
  PluralRules: "amla:intl-text",
  RelativeTimeFormat: "amla:intl-text",
  ListFormat: "amla:intl-text",
  Locale: "amla:intl-text",
  DisplayNames: "amla:intl-names",
  Segmenter: "amla:intl-segment",
};

export const Intl: Record<string, unknown> = {};

const methods = {
  getCanonicalLocales(locales?: unknown): string[] {
    return canonicalizeLocaleList(locales);
  },
  supportedValuesOf(key: unknown): string[] {
    return supportedValuesOf(String(key));
  },
};
for (const [name, value] of Object.entries(methods)) {
  Object.defineProperty(Intl, name, { value, writable: true, configurable: true });
}
for (const [name, module] of Object.entries(MODULES)) {
  Object.defineProperty(Intl, name, {
    configurable: true,
    get: () => settle(name, (require(module) as Record<string, unknown>)[name]),
    set: (value: unknown) => settle(name, value),
  });
}
Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });

function settle(name: string, value: unknown): unknown {
  Object.defineProperty(Intl, name, { value, writable: true, configurable: true });
  return value;
}
