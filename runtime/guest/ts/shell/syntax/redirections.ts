/** Redirections: an operator, what it opens, and the descriptor in front. */

import type { Part, Redirection, Word } from "./ast";
import { skipBlanks } from "./blanks";
import { AMPERSAND, characters, GREATER, isDigit, isMeta, isName, LESS, MINUS, OPEN, OPEN_BRACE } from "./chars";
import { SyntaxFault } from "./errors";
import { wordExpected } from "./faults";
import { word } from "./parts";
import type { PendingDocument, Reader } from "./reader";
import { readWord } from "./words";

const BEGINNINGS = characters("0123456789{<>&");

/** Longest first. */
const OPERATORS = ["<<-", "<<<", "&>>", "<<", "<&", "<>", ">>", ">&", ">|", "&>", "<", ">"] as const;

/** The redirection that begins here, or undefined. */
export function readRedirection(reader: Reader): Redirection | undefined {
  if (BEGINNINGS[reader.code()] !== 1) return undefined;
  const position = reader.position();
  const start = reader.pos;
  const descriptor = readDescriptor(reader);
  const operator = readOperator(reader, descriptor !== undefined);
  if (!operator) {
    reader.pos = start;
    return undefined;
  }
  if ((operator === "<&" || operator === ">&") && reader.code() === MINUS) return { operator, descriptor, target: readDash(reader), position };
  skipBlanks(reader);
  if (isMeta(reader.code()) && !startsProcess(reader)) throw wordExpected(reader);
  refuseDescriptor(reader);
  const target = readWord(reader);
  if (operator !== "<<" && operator !== "<<-") return { operator, descriptor, target, position };
  return readHereDocument(reader, { operator: "<<", descriptor, target, position }, operator === "<<-");
}

/** The end of `>&-`, which is an operator of its own: what follows is another word. */
function readDash(reader: Reader): Word {
  const position = reader.position();
  reader.pos++;
  return word([{ kind: "literal", text: "-", quoted: false }], "-", position);
}

/** Digits in front of an operator are no word. */
export function refuseDescriptor(reader: Reader): void {
  const start = reader.pos;
  if (!isDigit(reader.code())) return;
  while (isDigit(reader.code())) reader.pos++;
  const next = reader.code();
  const end = reader.pos;
  reader.pos = start;
  if (next !== LESS && next !== GREATER) return;
  const token = reader.text.slice(start, end);
  throw new SyntaxFault(`syntax error near unexpected token \`${token}'`, reader.position(), false, `\`${reader.lineAt()}'`);
}

/** All redirections that follow. */
export function readRedirections(reader: Reader): Redirection[] {
  const list: Redirection[] = [];
  for (;;) {
    skipBlanks(reader);
    const redirection = readRedirection(reader);
    if (!redirection) return list;
    list.push(redirection);
  }
}

function startsProcess(reader: Reader): boolean {
  return (reader.code() === LESS || reader.code() === GREATER) && reader.code(1) === OPEN;
}

/** Digits that make a greater number are a word. */
const NUMBER_MOST = 0x7fffffff;

/** `2` or `{name}`, only right in front of an operator; what was read otherwise is for the caller to undo. */
function readDescriptor(reader: Reader): Redirection["descriptor"] {
  const code = reader.code();
  if (isDigit(code)) {
    const start = reader.pos;
    while (isDigit(reader.code())) reader.pos++;
    const number = Number(reader.text.slice(start, reader.pos));
    if (number <= NUMBER_MOST) return number;
    reader.pos = start;
    return undefined;
  }
  if (code !== OPEN_BRACE) return undefined;
  const close = reader.text.indexOf("}", reader.pos);
  const after = reader.text.charCodeAt(close + 1);
  if (close < 0 || close - reader.pos > 256 || (after !== LESS && after !== GREATER)) return undefined;
  const variable = reader.text.slice(reader.pos + 1, close);
  if (!isName(variable.replace(/\[.+\]$/, ""))) return undefined;
  reader.pos = close + 1;
  return { variable };
}

function readOperator(reader: Reader, described: boolean): (typeof OPERATORS)[number] | undefined {
  const code = reader.code();
  if (code === AMPERSAND ? described || reader.code(1) !== GREATER : code !== LESS && code !== GREATER) return undefined;
  if (!described && startsProcess(reader)) return undefined;
  return OPERATORS.find((operator) => reader.take(operator));
}

/** As many documents one line may have in bash. */
const DOCUMENTS_MOST = 16;

function readHereDocument(reader: Reader, redirection: Redirection, strip: boolean): Redirection {
  const { target } = redirection;
  if (reader.pending.length >= DOCUMENTS_MOST) {
    throw new SyntaxFault("maximum here-document count exceeded", reader.position(), false, undefined, "documents");
  }
  const { text, quoted } = delimiterOf(target);
  const empty = word([{ kind: "literal", text: "", quoted: true }], "", target.position);
  const pending: PendingDocument = {
    redirection: { ...redirection, target: empty, delimiter: { text: target.source, strip } },
    delimiter: text,
    quoted,
    strip,
  };
  reader.pending.push(pending);
  return pending.redirection;
}

/** The delimiter without its quotes, of which any single one makes the document literal. */
function delimiterOf(target: Word): { text: string; quoted: boolean } {
  const plain = target.source.replaceAll("\\\n", "");
  if (!/['"\\]/.test(plain)) return { text: plain, quoted: false };
  let quoted = false;
  const visit = (part: Part): string => {
    if (part.kind === "double") {
      quoted = true;
      return part.parts.map(visit).join("");
    }
    if (part.kind !== "literal") return "source" in part ? part.source : target.source;
    quoted ||= part.quoted;
    return part.text;
  };
  const text = target.parts.map(visit).join("");
  return { text, quoted };
}
