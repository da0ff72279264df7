/** `name=value`, `name[subscript]+=value`, `name=(…)`. */

import type { ArrayElement, ArrayLiteral, Assignment, Subscript } from "./ast";
import { skipNewlines } from "./blanks";
import { characters, CLOSE, EQUALS, GREATER, isMeta, isNamePart, isNameStart, LESS, OPEN, OPEN_BRACKET, PLUS } from "./chars";
import { SyntaxFault } from "./errors";
import { marked, unexpected, unmatched } from "./faults";
import type { Reader } from "./reader";
import { refuseDescriptor } from "./redirections";
import { readSubscript } from "./subscripts";
import { GROUPED, readStyled, readWord } from "./words";

const AFTER_NAME = characters("=+[");

/**
 * The assignment that begins here, or undefined and nothing read. `arrays`: `(` may begin one. `argument`: what is no
 * assignment is a word, even if a bracket in it never closes.
 */
export function readAssignment(reader: Reader, arrays: boolean, argument = false): Assignment | undefined {
  if (!isNameStart(reader.code())) return undefined;
  const { text, pos: start } = reader;
  let end = start + 1;
  while (isNamePart(text.charCodeAt(end))) end++;
  if (AFTER_NAME[text.charCodeAt(end)] !== 1) return undefined;
  const position = reader.position();
  reader.pos = end;
  const name = text.slice(start, end);
  const subscript = reader.code() === OPEN_BRACKET ? readKey(reader, argument) : undefined;
  const append = takeEquals(reader);
  if (append === undefined) {
    reader.pos = start;
    return undefined;
  }
  const open = reader.pos;
  const value = reader.code() === OPEN && arrays ? readArray(reader) : readWord(reader);
  if (value.kind === "array" && !isMeta(reader.code())) {
    // `a=(1+2)*3` is a text.
    reader.pos = open;
    return { name, subscript, append, value: readStyled(reader, GROUPED), position };
  }
  return { name, subscript, append, value, position };
}

/** Moves over `=` or `+=`; whether it was the latter. */
function takeEquals(reader: Reader): boolean | undefined {
  const append = reader.code() === PLUS;
  if (reader.code(append ? 1 : 0) !== EQUALS) return undefined;
  reader.pos += append ? 2 : 1;
  return append;
}

function readArray(reader: Reader): ArrayLiteral {
  return marked("array", () => readElements(reader));
}

function readElements(reader: Reader): ArrayLiteral {
  const begin = reader.position();
  const elements: ArrayElement[] = [];
  reader.enter();
  reader.pos++;
  for (;;) {
    skipNewlines(reader);
    if (reader.atEnd) throw unmatched(")", begin);
    if (reader.code() === CLOSE) break;
    elements.push(readElement(reader));
  }
  reader.pos++;
  reader.leave();
  return { kind: "array", elements };
}

function readElement(reader: Reader): ArrayElement {
  const code = reader.code();
  if (code === OPEN_BRACKET) {
    const start = reader.pos;
    const key = readKey(reader, false);
    const append = key && takeEquals(reader);
    if (append !== undefined) return { key, append, value: readWord(reader) };
    reader.pos = start;
  }
  if (isMeta(code) && !((code === LESS || code === GREATER) && reader.code(1) === OPEN)) throw unexpected(reader);
  refuseDescriptor(reader);
  return { append: false, value: readWord(reader) };
}

/** `tolerant`: no subscript, and nothing read, if its bracket never closes. */
function readKey(reader: Reader, tolerant: boolean): Subscript | undefined {
  if (!tolerant) return readSubscript(reader);
  const mark = reader.mark();
  try {
    return readSubscript(reader);
  } catch (fault) {
    if (!(fault instanceof SyntaxFault) || !fault.incomplete) throw fault;
    reader.reset(mark);
    return undefined;
  }
}
