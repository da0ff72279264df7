/** Commands joined: lists, `&&` and `||`, pipelines. */

import type { AndOr, Command, Item, List, Pipeline } from "./ast";
import { readNewline, skipBlanks, skipNewlines } from "./blanks";
import { AMPERSAND, BAR, CLOSE, isBlank, isMeta, NEWLINE, SEMICOLON } from "./chars";
import { readCommand } from "./commands";
import { readDocuments } from "./documents";
import { unexpected } from "./faults";
import { CLOSERS, expandAliases, peekKeyword, takeKeyword } from "./keywords";
import type { Reader } from "./reader";
import { emptyCommand } from "./simple";

/** One for all: most lists have nothing to hold here. */
const NONE: readonly never[] = [];

/** A script that is read as a whole. */
export function parseProgram(reader: Reader): List {
  const items: Item[] = [];
  for (let commands = readComplete(reader); commands; commands = readComplete(reader)) items.push(...commands);
  return items;
}

/** Skips to the next command, over any number of lines; an alias may stand for none. */
function skipToCommand(reader: Reader): void {
  skipNewlines(reader);
  expandAliases(reader);
  while (reader.code() === NEWLINE) {
    skipNewlines(reader);
    expandAliases(reader);
  }
}

/** The commands up to a newline that ends them all; undefined at the end of the script. */
export function readComplete(reader: Reader): List | undefined {
  skipToCommand(reader);
  if (reader.atEnd) return undefined;
  const items: Item[] = [];
  const ended = (): boolean => reader.atEnd || reader.code() === NEWLINE;
  do {
    const separated = readItem(reader, items);
    skipBlanks(reader);
    if (separated) expandAliases(reader);
    else if (!ended()) throw unexpected(reader);
  } while (!ended());
  if (!reader.atEnd) readNewline(reader);
  else readDocuments(reader);
  return items;
}

/** Commands on any number of lines, up to what cannot begin a command: a closing word, a parenthesis, `;;`, the end. */
export function readList(reader: Reader): List {
  const items: Item[] = [];
  for (;;) {
    skipToCommand(reader);
    if (endsList(reader)) return items;
    const separated = readItem(reader, items);
    skipBlanks(reader);
    if (!separated && reader.code() !== NEWLINE) return items;
  }
}

/** A list that cannot be empty. */
export function readCommands(reader: Reader): List {
  const list = readList(reader);
  if (list.length === 0) throw unexpected(reader);
  return list;
}

function endsList(reader: Reader): boolean {
  const code = reader.code();
  if (code < 0 || code === CLOSE || code === SEMICOLON) return true;
  const keyword = peekKeyword(reader);
  return keyword !== undefined && CLOSERS.has(keyword);
}

/** Adds a command to `items`; whether `;` or `&` ends it. */
function readItem(reader: Reader, items: Item[]): boolean {
  const command = readAndOr(reader);
  skipBlanks(reader);
  const code = reader.code();
  const background = code === AMPERSAND && reader.code(1) !== AMPERSAND;
  items.push({ command, background });
  const separated = background || (code === SEMICOLON && reader.code(1) !== SEMICOLON && reader.code(1) !== AMPERSAND);
  if (separated) reader.pos++;
  return separated;
}

function readAndOr(reader: Reader): AndOr {
  const first = readPipeline(reader);
  let rest: { operator: "&&" | "||"; pipeline: Pipeline }[] | undefined;
  for (;;) {
    skipBlanks(reader);
    const code = reader.code();
    if ((code !== AMPERSAND && code !== BAR) || reader.code(1) !== code) return { first, rest: rest ?? NONE };
    const operator = code === BAR ? "||" : "&&";
    reader.pos += 2;
    skipNewlines(reader);
    (rest ??= []).push({ operator, pipeline: readPipeline(reader) });
  }
}

function readPipeline(reader: Reader): Pipeline {
  expandAliases(reader);
  const position = reader.position();
  const { negated, timed, prefixed } = PREFIXES.has(peekKeyword(reader)) ? readPrefixes(reader) : PLAIN;
  const commands: Command[] = [];
  let both: boolean[] | undefined;
  if (prefixed && endsPipeline(reader)) return { negated, timed, commands: [emptyCommand(reader)], both: NONE, position };
  for (;;) {
    commands.push(readCommand(reader));
    skipBlanks(reader);
    if (reader.code() !== BAR || reader.code(1) === BAR) return { negated, timed, commands, both: both ?? NONE, position };
    (both ??= []).push(reader.code(1) === AMPERSAND);
    reader.pos += reader.code(1) === AMPERSAND ? 2 : 1;
    skipNewlines(reader);
  }
}

const PREFIXES: ReadonlySet<string | undefined> = new Set(["!", "time"]);
const PLAIN = { negated: false, timed: "", prefixed: false } as const;

/** `!` and `time`, each any number of times. */
function readPrefixes(reader: Reader): { negated: boolean; timed: Pipeline["timed"]; prefixed: boolean } {
  let negated = false;
  let timed: Pipeline["timed"] = "";
  let prefixed = false;
  for (;;) {
    if (takeKeyword(reader, "!")) negated = !negated;
    else if (takeKeyword(reader, "time")) timed = readTimeOption(reader) ?? (timed || "time");
    else return { negated, timed, prefixed };
    prefixed = true;
    skipBlanks(reader);
    expandAliases(reader);
  }
}

function readTimeOption(reader: Reader): "time -p" | undefined {
  skipBlanks(reader);
  const posix = reader.text.startsWith("-p", reader.pos) && isMeta(reader.code(2));
  if (posix) reader.pos += 2;
  while (isBlank(reader.code())) reader.pos++;
  if (reader.text.startsWith("--", reader.pos) && isMeta(reader.code(2))) reader.pos += 2;
  return posix ? "time -p" : undefined;
}

function endsPipeline(reader: Reader): boolean {
  const code = reader.code();
  return code < 0 || code === NEWLINE || code === SEMICOLON || code === AMPERSAND || code === CLOSE;
}
