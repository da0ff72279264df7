/** Texts that a regular expression is to take as they are. */

/** Makes `text` match itself in an extended regular expression. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\.[\](){}*+?^$|]/g, "\\$&");
}
