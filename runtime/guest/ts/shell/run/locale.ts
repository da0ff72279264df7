/** What the variables say of the locale: whether its characters are those of UTF-8 or, in C, bytes. */

/** The first of them that is not empty decides. */
const NAMES: readonly string[] = ["LC_ALL", "LC_CTYPE", "LANG"];

export function isLocaleName(name: string): boolean {
  return name.charCodeAt(0) === 76 && NAMES.includes(name); // L
}

/** Whether each byte is a character. Locales that are not here are taken for UTF-8, as nearly all are. */
export function isBytewise(get: (name: string) => string | undefined): boolean {
  for (const name of NAMES) {
    const locale = get(name);
    if (locale) return locale === "C" || locale === "POSIX";
  }
  return true;
}
