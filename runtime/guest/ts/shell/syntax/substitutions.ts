/** Commands inside words: `$(…)`, backticks, `<(…)`. */

import type { CommandSubstitution, List, Position, ProcessSubstitution } from "./ast";
import { BACKSLASH, BACKTICK, CLOSE, LESS, OPEN } from "./chars";
import { SyntaxFault } from "./errors";
import { marked, unexpected, unmatched } from "./faults";
import { parseProgram, readList } from "./lists";
import { DEEPEST, Reader } from "./reader";

/** `$(…)` from its parenthesis on; `start` is the place of the `$`. */
export function readCommandSubstitution(reader: Reader, start: number): CommandSubstitution {
  const position = reader.position(start);
  const body = marked("substitution", () => (reader.code(1) === OPEN ? readMistaken(reader, position) : readEnclosed(reader)));
  return { kind: "command", body, source: reader.text.slice(start, reader.pos), position };
}

/** What begins like arithmetic and is neither that nor commands: bash misses its end. */
function readMistaken(reader: Reader, position: Position): List {
  try {
    return readEnclosed(reader);
  } catch (fault) {
    const ours = fault instanceof SyntaxFault && (!fault.incomplete || fault.message.endsWith("`)'"));
    if (ours && reader.depth <= DEEPEST) throw unmatched(")", position);
    throw fault;
  }
}

/** `<(…)` or `>(…)`. */
export function readProcess(reader: Reader): ProcessSubstitution {
  const position = reader.position();
  const start = reader.pos;
  const direction = reader.code() === LESS ? "<" : ">";
  reader.pos++;
  const body = readEnclosed(reader);
  return { kind: "process", direction, body, source: reader.text.slice(start, reader.pos), position };
}

/** Commands up to the `)` that belongs to the `(` here. */
function readEnclosed(reader: Reader): List {
  const { pending, inSubstitution } = reader;
  reader.enter();
  reader.pos++;
  reader.pending = [];
  reader.inSubstitution = true;
  const body = readList(reader);
  if (reader.atEnd) throw unmatched(")", reader.end);
  if (reader.code() !== CLOSE) throw unexpected(reader);
  reader.pos++;
  // Documents that have not begun when the parenthesis closes begin after the line's end.
  const open = reader.pending;
  if (open.length > 0) {
    const documents = `${open.length} unterminated here-document${open.length > 1 ? "s" : ""}`;
    reader.settings.warn(`command substitution: ${documents}`, reader.position());
  }
  reader.pending = pending;
  reader.pending.push(...open);
  reader.inSubstitution = inSubstitution;
  reader.leave();
  return body;
}

/** What a backslash quotes in backticks; lines that one joins are joined there within any quotes. */
const QUOTED_THERE = /\\([$`\\]|\n)/g;
const QUOTED_IN_DOUBLE = /\\([$`\\"]|\n)/g;

/** `` `…` ``: its text loses one level of backslashes and is then a script of its own. */
export function readBacktick(reader: Reader, quoted: boolean): CommandSubstitution {
  const position = reader.position();
  const { text, pos: start } = reader;
  let pos = start + 1;
  while (pos < text.length && text.charCodeAt(pos) !== BACKTICK) pos += text.charCodeAt(pos) === BACKSLASH ? 2 : 1;
  if (pos >= text.length) throw unmatched("`", position);
  const script = text.slice(start + 1, pos).replace(quoted ? QUOTED_IN_DOUBLE : QUOTED_THERE, (_, sign: string) => (sign === "\n" ? "" : sign));
  reader.pos = pos + 1;
  reader.enter();
  const parsed = parseApart(reader, script, position);
  reader.leave();
  return { kind: "command", ...parsed, source: text.slice(start, pos + 1), position };
}

/** A fault in backticks shows when they are expanded, as in bash. */
function parseApart(outer: Reader, script: string, position: Position): { body: List; fault?: SyntaxFault } {
  const origin = { line: position.line, column: position.column + 1 };
  try {
    return { body: parseProgram(new Reader(script, outer.settings, origin, outer.depth)) };
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
    return { body: [], fault };
  }
}
