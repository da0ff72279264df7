/** What stands between tokens: blanks, comments, newlines with the here-documents behind them. */

import { HASH, isBlank, NEWLINE } from "./chars";
import { readDocuments } from "./documents";
import type { Reader } from "./reader";

/** Skips blanks, joined lines and a comment, up to the next token or newline. */
export function skipBlanks(reader: Reader): void {
  for (;;) {
    while (isBlank(reader.code())) reader.pos++;
    const { pos } = reader;
    reader.skipContinuations();
    if (reader.pos === pos) break;
  }
  if (reader.code() !== HASH) return;
  const end = reader.text.indexOf("\n", reader.pos);
  reader.pos = end < 0 ? reader.text.length : end;
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
