/** What a dollar sign begins. */

import type { Parameter } from "./ast";
import { readAnsi } from "./ansi";
import { readArithmeticExpansion, readOldArithmetic } from "./arithmetic-text";
import { readBraced } from "./braced";
import {
  DOUBLE_QUOTE,
  isDigit,
  isNamePart,
  isNameStart,
  isSpecial,
  OPEN,
  OPEN_BRACE,
  OPEN_BRACKET,
  SINGLE_QUOTE,
} from "./chars";
import { joinLines } from "./continuations";
import type { Parts } from "./parts";
import type { Reader } from "./reader";
import { readCommandSubstitution } from "./substitutions";
import { readDouble } from "./words";

export function readDollar(reader: Reader, parts: Parts, quoted: boolean): void {
  const start = reader.pos;
  if (reader.joins) joinLines(reader);
  reader.pos++;
  const code = reader.code();
  if (code === OPEN_BRACE) parts.add(readBraced(reader, start, quoted));
  else if (code === OPEN) parts.add(readArithmeticExpansion(reader) ?? readCommandSubstitution(reader, start));
  else if (isNameStart(code)) parts.add(plainParameter(reader, start, readName(reader)));
  else if (isDigit(code) || isSpecial(code)) parts.add(sign(reader, start));
  else if (code === OPEN_BRACKET) parts.add(readOldArithmetic(reader));
  else if (code === SINGLE_QUOTE && !quoted) parts.text(readAnsi(reader), true);
  else if (code === DOUBLE_QUOTE && !quoted) parts.add(readDouble(reader));
  else parts.text("$", quoted);
}

function sign(reader: Reader, start: number): Parameter {
  const name = reader.text.charAt(reader.pos);
  reader.pos++;
  return plainParameter(reader, start, name);
}

function plainParameter(reader: Reader, start: number, name: string): Parameter {
  const source = reader.text.slice(start, reader.pos);
  return { kind: "parameter", name, indirect: false, length: false, source };
}

export function readName(reader: Reader): string {
  const { text, pos: start } = reader;
  let pos = start;
  while (isNamePart(text.charCodeAt(pos))) pos++;
  reader.pos = pos;
  return text.slice(start, pos);
}
