/** amla:intl-text: plurals, lists, relative times, locales, and letter case by language. */
export { changeCase } from "../intl/text/case";
export { ListFormat } from "../intl/text/list";
export { Locale } from "../intl/text/locale-object";
export { PluralRules } from "../intl/text/plural";
export { RelativeTimeFormat } from "../intl/text/relative";
