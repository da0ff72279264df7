/** Lines of join as fields, and what is printed of them. */

import { byteText } from "./byte_text";
import { Failure } from "./command";
import { quoted } from "./sizes";

export interface Row {
  readonly line: string;
  readonly fields: readonly string[];
}

/** Whether nothing but single spaces between words separates: nearly all lines are so, and quickly split. */
function isSingleSpaced(line: string): boolean {
  return line[0] !== " " && !line.endsWith(" ") && !line.includes("  ") && !line.includes("\t") && !line.includes("\n");
}

/** Splits at `separator`, or at blanks without one. */
export function splitRow(line: string, separator: string | undefined): Row {
  if (line === "") return { line, fields: [] };
  if (separator === "") return { line, fields: [line] };
  if (separator !== undefined) return { line, fields: line.split(separator) };
  if (isSingleSpaced(line)) return { line, fields: line.split(" ") };
  const trimmed = line.replace(/^[ \t\n]+/, "");
  return { line, fields: trimmed === "" ? [] : trimmed.split(/[ \t\n]+/) };
}

/** A field to print: of file 1 or 2 by number from 0, or the field that is joined by. */
export type Column = { readonly file: 0 } | { readonly file: 1 | 2; readonly field: number };

export function parseColumns(list: string): Column[] {
  return list.split(/[,\s]+/).filter(Boolean).map((text) => {
    if (text === "0") return { file: 0 };
    const [, file, field] = /^([^.]*)\.?([^]*)$/.exec(text)!;
    if (file !== "1" && file !== "2") throw new Failure(`invalid file number in field spec: ${quoted(text)}`);
    if (!text.includes(".")) throw new Failure(`invalid field specifier: ${quoted(text)}`);
    return { file: file === "1" ? 1 : 2, field: parseField(field!) };
  });
}

/** A field's number, counted from 1, as an index. */
export function parseField(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) === 0) throw new Failure(`invalid field number: ${quoted(text)}`);
  return Number(text) - 1;
}

export interface Layout {
  readonly columns: readonly Column[] | undefined;
  readonly separator: string;
  readonly filler: string;
  readonly keys: readonly [number, number];
}

export function layoutOf(columns: readonly Column[] | undefined, separator: string | undefined, filler: string | undefined, keys: readonly [number, number]): Layout {
  return { columns, separator: separator ?? " ", filler: byteText(filler ?? ""), keys };
}

/** For `-o auto`: the joined field, then as many others as the first line of each file has. */
export function automatic(left: Row | undefined, right: Row | undefined, keys: readonly [number, number]): Column[] {
  const others = (row: Row | undefined, file: 1 | 2): Column[] =>
    (row?.fields ?? []).map((_, field) => ({ file, field })).filter(({ field }) => field !== keys[file - 1]);
  return [{ file: 0 }, ...others(left, 1), ...others(right, 2)];
}

/** The line to print for a pair, or for a row alone. */
export function joined({ columns, separator, filler, keys }: Layout, left: Row | undefined, right: Row | undefined): string {
  const or = (text: string | undefined): string => (text === undefined || text === "" ? filler : text);
  const key = left ? left.fields[keys[0]] : right!.fields[keys[1]];
  if (columns) {
    return columns
      .map((column) => (column.file === 0 ? or(key) : or((column.file === 1 ? left : right)?.fields[column.field])))
      .join(separator);
  }
  let text = or(key);
  const others = (row: Row | undefined, index: number): void => {
    const fields = row?.fields ?? [];
    for (let field = 0; field < fields.length; field += 1) if (field !== index) text += separator + or(fields[field]);
  };
  others(left, keys[0]);
  others(right, keys[1]);
  return text;
}
