/** The lists of tab stops that expand and unexpand take. */

import { Failure } from "./command";
import { quoted } from "./sizes";

interface TabStops {
  readonly stops: Uint8Array;
  readonly every: number;
  readonly fromLast: boolean;
}

/** `4`, `2,8,20`, `2,8,/4`, `2,8,+4`; lists of several options make one. */
export function parseTabStops(lists: readonly string[]): TabStops {
  const stops: number[] = [];
  let every = 0;
  let fromLast = false;
  for (const item of lists.join(",").split(/[,\s]+/).filter(Boolean)) {
    const [, marks, digits] = /^([/+]*)(\d*)$/.exec(item) ?? [];
    if (marks === undefined) throw new Failure(`tab size contains invalid character(s): ${quoted(item.replace(/^[/+]*\d*/, ""))}`);
    const mark = marks.at(-1) ?? "";
    if (digits === "") continue;
    if (every > 0) throw new Failure(`${quoted("/")} specifier only allowed with the last value`);
    const size = Number(digits);
    if (mark !== "") {
      every = size;
      fromLast = mark === "+";
    } else if (size === 0) throw new Failure("tab size cannot be 0");
    else if (stops.length > 0 && size <= stops.at(-1)!) throw new Failure("tab sizes must be ascending");
    else stops.push(size);
  }
  if (stops.length === 0) return encode([], every || 8, false);
  if (stops.length === 1 && every === 0) return encode([], stops[0]!, false);
  return encode(stops, every, fromLast);
}

function encode(stops: readonly number[], every: number, fromLast: boolean): TabStops {
  return { stops: new Uint8Array(Uint32Array.from(stops).buffer), every, fromLast };
}

/** `-4` and `-2,8` are old spellings of -t. */
export function rewriteTabs(args: readonly string[]): readonly string[] {
  return args.map((arg) => (/^-\d[\d,]*$/.test(arg) ? `-t${arg.slice(1)}` : arg));
}
