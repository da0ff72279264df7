/** File names within messages and listings, in the styles of GNU's quotearg. */

export const ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
};
/** What cannot be printed: controls, and bytes that are no text. */
const ALL_UNPRINTABLE = /(?:[\0-\x1f\x7f-\x9f]|(?<![\ud800-\udbff])[\udc80-\udcff])/g;
const RUNS = new RegExp(`(?:${ALL_UNPRINTABLE.source})+`, "g");
const SHELL_SPECIAL = /[ !"$&'()*;<=>?[\\^`|]|^[#~]|^[{}]$/;
/** What GNU does not leave between double quotes. */
const SINGLE_ONLY = /[!"$&()*;<=>?[\\^`{|}]|(?!^)[#~]/;

function octal(text: string): string {
  const code = text.charCodeAt(0);
  const bytes = code >= 0xdc80 ? [code - 0xdc00] : code < 0x80 ? [code] : [0xc2, code];
  return ESCAPES[text] ?? bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/** As `ls --quoting-style=shell-escape` prints it: as it is where a shell would take it so, else between quotes. */
export function shellQuoted(text: string, always = false): string {
  if (text === "") return "''";
  const odd = text.search(RUNS) >= 0;
  if (!odd && !SHELL_SPECIAL.test(text)) return always ? `'${text}'` : text;
  if (!odd && text.includes("'") && !SINGLE_ONLY.test(text)) return `"${text}"`;
  const inner = text.replace(/'/g, "'\\''").replace(RUNS, (run) => `'$'${[...run].map(octal).join("")}''`);
  // Nothing stands between the last quotes where the text ends in such a run.
  return odd && inner.endsWith("''") ? `'${inner.slice(0, -1)}` : `'${inner}'`;
}

/** As style `shell` prints it: what cannot be printed stands between the quotes as it is. */
export function shellQuotedRaw(text: string, always = false): string {
  return text.search(RUNS) < 0 ? shellQuoted(text, always) : `'${text.replace(/'/g, "'\\''")}'`;
}

/** A name within a message: always between quotes. */
export function nameQuoted(text: string): string {
  return shellQuoted(text, true);
}

/** A name at the front of a message: between quotes where a shell would need them, or where its end would not be seen. */
export function nameShown(text: string): string {
  return shellQuoted(text, text.includes(":"));
}

/** What cannot be printed as C writes it; blanks as they are. */
export function escapedInPlace(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(ALL_UNPRINTABLE, octal);
}

/** With C's escapes; `quote` is put around it and escaped in it. */
export function escaped(text: string, quote = ""): string {
  const inner = escapedInPlace(text);
  if (quote === "") return inner.replace(/ /g, "\\ ");
  return quote + inner.replaceAll(quote, `\\${quote}`) + quote;
}

/** With question marks for what cannot be printed. */
export function questioned(text: string): string {
  return text.replace(ALL_UNPRINTABLE, "?");
}
