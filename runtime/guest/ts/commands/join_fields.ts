/** Lines of join as fields, and what is printed of them. */

import { byteText } from "./byte_text";
import { Failure } from "./command";
import { quoted } from "./sizes";

/** A line, taken apart when it must be. */
export class Row {
  private parts: readonly string[] | undefined;
  /** Whether one separator is between fields, and nothing else separates. */
  private readonly isPlain: boolean;

  /** `separator`: blanks without one; "" for none at all. */
  constructor(
    readonly line: string,
    private readonly separator: string | undefined,
  ) {
    this.isPlain = separator === undefined ? isSingleSpaced(line) : separator !== "";
  }

  get fields(): readonly string[] {
    return (this.parts ??= split(this.line, this.separator));
  }

  field(index: number): string | undefined {
    if (index > 0 || !this.isPlain) return this.fields[index];
    const end = this.line.indexOf(this.separator ?? " ");
    return end < 0 ? this.line || undefined : this.line.slice(0, end);
  }

  /** All fields but that one, each behind a separator, with `filler` in place of empty ones. */
  others(index: number, separator: string, filler: string): string {
    if (index === 0 && this.isPlain && filler === "") return this.line.slice(this.field(0)?.length);
    let text = "";
    for (const [place, field] of this.fields.entries()) if (place !== index) text += separator + (field === "" ? filler : field);
    return text;
  }
}

/** Whether nothing but single spaces between words separates: nearly all lines are so, and quickly split. */
function isSingleSpaced(line: string): boolean {
  return line[0] !== " " && !line.endsWith(" ") && !line.includes("  ") && !line.includes("\t") && !line.includes("\n");
}

function split(line: string, separator: string | undefined): readonly string[] {
  if (line === "") return [];
  if (separator === "") return [line];
  if (separator !== undefined) return line.split(separator);
  if (isSingleSpaced(line)) return line.split(" ");
  const trimmed = line.replace(/^[ \t\n]+/, "");
  return trimmed === "" ? [] : trimmed.split(/[ \t\n]+/);
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
  const key = left ? left.field(keys[0]) : right!.field(keys[1]);
  if (columns) {
    return columns
      .map((column) => (column.file === 0 ? or(key) : or((column.file === 1 ? left : right)?.fields[column.field])))
      .join(separator);
  }
  return or(key) + (left?.others(keys[0], separator, filler) ?? "") + (right?.others(keys[1], separator, filler) ?? "");
}
