/** `[[ … ]]`. */

import type { Conditional, Test, Word } from "./ast";
import { skipBlanks, skipNewlines } from "./blanks";
import { CLOSE, GREATER, isMeta, LESS, OPEN } from "./chars";
import { SyntaxFault } from "./errors";
import { marked, tokenAt } from "./faults";
import { plainText } from "./parts";
import type { Reader } from "./reader";
import { unquotedStyle } from "./styles";
import { readParentheses, readStyled, readWord } from "./words";

const UNARY: ReadonlySet<string> = new Set("abcdefghknoprstuvwxzGLNORS".split("").map((each) => `-${each}`));
const NAMED = "= == != =~ -eq -ne -lt -le -gt -ge -nt -ot -ef".split(" ");
const BINARY: ReadonlySet<string> = new Set(NAMED);

/** The right side of `=~`: parentheses and bars belong to it. */
const REGEX = unquotedStyle(" \t\n;&<>()", (reader, parts, code) => {
  if (code !== OPEN) return false;
  readParentheses(reader, parts);
  return true;
});

/** Reads behind `[[`. */
export function readConditional(reader: Reader): Conditional {
  return marked("conditional", () => readBehind(reader));
}

function readBehind(reader: Reader): Conditional {
  const position = reader.position();
  skipNewlines(reader);
  const test = readOr(reader);
  skipNewlines(reader);
  if (reader.atEnd) throw new SyntaxFault("unexpected EOF while looking for `]]'", position, true);
  if (!takeEnd(reader)) throw new SyntaxFault(`syntax error in conditional expression${operatorAt(reader)}`, position);
  return { kind: "conditional", test, redirections: [], position };
}

function operatorAt(reader: Reader): string {
  return isMeta(reader.code()) ? `: unexpected token \`${name(reader)}'` : "";
}

function readOr(reader: Reader): Test {
  return readMembers(reader, "or", "||", readAnd);
}

function readAnd(reader: Reader): Test {
  return readMembers(reader, "and", "&&", readPrimary);
}

function readMembers(reader: Reader, kind: "and" | "or", operator: string, read: (reader: Reader) => Test): Test {
  const members = [read(reader)];
  while (takeOperator(reader, operator)) members.push(read(reader));
  return members.reduceRight((right, left) => ({ kind, left, right }));
}

/** What stands between the operators of a kind in a row, of which there may be any number. */
export function membersOf(test: Extract<Test, { kind: "and" | "or" }>): readonly Test[] {
  const members: Test[] = [test.left];
  let { right } = test;
  for (; right.kind === test.kind && !right.grouped; right = (right as typeof test).right) members.push((right as typeof test).left);
  members.push(right);
  return members;
}

function takeOperator(reader: Reader, operator: string): boolean {
  skipNewlines(reader);
  if (!reader.take(operator)) return false;
  skipNewlines(reader);
  return true;
}

function readPrimary(reader: Reader): Test {
  skipNewlines(reader);
  const code = reader.code();
  if (code === OPEN) return readGrouped(reader);
  if (isMeta(code) && reader.code(1) !== OPEN) throw fault(reader, `unexpected token \`${name(reader)}' in conditional command`);
  if (atEnd(reader)) throw fault(reader, `unexpected token \`]]' in conditional command`);
  const first = readWord(reader, true);
  const text = plainText(first);
  if (text === "!") return readNot(reader);
  skipBlanks(reader);
  if (text !== undefined && UNARY.has(text) && !binaryFollows(reader)) return readUnary(reader, text);
  return readBinary(reader, first);
}

function readGrouped(reader: Reader): Test {
  reader.enter();
  reader.pos++;
  const test = readOr(reader);
  skipNewlines(reader);
  if (reader.code() !== CLOSE) throw fault(reader, `unexpected token \`${name(reader)}', expected \`)'`);
  reader.pos++;
  reader.leave();
  return { ...test, grouped: true };
}

function readNot(reader: Reader): Test {
  reader.enter();
  const operand = readPrimary(reader);
  reader.leave();
  return { kind: "not", operand };
}

function readUnary(reader: Reader, operator: string): Test {
  if ((isMeta(reader.code()) && !startsSubstitution(reader)) || atEnd(reader)) {
    throw fault(reader, `unexpected argument \`${name(reader)}' to conditional unary operator`);
  }
  return { kind: "unary", operator, operand: readWord(reader, true) };
}

/** `<(…)` or `>(…)`. */
function startsSubstitution(reader: Reader): boolean {
  const code = reader.code();
  return (code === LESS || code === GREATER) && reader.code(1) === OPEN;
}

/** `-f == x`: what looks like a unary operator is then a word. */
function binaryFollows(reader: Reader): boolean {
  const mark = reader.mark();
  const operator = peekBinary(reader);
  const found = operator !== undefined;
  reader.reset(mark);
  return found;
}

function peekBinary(reader: Reader): string | undefined {
  const code = reader.code();
  if ((code === LESS || code === GREATER) && !startsSubstitution(reader)) {
    reader.pos++;
    return code === LESS ? "<" : ">";
  }
  if (isMeta(code)) return undefined;
  const operator = plainText(readWord(reader, true));
  return operator !== undefined && BINARY.has(operator) ? operator : undefined;
}

function readBinary(reader: Reader, left: Word): Test {
  if (endsTest(reader)) return { kind: "word", word: left };
  const code = reader.code();
  if (isMeta(code) && code !== LESS && code !== GREATER) {
    throw fault(reader, `unexpected token \`${name(reader)}', conditional binary operator expected`);
  }
  const mark = reader.mark();
  const written = peekBinary(reader);
  if (written === undefined) {
    reader.reset(mark);
    throw fault(reader, "conditional binary operator expected");
  }
  const operator = written === "=" ? "==" : written;
  const test = { kind: "binary", operator, left, right: readRight(reader, operator) } as const;
  return written === operator ? test : { ...test, written };
}

/** What may follow a lone word; a newline may not, unless a `]]`, `)` or operator follows in turn. */
function endsTest(reader: Reader): boolean {
  return atEnd(reader) || reader.code() === CLOSE || reader.text.startsWith("&&", reader.pos) || reader.text.startsWith("||", reader.pos);
}

function readRight(reader: Reader, operator: string): Word {
  skipBlanks(reader);
  const regex = operator === "=~";
  const startsRegex = regex && reader.code() === OPEN;
  if ((isMeta(reader.code()) && !startsRegex && !startsSubstitution(reader) && reader.code() !== 124) || atEnd(reader)) {
    throw fault(reader, `unexpected argument \`${name(reader)}' to conditional binary operator`);
  }
  return regex ? readStyled(reader, REGEX) : readWord(reader, true);
}

function atEnd(reader: Reader): boolean {
  return reader.text.startsWith("]]", reader.pos) && isMeta(reader.code(2));
}

function takeEnd(reader: Reader): boolean {
  if (!atEnd(reader)) return false;
  reader.pos += 2;
  return true;
}

function name(reader: Reader): string {
  const { pos } = reader;
  const token = tokenAt(reader) || "newline";
  reader.pos = pos;
  return token;
}

function fault(reader: Reader, message: string): SyntaxFault {
  return new SyntaxFault(message, reader.position(), reader.atEnd);
}
