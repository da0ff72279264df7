/** Here-documents: the lines that follow the line of their operator. */

import type { Part, Position, Word } from "./ast";
import { BACKSLASH } from "./chars";
import { SyntaxFault } from "./errors";
import { quotedWord, word } from "./parts";
import { DEEPEST, type PendingDocument, type Reader } from "./reader";
import { readText } from "./words";

/** Reads the documents whose operators stood on the line that has just ended. */
export function readDocuments(reader: Reader): void {
  for (const pending of reader.pending.splice(0)) readDocument(reader, pending);
}

function readDocument(reader: Reader, { redirection, delimiter, quoted, strip }: PendingDocument): void {
  const origin = reader.position();
  const lines: string[] = [];
  let closed = false;
  while (!closed && !reader.atEnd) {
    const start = reader.pos;
    const read = readLine(reader, !quoted);
    const line = strip ? read.replace(/^\t+/, "") : read;
    // A delimiter that begins with tabs itself is found before they are taken off.
    if (closes(line, delimiter, quoted) || (strip && closes(read, delimiter, quoted))) closed = true;
    else if (endsSubstitution(reader, line, delimiter)) {
      reader.pos = start + reader.text.slice(start, reader.pos).indexOf(delimiter) + delimiter.length;
      break;
    } else lines.push(line.endsWith("\n") ? line : `${line}\n`);
  }
  if (!closed) warnOfEnd(reader, delimiter, redirection.position.line);
  const body = lines.join("");
  redirection.target = quoted ? literal(body, origin) : expanded(reader, body, origin);
}

function closes(line: string, delimiter: string, quoted: boolean): boolean {
  const whole = quoted ? line : line.replaceAll("\\\n", "");
  return whole === delimiter || whole === `${delimiter}\n`;
}

function warnOfEnd(reader: Reader, delimiter: string, line: number): void {
  const message = `here-document at line ${line} delimited by end-of-file (wanted \`${delimiter}')`;
  const { end } = reader;
  reader.settings.warn(message, reader.atEnd ? { ...end, line: end.line - 1 } : reader.position());
}

/** A fault in a document shows when it is expanded, as in bash. */
function expanded(reader: Reader, text: string, position: Position): Word {
  try {
    return readText(text, reader.settings, position, reader.depth);
  } catch (fault) {
    if (!(fault instanceof SyntaxFault) || reader.depth >= DEEPEST) throw fault;
    // Counted from the command's line, which is the one before.
    const command = { ...position, line: position.line - 1 };
    return quotedWord([{ kind: "command", body: [], fault, source: text, position: command }], text, position);
  }
}

function literal(text: string, position: Position): Word {
  const part: Part = { kind: "literal", text, quoted: true };
  return word([part], text, position);
}

/** In `$(…)` the parenthesis that closes it may stand right behind the delimiter. */
function endsSubstitution(reader: Reader, line: string, delimiter: string): boolean {
  return reader.inSubstitution && line.startsWith(delimiter) && line.includes(")", delimiter.length);
}

/** A line with its newline; `joined`: with what follows it behind a backslash. */
function readLine(reader: Reader, joined: boolean): string {
  const start = reader.pos;
  do {
    const end = reader.text.indexOf("\n", reader.pos);
    reader.pos = end < 0 ? reader.text.length : end + 1;
  } while (joined && !reader.atEnd && continues(reader.text, start, reader.pos - 2));
  return reader.text.slice(start, reader.pos);
}

/** Whether an odd number of backslashes ends at `last`. */
function continues(text: string, start: number, last: number): boolean {
  let count = 0;
  while (last - count >= start && text.charCodeAt(last - count) === BACKSLASH) count++;
  return count % 2 === 1;
}
