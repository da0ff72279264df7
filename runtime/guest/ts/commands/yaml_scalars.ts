/** Scalars of YAML: what plain ones mean (the core schema), and the escapes of quoted ones. */

/** A value as JSON has it. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

const INTEGER = /^[-+]?\d+$/;
const OCTAL = /^0o[0-7]+$/;
const HEX = /^0x[\da-fA-F]+$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const NULLS = new Set(["", "~", "null", "Null", "NULL"]);
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, True: true, TRUE: true, false: false, False: false, FALSE: false };

export function plainValue(text: string): Value {
  if (NULLS.has(text)) return null;
  if (Object.hasOwn(BOOLEANS, text)) return BOOLEANS[text]!;
  if (INTEGER.test(text) || FLOAT.test(text)) return Number(text);
  if (OCTAL.test(text) || HEX.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith("-") ? -Number.MAX_VALUE : Number.MAX_VALUE;
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? null : text;
}

/** What a tag, if there is one, makes of a scalar's text. */
export function taggedValue(tag: string | undefined, text: string): Value {
  switch (tag) {
    case "!!str":
    case "!":
      return text;
    case "!!int":
    case "!!float":
      return Number(text);
    case "!!bool":
      return text.toLowerCase() === "true";
    case "!!null":
      return null;
    default:
      return plainValue(text);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0", a: "\x07", b: "\b", t: "\t", "\t": "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\",
  N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029",
};

/** Lines of a quoted scalar become one: single line ends are blanks, more of them one end less. */
function folded(text: string): string {
  return text.replace(/[ \t]*\n(?:[ \t]*\n)*[ \t]*/g, (breaks) => {
    const count = breaks.split("\n").length - 1;
    return count === 1 ? " " : "\n".repeat(count - 1);
  });
}

export function singleQuoted(inner: string): string {
  return folded(inner).replaceAll("''", "'");
}

export function doubleQuoted(inner: string): string {
  const joinedLines = inner.replace(/\\\n[ \t]*/g, "\\\n");
  const parts = joinedLines.split(/(\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[^]))/);
  return parts.map((part, i) => (i % 2 === 1 ? unescaped(part) : folded(part))).join("");
}

function unescaped(escape: string): string {
  if (escape === "\\\n") return "";
  const code = /^\\[xuU](.*)$/.exec(escape)?.[1];
  if (code !== undefined && code !== "") return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
  return ESCAPES[escape[1]!] ?? escape;
}

// --- writing

const RESERVED = new Set(["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no", "No", "NO", "off", "Off", "OFF"]);
const SPECIAL_START = /^[-?:,[\]{}#&*!|>'"%@`]/;

/** Whether a string can stand as it is. */
function isPlain(text: string): boolean {
  if (text === "" || typeof plainValue(text) !== "string" || RESERVED.has(text) || /^<<$|^\.\.\.|^---/.test(text)) return false;
  if (SPECIAL_START.test(text) && !/^[-?:][^\s]/.test(text)) return false;
  if (/^[-?:]$/.test(text) || /^\d{4}-\d\d?-\d\d?/.test(text)) return false;
  return !/: |:$| #|^\s|\s$|[\0-\x1f\x7f-\x9f\ufeff]/.test(text);
}

/** A string that is not a block of lines. */
export function scalarText(text: string): string {
  if (isPlain(text)) return text;
  return /[\0-\x1f\x7f-\x9f\ufeff']/.test(text) || typeof plainValue(text) !== "string" || text === "" || RESERVED.has(text) || /^\d{4}-/.test(text) ? JSON.stringify(text) : `'${text}'`;
}
