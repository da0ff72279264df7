/** `$'…'`: the escapes of C, and characters by number. */

import type { Position } from "./ast";
import { BACKSLASH, SINGLE_QUOTE } from "./chars";
import { unmatched } from "./faults";
import type { Reader } from "./reader";

const NAMED: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

/** Reads `'…'` behind a `$`. */
export function readAnsi(reader: Reader): string {
  const begin: Position = reader.position();
  reader.pos++;
  const start = reader.pos;
  let { pos } = reader;
  const { text } = reader;
  while (pos < text.length && text.charCodeAt(pos) !== SINGLE_QUOTE) pos += text.charCodeAt(pos) === BACKSLASH ? 2 : 1;
  if (pos >= text.length) throw unmatched("'", begin);
  reader.pos = pos + 1;
  return unescape(text.slice(start, pos));
}

const ESCAPE = /\\(?:([abeEfnrtv\\'"?])|([0-7]{1,3})|x([0-9a-fA-F]{1,2}|\{[0-9a-fA-F]*\}?)|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c(\\\\|[^]))/g;

/** What the text between the quotes stands for; a NUL ends it. */
export function unescape(text: string): string {
  if (!text.includes("\\")) return text;
  const result = text.replace(ESCAPE, (_, named, octal, hex, short, long, control) => {
    if (named) return NAMED[named] as string;
    if (octal) return byte(parseInt(octal, 8) & 255);
    if (hex) return byte(parseInt(`0${hex.replace(/[{}]/g, "")}`, 16) & 255);
    if (control) return String.fromCharCode(control === "?" ? 127 : control.charCodeAt(0) & 31);
    return character(parseInt(short ?? long, 16));
  });
  const nul = result.indexOf("\0");
  return joinBytes(nul < 0 ? result : result.slice(0, nul));
}

/** A byte that is no ASCII waits, as the lone surrogate that stands for it, for its fellows. */
const byte = (value: number): string => String.fromCharCode(value < 128 ? value : 0xdc00 + value);
const character = (value: number): string => (value > 0x10ffff ? "\ufffd" : String.fromCodePoint(value));

const BYTES = /(?<![\ud800-\udbff])[\udc80-\udcff]+/g;

/** Bytes that stand beside each other and are UTF-8 together become its characters. */
function joinBytes(text: string): string {
  return text.replace(BYTES, (run) => {
    let result = "";
    for (let i = 0; i < run.length; ) {
      const length = sequenceLength(run, i);
      result += length === 0 ? run[i] : String.fromCodePoint(decode(run, i, length));
      i += length || 1;
    }
    return result;
  });
}

const at = (run: string, index: number): number => (index < run.length ? run.charCodeAt(index) - 0xdc00 : 0);

function decode(run: string, index: number, length: number): number {
  let value = at(run, index) & (0x7f >> length);
  for (let i = 1; i < length; i++) value = (value << 6) | (at(run, index + i) & 63);
  return value;
}

/** How many bytes from `index` on make a character; 0 if they make none. */
function sequenceLength(run: string, index: number): number {
  const first = at(run, index);
  const length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0;
  for (let i = 1; i < length; i++) if ((at(run, index + i) & 0xc0) !== 0x80) return 0;
  const value = decode(run, index, length);
  if (length === 3 && (value < 0x800 || (value >= 0xd800 && value <= 0xdfff))) return 0;
  return length === 4 && (value < 0x10000 || value > 0x10ffff) ? 0 : length;
}
