/** The faults that several constructs share, in bash's words. */

import type { Position } from "./ast";
import { isMeta, NEWLINE } from "./chars";
import { SyntaxFault } from "./errors";
import type { Reader } from "./reader";
import { readWord } from "./words";

const OPERATORS = ["&>>", "<<<", "<<-", ";;&", "&&", "||", ";;", ";&", "|&", "&>", ">>", ">|", ">&", "<&", "<>", "<<"];

/** Behind a construct that began at `from` and never ended; bash names the line where it began for some, the last for others. */
export function unmatched(closer: string, position: Position): SyntaxFault {
  return new SyntaxFault(`unexpected EOF while looking for matching \`${closer}'`, position, true);
}

/** The next token as bash would name it; "" at the end of the script. */
export function tokenAt(reader: Reader): string {
  const code = reader.code();
  if (code < 0) return "";
  if (code === NEWLINE) return "newline";
  const operator = OPERATORS.find((each) => reader.text.startsWith(each, reader.pos));
  if (operator) return operator;
  if (isMeta(code)) return reader.text.charAt(reader.pos);
  return readWord(reader).source;
}

/** The fault for a next token that cannot stand where it does. */
export function unexpected(reader: Reader): SyntaxFault {
  const start = reader.pos;
  const position = reader.position();
  const token = tokenAt(reader);
  if (token === "" && reader.inSubstitution) return unmatched(")", reader.end);
  if (token === "") return new SyntaxFault("syntax error: unexpected end of file", reader.end, true);
  // A word may run over several lines: bash is then at the last of them.
  const last = token === "newline" || reader.pos === start ? position : { ...position, line: reader.position().line };
  return new SyntaxFault(`syntax error near unexpected token \`${visible(token)}'`, last, false, `\`${reader.lineAt()}'`);
}

const CONTROL: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "'": "\\'", "\\": "\\\\" };

/** A token with control characters is shown as `$'…'`. */
function visible(token: string): string {
  if (!/[\x00-\x1f\x7f]/.test(token)) return token;
  return `$'${token.replace(/['\\\x00-\x1f\x7f]/g, (each) => CONTROL[each] ?? octal(each))}'`;
}

const octal = (sign: string): string => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`;

/** The fault for a missing word, where bash sees the script's end as a newline. */
export function wordExpected(reader: Reader): SyntaxFault {
  if (!reader.atEnd) return unexpected(reader);
  const message = "syntax error near unexpected token `newline'";
  return new SyntaxFault(message, reader.position(), true, `\`${reader.lineAt()}'`);
}

/** Notes what a fault came up in; the innermost counts. */
export function marked<T>(within: NonNullable<SyntaxFault["within"]>, read: () => T): T {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof SyntaxFault) fault.within ??= within;
    throw fault;
  }
}
