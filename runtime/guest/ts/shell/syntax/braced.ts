/** `${…}`: parameters with operations. */

import type { Operation, Parameter, Subscript, Word } from "./ast";
import { readExpression } from "./arithmetic-text";
import {
  AT,
  BANG,
  CLOSE_BRACE,
  COLON,
  DOUBLE_QUOTE,
  HASH,
  isDigit,
  isNameStart,
  isSpecial,
  OPEN_BRACKET,
  SINGLE_QUOTE,
  SLASH,
  STAR,
} from "./chars";
import { readName } from "./dollar";
import { unmatched } from "./faults";
import { Parts, word } from "./parts";
import type { Reader } from "./reader";
import { readBracedSubscript } from "./subscripts";
import { quotedStyle, type Style, unquotedStyle } from "./styles";
import { readAngle, readParts, readQuotes, readStyled } from "./words";

const OPERAND = unquotedStyle("}<>", (reader, parts, code) => code !== CLOSE_BRACE && readAngle(reader, parts, code));
const PATTERN = unquotedStyle("}/");
/** In double quotes an operand is quoted already; double quotes in it vanish, and between single ones a brace is text. */
const QUOTED_OPERAND: Style = {
  ...quotedStyle("\"'}", '"}', (reader, parts, code) => readQuoted(reader, parts, code) || readApostrophes(reader, parts, code)),
  ansi: true,
};
/** In POSIX mode single quotes are text there. */
const POSIX_OPERAND = quotedStyle('"}', '"}', readQuoted);
const APOSTROPHES: Style = { ...quotedStyle("\"'", '"}', readQuoted), ansi: true };

/** How the operand of `${x-…}` is read. */
function operandStyle(reader: Reader, quoted: boolean): Style {
  if (!quoted) return OPERAND;
  return reader.settings.posix() ? POSIX_OPERAND : QUOTED_OPERAND;
}

function readQuoted(reader: Reader, parts: Parts, code: number): boolean {
  if (code !== DOUBLE_QUOTE) return false;
  for (const part of readQuotes(reader, true)) parts.add(part);
  return true;
}

function readApostrophes(reader: Reader, parts: Parts, code: number): boolean {
  if (code !== SINGLE_QUOTE) return false;
  for (const reads of [true, false]) {
    if (reader.atEnd) return true;
    parts.text("'", true);
    reader.pos++;
    if (reads) readParts(reader, parts, APOSTROPHES);
  }
  return true;
}

interface Subject {
  readonly name: string;
  readonly indirect: boolean;
  readonly length: boolean;
  readonly subscript?: Subscript | undefined;
}

/** Reads from the brace on; `start` is the place of the `$`. */
export function readBraced(reader: Reader, start: number, quoted: boolean): Parameter {
  const begin = reader.position(start);
  reader.enter();
  reader.pos++;
  const inside = reader.pos;
  let subject = readSubject(reader);
  let operation = subject && readOperation(reader, subject, quoted);
  if (!reader.atEnd && reader.code() !== CLOSE_BRACE) operation = undefined;
  if (!subject || operation === undefined) {
    reader.pos = inside;
    skipToBrace(reader, quoted);
    subject = { name: "", indirect: false, length: false };
    operation = { kind: "bad" };
  }
  if (reader.atEnd) throw unmatched("}", begin);
  reader.pos++;
  reader.leave();
  const source = reader.text.slice(start, reader.pos);
  return { kind: "parameter", ...subject, operation: operation === "none" ? undefined : operation, source };
}

function skipToBrace(reader: Reader, quoted: boolean): void {
  readParts(reader, new Parts(), operandStyle(reader, quoted));
}

/** What has no meaning behind `$#`: an operator without an operand, which elsewhere has an empty one. */
const UNMEASURED = /(?:[/%=+~]|\^\^?|,,?)\}/y;

/** The parameter and what `#` or `!` in front make of it; undefined if there is none. */
function readSubject(reader: Reader): Subject | undefined {
  const length = reader.code() === HASH && measures(reader);
  const indirect = reader.code() === BANG && pointsOn(reader);
  if (length || indirect) reader.pos++;
  const name = readParameterName(reader);
  if (name === undefined || (name === "#" && !length && !indirect && standsAt(UNMEASURED, reader))) return undefined;
  if (reader.code() !== OPEN_BRACKET || !isNameStart(name.charCodeAt(0))) return { name, indirect, length };
  const subscript = readBracedSubscript(reader);
  return subscript && { name, indirect, length, subscript };
}

function standsAt(pattern: RegExp, { text, pos }: Reader): boolean {
  pattern.lastIndex = pos;
  return pattern.test(text);
}

/** Whether the `#` here asks for a length: a parameter follows that has no operation. */
function measures(reader: Reader): boolean {
  const next = reader.code(1);
  return isNameStart(next) || isDigit(next) || (isSpecial(next) && reader.code(2) === CLOSE_BRACE);
}

/** Whether the `!` here is an indirection rather than the parameter `$!`. */
function pointsOn(reader: Reader): boolean {
  const next = reader.code(1);
  if (isNameStart(next) || isDigit(next)) return true;
  return next === AT || next === STAR || (isSpecial(next) && reader.code(2) === CLOSE_BRACE);
}

function readParameterName(reader: Reader): string | undefined {
  const code = reader.code();
  if (isNameStart(code)) return readName(reader);
  const start = reader.pos;
  if (isDigit(code)) while (isDigit(reader.code())) reader.pos++;
  else if (isSpecial(code)) reader.pos++;
  else return undefined;
  return reader.text.slice(start, reader.pos);
}

/** The operation up to the closing brace; "none" if the brace follows at once, undefined if there is no such operation. */
function readOperation(reader: Reader, subject: Subject, quoted: boolean): Operation | "none" | undefined {
  if (reader.atEnd) return "none";
  if (reader.code() === CLOSE_BRACE) return keysOf(subject) ?? "none";
  if (subject.length) return undefined;
  const sign = reader.text.charAt(reader.pos);
  return OPERATIONS[sign]?.(reader, quoted, subject);
}

function keysOf({ indirect, subscript }: Subject): Operation | undefined {
  return indirect && subscript?.kind === "all" ? { kind: "keys", joined: subscript.joined } : undefined;
}

type Reading = (reader: Reader, quoted: boolean, subject: Subject) => Operation | undefined;

const DEFAULTS: Readonly<Record<string, "default" | "assign" | "error" | "alternate">> = {
  "-": "default",
  "=": "assign",
  "?": "error",
  "+": "alternate",
};

const readDefault: Reading = (reader, quoted) => {
  const empty = reader.code() === COLON;
  if (empty) reader.pos++;
  const kind = DEFAULTS[reader.text.charAt(reader.pos)] as "default";
  reader.pos++;
  return { kind, empty, word: readStyled(reader, operandStyle(reader, quoted)) };
};

const readRemoval =
  (sign: string, side: "prefix" | "suffix"): Reading =>
  (reader) => {
    const longest = reader.take(sign + sign);
    if (!longest) reader.pos++;
    return { kind: "remove", side, longest, pattern: readStyled(reader, OPERAND) };
  };

const PLACES: Readonly<Record<string, "all" | "prefix" | "suffix">> = { "/": "all", "#": "prefix", "%": "suffix" };

const readReplacement: Reading = (reader) => {
  reader.pos++;
  const where = PLACES[reader.text.charAt(reader.pos)] ?? "first";
  if (where !== "first") reader.pos++;
  // In `${x////_}` the third slash is the pattern.
  const slash = where === "all" && reader.take("/");
  const rest = readStyled(reader, PATTERN);
  const pattern = slash ? word([{ kind: "literal", text: "/", quoted: true }, ...rest.parts], `/${rest.source}`, rest.position) : rest;
  let replacement: Word | undefined;
  if (reader.code() === SLASH) {
    reader.pos++;
    replacement = readStyled(reader, OPERAND);
  }
  return { kind: "replace", where, pattern, replacement };
};

const readColon: Reading = (reader, quoted, subject) => {
  if (reader.text.charAt(reader.pos + 1) in DEFAULTS) return readDefault(reader, quoted, subject);
  reader.pos++;
  if (reader.code() === CLOSE_BRACE) return undefined;
  const offset = readExpression(reader, COLON, CLOSE_BRACE);
  if (reader.code() !== COLON) return { kind: "slice", offset };
  reader.pos++;
  return { kind: "slice", offset, length: readExpression(reader, CLOSE_BRACE) };
};

const readCase: Reading = (reader) => {
  const sign = reader.text.charAt(reader.pos) as "^" | "," | "~";
  const mode = reader.take(sign + sign) ? (`${sign}${sign}` as "^^" | ",," | "~~") : sign;
  if (mode === sign) reader.pos++;
  return { kind: "case", mode, pattern: reader.code() === CLOSE_BRACE ? undefined : readStyled(reader, OPERAND) };
};

const TRANSFORMS = "QEPAKakuUL";

const readAt: Reading = (reader, _, { name, indirect, subscript }) => {
  const joined = reader.text.charAt(reader.pos) as "@" | "*";
  reader.pos++;
  if (indirect && !subscript && reader.code() === CLOSE_BRACE) return isNameStart(name.charCodeAt(0)) ? { kind: "names", joined } : undefined;
  const operator = reader.text.charAt(reader.pos);
  reader.pos++;
  if (joined === "*" || operator === "" || !TRANSFORMS.includes(operator)) return undefined;
  return { kind: "transform", operator: operator as "Q" };
};

const OPERATIONS: Readonly<Record<string, Reading>> = {
  "-": readDefault,
  "=": readDefault,
  "?": readDefault,
  "+": readDefault,
  ":": readColon,
  "#": readRemoval("#", "prefix"),
  "%": readRemoval("%", "suffix"),
  "/": readReplacement,
  "^": readCase,
  ",": readCase,
  "~": readCase,
  "@": readAt,
  "*": readAt,
};
