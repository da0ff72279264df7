/** What stands between tokens: blanks, comments, newlines with the here-documents behind them. */

import { BACKSLASH, HASH, NEWLINE, SPACE, TAB } from "./chars";
import { joinLines } from "./continuations";
import { readDocuments } from "./documents";
import type { Reader } from "./reader";

/** Skips blanks, joined lines and a comment, up to the next token, which is in one piece then, or newline. */
export function skipBlanks(reader: Reader): void {
  skip(reader);
  if (reader.joins) joinLines(reader);
}

function skip(reader: Reader): void {
  let code: number | undefined = reader.codes[reader.pos];
  if (code !== SPACE && code !== TAB && code !== BACKSLASH && code !== HASH) return;
  const { text } = reader;
  let { pos } = reader;
  while (code === SPACE || code === TAB || (code === BACKSLASH && reader.codes[pos + 1] === NEWLINE)) {
    pos += code === BACKSLASH ? 2 : 1;
    code = reader.codes[pos];
  }
  if (code === HASH) {
    const end = text.indexOf("\n", pos);
    pos = end < 0 ? text.length : end;
  }
  reader.pos = pos;
}

/** Moves over the newline here and the here-documents that follow it. */
export function readNewline(reader: Reader): void {
  reader.pos++;
  if (reader.pending.length > 0) readDocuments(reader);
}

/** Skips to the next token, over any number of lines. */
export function skipNewlines(reader: Reader): void {
  skipBlanks(reader);
  while (reader.code() === NEWLINE) {
    readNewline(reader);
    skipBlanks(reader);
  }
}
