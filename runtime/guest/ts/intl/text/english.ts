/** Services that have words only in American English. */
import { resolveLocale, type ResolvedLocale } from "../locale/negotiate";

/** The requested locale. Throws RangeError unless it is American English. */
export function englishLocale(service: string, locales: unknown): ResolvedLocale {
  const resolved = resolveLocale(locales);
  if (resolved.data !== "en") throw new RangeError(`${service} is available here only in en-US, not in ${resolved.locale}`);
  return resolved;
}

export const isAmerican = (locale: string): boolean => /^en(-US)?(-u-|$)/.test(locale);
