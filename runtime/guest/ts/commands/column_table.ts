/** Tables as column -t prints them. */

import { textWidth } from "../console/width";

export interface Column {
  readonly name: string | undefined;
  readonly right: boolean;
  readonly hidden: boolean;
}

/** Rows of cells, the columns as wide as their widest cell; nothing is put behind the last but what fills missing cells. */
export function layoutTable(rows: readonly (readonly string[])[], columns: readonly Column[], separator: string, header: boolean): string {
  const shown = columns.map((column, index) => ({ ...column, index })).filter(({ hidden }) => !hidden);
  const titles = columns.map(({ name }) => name ?? "");
  const all = header ? [titles, ...rows] : rows;
  const widths = columns.map((_, index) => all.reduce((most, row) => Math.max(most, textWidth(row[index] ?? "", false)), 0));
  const last = shown.length - 1;
  const line = (row: readonly string[]): string =>
    shown
      .map(({ index, right }, place) => {
        const cell = row[index] ?? "";
        const blanks = " ".repeat(Math.max(0, widths[index]! - textWidth(cell, false)));
        return right ? blanks + cell : place === last ? cell : cell + blanks;
      })
      .join(separator);
  return all.map((row) => `${line(row)}\n`).join("");
}

/** As --json prints it. */
export function layoutJson(rows: readonly (readonly string[])[], columns: readonly Column[], name: string): string {
  const quote = (text: string): string => JSON.stringify(text);
  const objects = rows.map((row) => {
    const members = columns
      .map((column, index) => ({ ...column, cell: row[index] }))
      .filter(({ hidden }) => !hidden)
      .map((column) => `         ${quote((column.name ?? "").toLowerCase())}: ${column.cell === undefined || column.cell === "" ? "null" : quote(column.cell)}`);
    return `{\n${members.join(",\n")}\n      }`;
  });
  return `{\n   ${quote(name.toLowerCase())}: [\n      ${objects.join(",")}\n   ]\n}\n`;
}
