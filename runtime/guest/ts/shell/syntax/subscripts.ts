/** What stands between `[` and `]` behind a variable's name. */

import type { Subscript } from "./ast";
import { parseTree } from "./arithmetic-tree";
import { joinLines } from "./continuations";
import { CLOSE_BRACKET, OPEN_BRACKET } from "./chars";
import { unmatched } from "./faults";
import { Parts, word } from "./parts";
import type { Reader } from "./reader";
import { type Style, unquotedStyle } from "./styles";
import { readParts } from "./words";

/** Brackets inside must be balanced. */
function subscriptStyle(stops: string): Style {
  const style: Style = unquotedStyle(`[]${stops}`, (reader, parts, code) => code === OPEN_BRACKET && readInner(reader, parts, style));
  return style;
}

function readInner(reader: Reader, parts: Parts, style: Style): boolean {
  reader.enter();
  reader.pos++;
  parts.text("[", false);
  readParts(reader, parts, style);
  if (reader.code() !== CLOSE_BRACKET) return false;
  reader.pos++;
  parts.text("]", false);
  reader.leave();
  return true;
}

const PLAIN = subscriptStyle("");
const BRACED = subscriptStyle("}");

/** Reads from the opening bracket on. */
export function readSubscript(reader: Reader): Subscript {
  const begin = reader.position();
  const subscript = readBracket(reader, PLAIN);
  if (!subscript) throw unmatched("]", begin);
  return subscript;
}

/** In `${…}`, where the brace ends it as well: then there is no subscript. */
export function readBracedSubscript(reader: Reader): Subscript | undefined {
  const { depth } = reader;
  const subscript = readBracket(reader, BRACED);
  reader.depth = depth;
  return subscript;
}

function readBracket(reader: Reader, style: Style): Subscript | undefined {
  reader.pos++;
  const start = reader.pos;
  const position = reader.position();
  const parts = new Parts();
  readParts(reader, parts, style);
  if (reader.code() !== CLOSE_BRACKET) return undefined;
  const source = reader.text.slice(start, reader.pos);
  reader.pos++;
  // Lines were joined up to a blank in the brackets.
  if (reader.joins) joinLines(reader);
  if (source === "@" || source === "*") return { kind: "all", joined: source };
  const text = word(parts.list, source, position);
  return { kind: "index", text, expression: { text, tree: parseTree(parts.list, reader.settings) } };
}
