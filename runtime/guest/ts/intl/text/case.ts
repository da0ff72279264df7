/** toLocaleUpperCase and toLocaleLowerCase with a locale. */
import { canonicalizeLocaleList } from "../locale/tags";

/** Languages whose rules are not here. */
const ABSENT = new Set(["el", "hy", "lt"]);

/** By the first locale: Turkish and Azeri have a dotted and a dotless i. Throws RangeError for languages not known here. */
export function changeCase(text: string, upper: boolean, locales: unknown): string {
  const language = (canonicalizeLocaleList(locales)[0] ?? "en").split("-")[0] as string;
  if (ABSENT.has(language)) throw new RangeError(`toLocale${upper ? "Upper" : "Lower"}Case has no rules here for ${language}`);
  if (language !== "tr" && language !== "az") return upper ? text.toUpperCase() : text.toLowerCase();
  if (upper) return text.replaceAll("i", "\u0130").toUpperCase();
  return text.replaceAll("I\u0307", "i").replaceAll("I", "\u0131").replaceAll("\u0130", "i").toLowerCase();
}
