/** `for`, `select`, `while`, `until`. */

import type { ArithmeticFor, Arithmetic, Command, For, Select, While, Word } from "./ast";
import { readDoubleParentheses } from "./arithmetic-text";
import { readNewline, skipBlanks, skipNewlines } from "./blanks";
import { GREATER, isMeta, LESS, NEWLINE, OPEN, SEMICOLON } from "./chars";
import { readBody } from "./commands";
import { SyntaxFault } from "./errors";
import { unexpected, wordExpected } from "./faults";
import { expandAliases, expectKeyword, takeKeyword } from "./keywords";
import { readCommands } from "./lists";
import type { Reader } from "./reader";
import { readWord } from "./words";

export function readWhile(reader: Reader, until: boolean): While {
  const position = reader.position();
  const condition = readCommands(reader);
  expectKeyword(reader, "do");
  const body = readCommands(reader);
  expectKeyword(reader, "done");
  return { kind: "while", until, condition, body, redirections: [], position };
}

export function readFor(reader: Reader): Command {
  skipBlanks(reader);
  if (reader.code() === OPEN) return readArithmeticFor(reader);
  return { kind: "for", ...readNamed(reader) } satisfies For;
}

export function readSelect(reader: Reader): Select {
  return { kind: "select", ...readNamed(reader) };
}

/** `name [in words]; do … done`. */
function readNamed(reader: Reader): Omit<For, "kind"> {
  skipBlanks(reader);
  const position = reader.position();
  if (isMeta(reader.code())) throw wordExpected(reader);
  const name = readWord(reader).source;
  skipNewlines(reader);
  const words = takeKeyword(reader, "in") ? readWords(reader) : undefined;
  endWords(reader, words !== undefined);
  return { name, words, body: readBody(reader), redirections: [], position };
}

function readWords(reader: Reader): Word[] {
  const words: Word[] = [];
  for (;;) {
    skipBlanks(reader);
    const code = reader.code();
    if (isMeta(code) && !((code === LESS || code === GREATER) && reader.code(1) === OPEN)) return words;
    words.push(readWord(reader));
  }
}

/** Behind `in …` a `;` or a newline must stand. */
function endWords(reader: Reader, required: boolean): void {
  skipBlanks(reader);
  const ended = reader.code() === SEMICOLON && reader.code(1) !== SEMICOLON;
  if (ended) reader.pos++;
  else if (reader.code() === NEWLINE) readNewline(reader);
  else if (required) throw unexpected(reader);
  skipNewlines(reader);
  expandAliases(reader);
}

function readArithmeticFor(reader: Reader): ArithmeticFor {
  const position = reader.position();
  const start = reader.pos;
  const parts = readDoubleParentheses(reader, SEMICOLON);
  if (!parts) throw unexpected(reader);
  if (parts.length !== 3) throw wrongCount(reader, parts.length, start);
  const [first, condition, step] = parts.map(unlessEmpty);
  endWords(reader, false);
  return { kind: "arithmetic for", start: first, condition, step, body: readBody(reader), redirections: [], position };
}

function unlessEmpty(expression: Arithmetic): Arithmetic | undefined {
  return expression.text.source.trim() === "" ? undefined : expression;
}

function wrongCount(reader: Reader, count: number, start: number): SyntaxFault {
  const message = count < 3 ? "syntax error: arithmetic expression required" : "syntax error: `;' unexpected";
  const detail = `syntax error: \`${reader.text.slice(start, reader.pos)}'`;
  return new SyntaxFault(message, reader.position(start), false, detail);
}
