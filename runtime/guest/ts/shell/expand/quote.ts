/** Texts written so that the shell reads them again. */

/** What cannot stand in plain quotes: control characters, and bytes that are no characters. */
const UNPRINTABLE = /[\x00-\x1f\x7f\u0080-\u009f\ud800-\udfff]/;
const EACH_UNPRINTABLE = /[\x00-\x1f\x7f\u0080-\u009f\\']|[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g;

const NAMED: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\x1b": "\\E",
  "\\": "\\\\",
  "'": "\\'",
};

function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text) || !UNPRINTABLE.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""));
}

/** `$'…'`. */
function quoteAnsi(text: string): string {
  return `$'${text.replace(EACH_UNPRINTABLE, escapeUnit)}'`;
}

function escapeUnit(unit: string): string {
  const named = NAMED[unit];
  if (named) return named;
  if (unit.length > 1) return unit;
  const code = unit.charCodeAt(0);
  if (code >= 0xdc80 && code <= 0xdcff) return octal(code - 0xdc00);
  return code < 0x80 ? octal(code) : [0xc0 | (code >> 6), 0x80 | (code & 63)].map(octal).join("");
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, "0")}`;
}

/** As messages name commands and folders: as it is, or `$'…'` where it must be. */
export function quoteNamed(text: string): string {
  return isPrintable(text) ? text : quoteAnsi(text);
}

/** `'…'`, but for a single quote alone. */
export function quoteSingle(text: string): string {
  return text === "'" ? "\\'" : `'${text.replaceAll("'", "'\\''")}'`;
}

/** As `${x@Q}` and `trap -p` write it: `'…'`, or `$'…'` where it must be. */
export function quoteValue(text: string): string {
  return isPrintable(text) ? quoteSingle(text) : quoteAnsi(text);
}

/** As `declare -p` writes a value: `"…"`, or `$'…'` where it must be. */
export function quoteDeclared(text: string): string {
  return isPrintable(text) ? `"${text.replace(/["$`\\]/g, "\\$&")}"` : quoteAnsi(text);
}

/** Characters that mean something to the shell somewhere. */
const SPECIAL = /[ \t\n'"\\|&;()<>!{}*[\]?^$`,]/g;

/** As `printf %q` writes it: backslashes, or `$'…'` where it must be. */
export function quoteWord(text: string): string {
  if (text === "") return "''";
  if (!isPrintable(text)) return quoteAnsi(text);
  return text.replace(SPECIAL, "\\$&").replace(/^[#~]/, "\\$&").replace(/([=:])~/g, "$1\\~");
}

const META = /[ \t\n'"\\|&;()<>!{}*[\]?^$`]|^[#~]|[=:]~/;

/** As `declare -p` writes a key of an associative array. */
export function quoteKey(text: string): string {
  return isPrintable(text) && !META.test(text) && text !== "@" && text !== "" ? text : quoteDeclared(text);
}

/** As `set` writes it: quoted only where it must be. */
export function quoteListed(text: string): string {
  return isPrintable(text) ? quoteTrace(text) : quoteAnsi(text);
}

/** As `set -x` writes it: as `set`, but tabs and line ends stand as they are. */
export function quoteTrace(text: string): string {
  if (text === "" || META.test(text)) return quoteSingle(text);
  return isPrintable(text) ? text : quoteAnsi(text);
}
