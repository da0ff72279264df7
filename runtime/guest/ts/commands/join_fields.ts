/** Fields that join is told of. */

import { Failure } from "./command";
import { quoted } from "./sizes";

/** A field to print: of file 1 or 2 by number from 0; of file 0 the one that is joined by. */
export type Column = readonly [file: number, field: number];

export function parseColumns(list: string): Column[] {
  return list.split(/[,\s]+/).filter(Boolean).map((text) => {
    if (text === "0") return [0, 0];
    const [, file, field] = /^([^.]*)\.?([^]*)$/.exec(text)!;
    if (file !== "1" && file !== "2") throw new Failure(`invalid file number in field spec: ${quoted(text)}`);
    if (!text.includes(".")) throw new Failure(`invalid field specifier: ${quoted(text)}`);
    return [Number(file), parseField(field!)];
  });
}

/** A field's number, counted from 1, as an index. */
export function parseField(text: string): number {
  if (!/^\s*\+?\d+$/.test(text) || Number(text) === 0) throw new Failure(`invalid field number: ${quoted(text)}`);
  return Number(text) - 1;
}
