/** Simple commands: assignments, words and redirections; and functions, which begin like one. */

import type { Assignment, Command, FunctionDefinition, Redirection, Simple, Word } from "./ast";
import { readAssignment } from "./assignments";
import { skipBlanks, skipNewlines } from "./blanks";
import { CLOSE, GREATER, isMeta, LESS, OPEN } from "./chars";
import { readCompound } from "./commands";
import { unexpected } from "./faults";
import { expandAliases } from "./keywords";
import { plainText, word } from "./parts";
import type { Reader } from "./reader";
import { readRedirection } from "./redirections";
import { readWord } from "./words";

/** `!` or `time` alone has a command without words. */
export function emptyCommand(reader: Reader): Simple {
  return { kind: "simple", assignments: [], words: [], redirections: [], position: reader.position() };
}

/** How the arguments of a command are read that look like assignments. */
type Arguments =
  | "words"
  /** Assignments, arrays too. */
  | "assignments"
  /** Assignments of one word. */
  | "values"
  /** `name=(…)` is one word, to be parsed again. */
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

export function readSimple(reader: Reader): Command {
  const position = reader.position();
  const assignments: Assignment[] = [];
  const words: Simple["words"][number][] = [];
  const redirections: Redirection[] = [];
  let reading: Arguments = "words";
  for (;;) {
    skipBlanks(reader);
    if (words.length === 0 || reader.followsAlias()) expandAliases(reader);
    const redirection = readRedirection(reader);
    if (redirection) {
      redirections.push(redirection);
    } else if (endsWords(reader)) {
      break;
    } else if (words.length === 0) {
      const assignment = readAssignment(reader, "all");
      if (assignment) assignments.push(assignment);
      else {
        words.push(readWord(reader));
        if (assignments.length + redirections.length === 0 && definesFunction(reader)) return definition(reader, words[0] as Word);
        reading = argumentsOf(words, "words");
      }
    } else {
      words.push(readArgument(reader, reading));
      if (words.length < 4) reading = argumentsOf(words, reading);
    }
  }
  if (words.length + assignments.length + redirections.length === 0) throw unexpected(reader);
  return { kind: "simple", assignments, words, redirections, position };
}

function endsWords(reader: Reader): boolean {
  const code = reader.code();
  return isMeta(code) && !((code === LESS || code === GREATER) && reader.code(1) === OPEN);
}

function argumentsOf(words: Simple["words"], before: Arguments): Arguments {
  const last = words[words.length - 1];
  const name = last?.kind === "word" ? plainText(last) : undefined;
  if (name === undefined) return before;
  if (words.length === 1) return BY_NAME[name] ?? "words";
  const behind = words.slice(0, -1).every((each) => each.kind === "word" && /^(command|builtin)$/.test(plainText(each) ?? ""));
  return behind && BY_NAME[name] === "assignments" ? "values" : before;
}

function readArgument(reader: Reader, reading: Arguments): Simple["words"][number] {
  if (reading === "words") return readWord(reader);
  const start = reader.pos;
  const position = reader.position();
  const assignment = readAssignment(reader, reading === "values" ? "values" : "all");
  if (!assignment) return readWord(reader);
  if (reading !== "texts") return { kind: "assignment", assignment };
  const source = reader.text.slice(start, reader.pos);
  if (assignment.value.kind === "array") return word([{ kind: "literal", text: source, quoted: true }], source, position);
  reader.pos = start;
  return readWord(reader);
}

/** Whether `()` follows the first word. */
function definesFunction(reader: Reader): boolean {
  skipBlanks(reader);
  if (reader.code() !== OPEN) return false;
  reader.pos++;
  skipBlanks(reader);
  if (reader.code() !== CLOSE) throw unexpected(reader);
  reader.pos++;
  return true;
}

function definition(reader: Reader, name: Word): FunctionDefinition {
  return readFunctionBody(reader, name);
}

/** `function name`, with or without parentheses. */
export function readFunction(reader: Reader): FunctionDefinition {
  skipBlanks(reader);
  if (isMeta(reader.code())) throw unexpected(reader);
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
