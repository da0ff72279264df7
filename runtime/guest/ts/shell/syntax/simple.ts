/** Simple commands: assignments, words and redirections; and functions, which begin like one. */

import type { Assignment, Command, FunctionDefinition, Redirection, Simple, Word } from "./ast";
import { readAssignment } from "./assignments";
import { skipBlanks, skipNewlines } from "./blanks";
import { CLOSE, GREATER, isMeta, LESS, OPEN } from "./chars";
import { readCompound } from "./commands";
import { unexpected, wordExpected } from "./faults";
import { expandAliases } from "./keywords";
import { plainText } from "./parts";
import type { Reader } from "./reader";
import { readRedirection } from "./redirections";
import { GROUPED, readStyled, readWord } from "./words";

/** `!` or `time` alone has a command without words. */
export function emptyCommand(reader: Reader): Simple {
  return { kind: "simple", assignments: [], words: [], redirections: [], position: reader.position() };
}

/** How the arguments of a command are read that look like assignments. */
type Arguments =
  | "words"
  /** Assignments, arrays too. */
  | "assignments"
  /** `name=(…)` is one word. */
  | "texts";

const BY_NAME: Readonly<Record<string, Arguments>> = {
  declare: "assignments",
  typeset: "assignments",
  local: "assignments",
  export: "assignments",
  readonly: "assignments",
  eval: "texts",
  let: "texts",
  alias: "texts",
};

interface Draft extends Simple {
  readonly assignments: Assignment[];
  readonly words: Simple["words"][number][];
  readonly redirections: Redirection[];
  line?: number;
}

export function readSimple(reader: Reader): Command {
  const draft: Draft = { kind: "simple", assignments: [], words: [], redirections: [], position: reader.position() };
  const definition = readFront(reader, draft);
  if (definition) return definition;
  if (draft.words.length > 0) readArguments(reader, draft);
  else if (draft.assignments.length + draft.redirections.length === 0) throw unexpected(reader);
  return draft;
}

/**
 * In bash a command is on the line where its first assignment or redirection ends. Behind a first word it looks for a
 * parenthesis, and so the command is where that token ends.
 */
function note(reader: Reader, draft: Draft): void {
  const line = reader.lineHere();
  if (line !== draft.position.line) draft.line = line;
}

/** Up to the first word, which may turn out to be a function's name. */
function readFront(reader: Reader, draft: Draft): FunctionDefinition | undefined {
  const { assignments, words, redirections } = draft;
  for (;;) {
    if (assignments.length + redirections.length === 1) note(reader, draft);
    skipBlanks(reader);
    if (assignments.length + redirections.length > 0) expandAliases(reader);
    if (takeRedirection(reader, redirections)) continue;
    if (endsWords(reader)) return undefined;
    const assignment = readAssignment(reader, true);
    if (assignment) assignments.push(assignment);
    else {
      const name = readWord(reader);
      words.push(name);
      if (assignments.length + redirections.length > 0) return undefined;
      if (definesFunction(reader)) return readFunctionBody(reader, name);
      note(reader, draft);
      return undefined;
    }
  }
}

function readArguments(reader: Reader, draft: Draft): void {
  const { assignments, words, redirections } = draft;
  const reading = argumentsOf(words);
  for (;;) {
    skipBlanks(reader);
    if (reader.followsAlias()) expandAliases(reader);
    if (takeRedirection(reader, redirections)) continue;
    if (endsWords(reader)) return;
    words.push(readArgument(reader, reading));
    if (words.length === 2 && assignments.length + redirections.length === 0) note(reader, draft);
  }
}

function takeRedirection(reader: Reader, redirections: Redirection[]): boolean {
  const redirection = readRedirection(reader);
  if (redirection) redirections.push(redirection);
  return redirection !== undefined;
}

function endsWords(reader: Reader): boolean {
  const code = reader.code();
  return isMeta(code) && !((code === LESS || code === GREATER) && reader.code(1) === OPEN);
}

/** How the words behind the command's name are read. */
function argumentsOf([first]: Draft["words"]): Arguments {
  const name = first?.kind === "word" ? plainText(first) : undefined;
  return (name !== undefined && BY_NAME[name]) || "words";
}

function readArgument(reader: Reader, reading: Arguments): Simple["words"][number] {
  if (reading === "words") return readWord(reader);
  const start = reader.pos;
  const assignment = readAssignment(reader, true, true);
  if (!assignment) return readWord(reader);
  if (reading !== "texts") return { kind: "assignment", assignment };
  reader.pos = start;
  return readStyled(reader, GROUPED);
}

/** Whether `()` follows the first word. */
function definesFunction(reader: Reader): boolean {
  skipBlanks(reader);
  if (reader.code() !== OPEN) return false;
  reader.pos++;
  skipBlanks(reader);
  if (reader.code() !== CLOSE) throw wordExpected(reader);
  reader.pos++;
  return true;
}

/** `function name`, with or without parentheses. */
export function readFunction(reader: Reader): FunctionDefinition {
  skipBlanks(reader);
  if (isMeta(reader.code())) throw wordExpected(reader);
  const name = readWord(reader);
  skipBlanks(reader);
  if (reader.code() === OPEN) {
    const mark = reader.mark();
    reader.pos++;
    skipBlanks(reader);
    if (reader.code() === CLOSE) reader.pos++;
    else reader.reset(mark);
  }
  return readFunctionBody(reader, name);
}

function readFunctionBody(reader: Reader, name: Word): FunctionDefinition {
  skipNewlines(reader);
  expandAliases(reader);
  const body = readCompound(reader);
  if (!body) throw unexpected(reader);
  return { kind: "function", name: name.source, body, redirections: [], position: name.position };
}
