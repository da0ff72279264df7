/**
 * Words: runs of ordinary characters with quotes, expansions and substitutions between them. A `Style` says which characters
 * are special where: between blanks, inside `"…"`, in `${x:-…}`, in a here-document.
 */

import type { Part, Word } from "./ast";
import { readBacktick, readProcess } from "./substitutions";
import {
  BACKSLASH,
  BACKTICK,
  characters,
  CLOSE,
  DOLLAR,
  DOUBLE_QUOTE,
  GREATER,
  isGroupMark,
  LESS,
  NEWLINE,
  OPEN,
  SINGLE_QUOTE,
} from "./chars";
import { readDollar } from "./dollar";
import { unmatched } from "./faults";
import { Parts, quotedWord, word } from "./parts";
import { Reader, type Settings } from "./reader";
import { quotedStyle, type Style, unquotedStyle } from "./styles";

const WORD = unquotedStyle(" \t\n;&|<>()", otherInWord);
/** Where an extended pattern is one whatever the options say. */
const PATTERN = unquotedStyle(" \t\n;&|<>()", (reader, parts, code) => {
  if (code === OPEN) return readGroup(reader, parts);
  return otherInWord(reader, parts, code);
});
/** A word in which parentheses mean nothing. */
export const GROUPED = unquotedStyle(" \t\n;&|<>()", (reader, parts, code) => {
  if (code !== OPEN) return otherInWord(reader, parts, code);
  readParentheses(reader, parts);
  return true;
});
const GROUP = unquotedStyle("()", (reader, parts, code) => {
  if (code === CLOSE) return false;
  readParentheses(reader, parts);
  return true;
});
const WORD_ENDS = characters(" \t\n;&|)");
const DOUBLE = quotedStyle('"', '"');
/** Quotes within a quoted operand: what is between them is not quoted for a backslash. */
const UNQUOTING: Style = { ...DOUBLE, escapes: undefined };
const DOCUMENT = quotedStyle("", "");

function otherInWord(reader: Reader, parts: Parts, code: number): boolean {
  if (code === OPEN) return reader.settings.extglob() && readGroup(reader, parts);
  if ((code !== LESS && code !== GREATER) || reader.code(1) !== OPEN) return false;
  parts.add(readProcess(reader));
  return true;
}

/** `<` or `>` where no redirection can be. */
export function readAngle(reader: Reader, parts: Parts, code: number): boolean {
  if (reader.code(1) === OPEN) parts.add(readProcess(reader));
  else {
    parts.text(String.fromCharCode(code), false);
    reader.pos++;
  }
  return true;
}

/** `@(…)` and the like, from the parenthesis on. */
function readGroup(reader: Reader, parts: Parts): boolean {
  if (!isGroupMark(parts.lastUnquoted())) return false;
  readParentheses(reader, parts);
  return true;
}

/** Text in balanced parentheses, which mean nothing here. */
export function readParentheses(reader: Reader, parts: Parts): void {
  const begin = reader.position();
  reader.enter();
  reader.pos++;
  parts.text("(", false);
  readParts(reader, parts, GROUP);
  if (reader.code() !== CLOSE) throw unmatched(")", begin);
  reader.pos++;
  parts.text(")", false);
  reader.leave();
}

/** Reads on until a character that ends a text of this style, or the end of the script. */
export function readParts(reader: Reader, parts: Parts, style: Style): void {
  const { special, quoted } = style;
  for (;;) {
    const { text, pos: start } = reader;
    let pos = start;
    while (pos < text.length && special[text.charCodeAt(pos)] !== 1) pos++;
    if (pos > start) parts.text(text.slice(start, pos), quoted);
    reader.pos = pos;
    if (pos >= text.length || !readSpecial(reader, parts, style, text.charCodeAt(pos))) return;
  }
}

function readSpecial(reader: Reader, parts: Parts, style: Style, code: number): boolean {
  if (code === BACKSLASH) readEscape(reader, parts, style);
  else if (code === DOLLAR) readDollar(reader, parts, style.quoted && !(style.ansi && reader.code(1) === SINGLE_QUOTE));
  else if (code === BACKTICK) parts.add(readBacktick(reader, style.escapes?.[DOUBLE_QUOTE] === 1));
  else if (code === SINGLE_QUOTE && !style.quoted) readSingle(reader, parts);
  else if (code === DOUBLE_QUOTE && !style.quoted) parts.add(readDouble(reader));
  else return style.other(reader, parts, code);
  return true;
}

function readEscape(reader: Reader, parts: Parts, { quoted, escapes }: Style): void {
  const next = reader.code(1);
  reader.pos += next < 0 ? 1 : 2;
  if (next === NEWLINE) return;
  if (next < 0) parts.text("\\", true);
  else if (!escapes || escapes[next] === 1) parts.text(String.fromCharCode(next), true);
  else parts.text(`\\${String.fromCharCode(next)}`, quoted);
}

function readSingle(reader: Reader, parts: Parts): void {
  const end = reader.text.indexOf("'", reader.pos + 1);
  if (end < 0) throw unmatched("'", reader.position());
  parts.text(reader.text.slice(reader.pos + 1, end), true);
  reader.pos = end + 1;
}

/** The parts between double quotes, from the opening one on; `nested`: they stand within others. */
export function readQuotes(reader: Reader, nested = false): readonly Part[] {
  const begin = reader.position();
  const parts = new Parts();
  reader.enter();
  reader.pos++;
  readParts(reader, parts, nested ? UNQUOTING : DOUBLE);
  if (reader.code() !== DOUBLE_QUOTE) throw unmatched('"', begin);
  reader.pos++;
  reader.leave();
  return parts.list;
}

export function readDouble(reader: Reader): Part {
  return { kind: "double", parts: readQuotes(reader) };
}

/** The next word; its parts are empty where none stands. `pattern`: with extended patterns whatever the options say. */
export function readWord(reader: Reader, pattern = false): Word {
  const { text, codes, pos: start } = reader;
  let pos = start;
  let code: number | undefined = codes[pos];
  while (code !== undefined && (WORD.special[code] === 0 || code >= 128)) code = codes[++pos];
  // Most words are plain; only these are worth a way of their own.
  if (pos === start || !(code === undefined || WORD_ENDS[code] === 1)) return readStyled(reader, pattern ? PATTERN : WORD);
  const position = reader.position();
  reader.pos = pos;
  const source = text.slice(start, pos);
  return word([{ kind: "literal", text: source, quoted: false }], source, position);
}

/** A word in a style of its own. */
export function readStyled(reader: Reader, style: Style): Word {
  const start = reader.pos;
  const position = reader.position();
  const parts = new Parts();
  readParts(reader, parts, style);
  return word(parts.list, reader.text.slice(start, reader.pos), position);
}

/** A text with expansions and no quotes: a here-document, a prompt. */
export function readText(text: string, settings: Settings, origin = { line: 1, column: 1 }, depth = 0): Word {
  const reader = new Reader(text, settings, origin, depth);
  const parts = new Parts();
  readParts(reader, parts, DOCUMENT);
  return quotedWord(parts.list, text, origin);
}
