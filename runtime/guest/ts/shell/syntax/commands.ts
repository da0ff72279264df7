/** Compound commands. */

import type { Command, Coprocess, Redirection } from "./ast";
import { readDoubleParentheses } from "./arithmetic-text";
import { skipBlanks } from "./blanks";
import { readCase } from "./cases";
import { CLOSE, isMeta, OPEN } from "./chars";
import { readConditional } from "./conditional";
import { unexpected, wordExpected } from "./faults";
import { expandAliases, expectKeyword, peekKeyword, takeKeyword } from "./keywords";
import { readCommands, readList } from "./lists";
import { readFor, readSelect, readWhile } from "./loops";
import type { Reader } from "./reader";
import { readRedirections } from "./redirections";
import { readFunction, readSimple } from "./simple";
import { readWord } from "./words";

export function readCommand(reader: Reader): Command {
  expandAliases(reader);
  const keyword = peekKeyword(reader);
  if (keyword === undefined || keyword === "time") return readCompound(reader) ?? readSimple(reader);
  if (keyword === "function" || keyword === "coproc") {
    takeKeyword(reader, keyword);
    return keyword === "function" ? readFunction(reader) : readCoprocess(reader);
  }
  const compound = readCompound(reader);
  if (!compound) throw unexpected(reader);
  return compound;
}

/** A compound command with its redirections, or undefined and nothing read. */
export function readCompound(reader: Reader): Command | undefined {
  const body = reader.code() === OPEN ? readParenthesised(reader) : readByKeyword(reader);
  if (!body) return undefined;
  const redirections = readRedirections(reader);
  return redirections.length > 0 ? { ...body, redirections } : body;
}

/** Each begins behind its keyword. */
const BY_KEYWORD: Readonly<Record<string, (reader: Reader) => Command>> = {
  "{": readGroup,
  "[[": readConditional,
  if: readIf,
  case: readCase,
  for: readFor,
  select: readSelect,
  while: (reader) => readWhile(reader, false),
  until: (reader) => readWhile(reader, true),
};

function readByKeyword(reader: Reader): Command | undefined {
  const keyword = peekKeyword(reader);
  const read = keyword === undefined ? undefined : BY_KEYWORD[keyword];
  if (!read || keyword === undefined) return undefined;
  const position = reader.position();
  takeKeyword(reader, keyword);
  reader.enter();
  const command = read(reader);
  reader.leave();
  return { ...command, position };
}

function readParenthesised(reader: Reader): Command {
  const position = reader.position();
  const redirections: Redirection[] = [];
  const [expression] = readDoubleParentheses(reader) ?? [];
  if (expression) return { kind: "arithmetic", expression, redirections, position };
  reader.enter();
  reader.pos++;
  const body = readCommands(reader);
  if (reader.code() !== CLOSE) throw unexpected(reader);
  reader.pos++;
  reader.leave();
  return { kind: "subshell", body, redirections, position };
}

function readGroup(reader: Reader): Command {
  const position = reader.position();
  const body = readCommands(reader);
  expectKeyword(reader, "}");
  return { kind: "group", body, redirections: [], position };
}

function readIf(reader: Reader): Command {
  const position = reader.position();
  const branches = [];
  do {
    const condition = readCommands(reader);
    expectKeyword(reader, "then");
    branches.push({ condition, body: readCommands(reader) });
  } while (takeKeyword(reader, "elif"));
  const otherwise = takeKeyword(reader, "else") ? readCommands(reader) : undefined;
  expectKeyword(reader, "fi");
  return { kind: "if", branches, otherwise, redirections: [], position };
}

/** `coproc` has a name only in front of a compound command. */
function readCoprocess(reader: Reader): Coprocess {
  skipBlanks(reader);
  const position = reader.position();
  const coprocess = (name: string, body: Command): Coprocess => ({ kind: "coprocess", name, body, redirections: [], position });
  const unnamed = readCompound(reader);
  if (unnamed) return coprocess("COPROC", unnamed);
  if (reader.atEnd) throw wordExpected(reader);
  if (isMeta(reader.code())) return coprocess("COPROC", readSimple(reader));
  const mark = reader.mark();
  const name = readWord(reader).source;
  skipBlanks(reader);
  const named = readCompound(reader);
  if (named) return coprocess(name, named);
  reader.reset(mark);
  return coprocess("COPROC", readSimple(reader));
}

/** `do … done`, or braces. */
export function readBody(reader: Reader): ReturnType<typeof readList> {
  const braces = takeKeyword(reader, "{");
  if (!braces) expectKeyword(reader, "do");
  const body = readCommands(reader);
  expectKeyword(reader, braces ? "}" : "done");
  return body;
}
