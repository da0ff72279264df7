/** What stands between `[` and `]` behind a variable's name. */

import type { Subscript } from "./ast";
import { parseTree } from "./arithmetic-tree";
import { CLOSE_BRACKET } from "./chars";
import { unmatched } from "./faults";
import { Parts, word } from "./parts";
import type { Reader } from "./reader";
import { type Style, unquotedStyle } from "./styles";
import { readParts } from "./words";

/** Brackets inside must be balanced. */
const SUBSCRIPT: Style = unquotedStyle("[]", (reader, parts, code) => {
  if (code === CLOSE_BRACKET) return false;
  reader.enter();
  reader.pos++;
  parts.text("[", false);
  readParts(reader, parts, SUBSCRIPT);
  if (reader.code() !== CLOSE_BRACKET) return false;
  reader.pos++;
  parts.text("]", false);
  reader.leave();
  return true;
});

/** Reads from the opening bracket on; `closer` is what bash misses when the script ends in it. */
export function readSubscript(reader: Reader, closer = "]"): Subscript {
  const begin = reader.position();
  reader.pos++;
  const start = reader.pos;
  const position = reader.position();
  const parts = new Parts();
  readParts(reader, parts, SUBSCRIPT);
  if (reader.code() !== CLOSE_BRACKET) throw unmatched(closer, begin);
  const source = reader.text.slice(start, reader.pos);
  reader.pos++;
  if (source === "@" || source === "*") return { kind: "all", joined: source };
  const text = word(parts.list, source, position);
  return { kind: "index", text, expression: { text, tree: parseTree(parts.list, reader.settings) } };
}
