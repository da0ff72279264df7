/** Strings as source literals. */

const SHORT: Record<string, string> = {
  "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\\": "\\\\",
};

const MUST_ESCAPE = /[\0-\x1f\\\x7f-\x9f\ud800-\udfff]/;
const ESCAPED = /[\ud800-\udbff][\udc00-\udfff]|[\0-\x1f\\\x7f-\x9f\ud800-\udfff]/g;

function escapeUnit(unit: string): string {
  if (unit.length === 2) return unit;
  const short = SHORT[unit];
  if (short !== undefined) return short;
  const code = unit.charCodeAt(0);
  const hex = code.toString(16);
  return code > 0xff ? `\\u${hex}` : `\\x${hex.toUpperCase().padStart(2, "0")}`;
}

function escape(text: string): string {
  return MUST_ESCAPE.test(text) ? text.replace(ESCAPED, escapeUnit) : text;
}

/** Single quotes unless the text holds some and double quotes or backticks need no escape. */
export function quote(text: string): string {
  const escaped = escape(text);
  if (!text.includes("'")) return `'${escaped}'`;
  if (!text.includes('"')) return `"${escaped}"`;
  if (!text.includes("`") && !text.includes("${")) return `\`${escaped}\``;
  return `'${escaped.replaceAll("'", "\\'")}'`;
}

/** A symbol's or hidden property's name, as it stands between brackets. */
export function escapeName(text: string): string {
  return escape(text).replaceAll("'", "\\'");
}
