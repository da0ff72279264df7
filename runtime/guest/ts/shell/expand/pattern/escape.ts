/** Texts that a pattern is to take as they are. */

const SPECIAL = /[\\*?[\]()|!^@+-]/;
const EACH_SPECIAL = /[\\*?[\]()|!^@+-]/g;

/** Makes `text` match itself. */
export function escapePattern(text: string): string {
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, "\\$&") : text;
}

/** The text that a pattern without special characters matches. */
export function unescapePattern(pattern: string): string {
  return pattern.includes("\\") ? pattern.replace(/\\([^])/g, "$1") : pattern;
}
