/** The text of an arithmetic expression, wherever one stands: its parts, as in double quotes, and its parse. */

import type { Arithmetic, ArithmeticExpansion, Part, Position } from "./ast";
import { parseTree } from "./arithmetic-tree";
import {
  CLOSE,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  DOUBLE_QUOTE,
  OPEN,
  OPEN_BRACKET,
  QUESTION,
  SINGLE_QUOTE,
} from "./chars";
import { SyntaxFault } from "./errors";
import { unmatched } from "./faults";
import { Parts, quotedWord } from "./parts";
import { DEEPEST, type Reader } from "./reader";
import { quotedStyle } from "./styles";
import { readParts, readQuotes } from "./words";

/** Double quotes vanish, as they do when the text is expanded; single ones stay, with all that is between them. */
const TEXT = quotedStyle("'\"()[]{}?:;", '"', (reader, parts, code) => {
  if (code === SINGLE_QUOTE) return readSingles(reader, parts);
  if (code !== DOUBLE_QUOTE) return false;
  for (const part of readQuotes(reader)) parts.add(part);
  return true;
});

function readSingles(reader: Reader, parts: Parts): boolean {
  const end = reader.text.indexOf("'", reader.pos + 1);
  if (end < 0) throw unmatched("'", reader.position());
  parts.text(reader.text.slice(reader.pos, end + 1), true);
  reader.pos = end + 1;
  return true;
}

const OPENERS: Readonly<Record<number, number>> = { [OPEN]: CLOSE, [OPEN_BRACKET]: CLOSE_BRACKET };

/**
 * Reads the text up to one of `closers` outside all parentheses (and brackets, where `]` is a closer or may hold one). A `:`
 * that belongs to a `?` is no closer. At the end of the script it stops as well.
 */
export function readExpression(reader: Reader, ...closers: number[]): Arithmetic {
  const start = reader.pos;
  const position = reader.position();
  const parts = new Parts();
  const open: number[] = [];
  let questions = 0;
  for (;;) {
    readParts(reader, parts, TEXT);
    const code = reader.code();
    if (code < 0) break;
    if (code === CLOSE_BRACE && closers.includes(code)) break;
    if (open.length === 0 && closers.includes(code) && !(code === COLON && questions > 0)) break;
    if (code === QUESTION) questions++;
    else if (code === COLON) questions--;
    else if (code === open[open.length - 1]) open.pop();
    else if (opens(code, closers)) open.push(OPENERS[code] as number);
    parts.text(String.fromCharCode(code), true);
    reader.pos++;
  }
  return arithmetic(parts.list, reader.text.slice(start, reader.pos), position, reader);
}

/** Brackets count only where the text may end at a bracket or colon: `((` looks for parentheses alone. */
function opens(code: number, closers: readonly number[]): boolean {
  return code === OPEN || (code === OPEN_BRACKET && !closers.includes(CLOSE));
}

function arithmetic(parts: readonly Part[], source: string, position: Position, reader: Reader): Arithmetic {
  return { text: quotedWord(parts, source, position), tree: parseTree(parts, reader.settings) };
}

/**
 * What stands in `((…))`, from the first parenthesis on; `separators` part several expressions. Undefined, and nothing read,
 * if the parentheses do not close together: then it is a command in a subshell after all.
 */
export function readDoubleParentheses(reader: Reader, ...separators: number[]): Arithmetic[] | undefined {
  if (reader.code() !== OPEN || reader.code(1) !== OPEN || reader.notArithmetic.has(reader.remaining)) return undefined;
  const mark = reader.mark();
  const begin = reader.position();
  const expressions = attempt(reader, separators);
  if (expressions === "open") throw unmatched(")", begin);
  if (expressions) return expressions;
  reader.reset(mark);
  reader.notArithmetic.add(reader.remaining);
  return undefined;
}

/** "open" if the script ends before the parentheses do. */
function attempt(reader: Reader, separators: readonly number[]): Arithmetic[] | "open" | undefined {
  try {
    return readUpToBoth(reader, separators);
  } catch (fault) {
    if (!(fault instanceof SyntaxFault) || reader.depth > DEEPEST) throw fault;
    return undefined;
  }
}

function readUpToBoth(reader: Reader, separators: readonly number[]): Arithmetic[] | "open" | undefined {
  const expressions: Arithmetic[] = [];
  reader.enter();
  do {
    reader.pos += expressions.length > 0 ? 1 : 2;
    expressions.push(readExpression(reader, CLOSE, ...separators));
  } while (separators.includes(reader.code()));
  if (reader.atEnd || (reader.remaining === 1 && reader.code() === CLOSE)) return "open";
  if (reader.code(1) !== CLOSE) return undefined;
  reader.pos += 2;
  reader.leave();
  return expressions;
}

/** `$((…))` from its first parenthesis on, if it is one. */
export function readArithmeticExpansion(reader: Reader): ArithmeticExpansion | undefined {
  const [expression] = readDoubleParentheses(reader) ?? [];
  return expression && { kind: "arithmetic", expression };
}

/** `$[…]` from its bracket on. */
export function readOldArithmetic(reader: Reader): ArithmeticExpansion {
  const begin = reader.position();
  reader.enter();
  reader.pos++;
  const expression = readExpression(reader, CLOSE_BRACKET);
  if (reader.atEnd) throw unmatched("]", begin);
  reader.pos++;
  reader.leave();
  return { kind: "arithmetic", expression };
}
