/** Lines that a backslash joins within a token: `>\⏎>` is `>>`, `a\⏎=1` an assignment, wherever no quote is open. */

import { BACKSLASH, characters, HASH, isMeta, NEWLINE, SPACE } from "./chars";
import type { Cut, Reader } from "./reader";

const STOPS = characters(" \t\n'\"`");

/** Joins the lines of what stands here up to a blank or a quote, so that nobody who looks ahead meets a backslash and newline. */
export function joinLines(reader: Reader): void {
  const { codes } = reader;
  const cuts: Cut[] = [];
  let before = SPACE;
  let token = reader.pos;
  for (let { pos } = reader; ; pos++) {
    const code = codes[pos];
    if (code === undefined || STOPS[code] === 1 || (code === HASH && isMeta(before))) break;
    const joins = code === BACKSLASH && codes[pos + 1] === NEWLINE;
    if (!joins && isMeta(code) !== isMeta(before)) token = pos - 2 * cuts.length;
    if (joins) cuts.push({ pos, token });
    else before = code;
    if (code === BACKSLASH) pos++;
  }
  if (cuts.length > 0) reader.cut(cuts);
}
