/** The shell script in `` $`…` ``. */

import type { TemplateLiteral } from "acorn";
import { HOLE, type Origin } from "../site";
import type { Value } from "../value";
import type { Any } from "./nodes";

interface Command {
  readonly text: string;
  readonly origin: Origin;
  readonly holes: number;
}

/** The text that is run, values that are known put in as at run time (ts/node/shell.ts); undefined if that cannot be said. */
export function commandOf(quasi: TemplateLiteral, valueOf: (node: Any) => Value): Command | undefined {
  const pieces: { at: number; from: number; isPlain: boolean }[] = [];
  let text = "";
  let holes = 0;
  for (const [index, { value, start, end }] of quasi.quasis.entries()) {
    if (value.cooked == null || value.cooked.includes(HOLE)) return undefined;
    pieces.push({ at: text.length, from: start, isPlain: end - start === value.cooked.length });
    text += value.cooked;
    const hole = quasi.expressions[index];
    if (!hole) continue;
    pieces.push({ at: text.length, from: hole.start, isPlain: false });
    const words = quoted(valueOf(hole));
    if (words === undefined) holes += 1;
    text += words ?? HOLE;
  }
  return { text, origin: (offset) => place(pieces, offset), holes };
}

function place(pieces: readonly { at: number; from: number; isPlain: boolean }[], offset: number): number {
  const { at, from, isPlain } = pieces.findLast((each) => each.at <= offset)!;
  return isPlain ? from + offset - at : from;
}

const PLAIN = /^[\w./:=@%+,-]+$/;

function quoted(value: Value): string | undefined {
  if (value.kind === "literal") {
    const text = String(value.value);
    return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  }
  if (value.kind !== "array" || value.open) return undefined;
  const words = value.items.map(quoted);
  return words.every((each) => each !== undefined) ? words.join(" ") : undefined;
}
