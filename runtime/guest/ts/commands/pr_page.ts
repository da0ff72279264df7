/** Columns of a page of pr. */

export interface Sheet {
  readonly columns: number;
  /** Rows of the body. */
  readonly rows: number;
  readonly width: number;
  /** Between columns, in place of blanks up to the next; undefined for those. */
  readonly separator: string | undefined;
  /** Lines go across the page, not down. */
  readonly across: boolean;
  readonly joins: boolean;
}

/** Blanks from a column to another, tabs where they are shorter. */
export function blanks(from: number, to: number): string {
  const stop = to - (to % 8);
  if (stop <= from + 1 && !(stop > from && to - from > 1)) return " ".repeat(Math.max(0, to - from));
  return "\t".repeat(Math.ceil((stop - from) / 8)) + " ".repeat(to - stop);
}

/** Cells of a row; those at the end that are missing are left out. */
export function layoutRow(cells: readonly (string | undefined)[], sheet: Sheet): string {
  const last = cells.findLastIndex((cell) => cell !== undefined);
  if (sheet.columns === 1) return cells[0] ?? "";
  const gap = sheet.separator ?? " ";
  const each = Math.max(1, Math.floor((sheet.width - (sheet.columns - 1) * gap.length) / sheet.columns));
  let line = "";
  let column = 0;
  for (let index = 0; index <= last; index += 1) {
    const cell = cells[index] ?? "";
    const free = sheet.separator !== undefined || sheet.joins;
    if (index > 0 && free) line += gap;
    else if (index > 0) {
      const start = index * (each + 1);
      line += blanks(column, start);
      column = start;
    }
    const shown = free ? cell : cell.slice(0, each);
    line += shown;
    column += shown.length;
  }
  return line;
}

/** The rows of a page with these lines; on the `last` page columns are made equally long. */
export function arrange(lines: readonly string[], sheet: Sheet, last: boolean): string[][] {
  const { columns, across } = sheet;
  const rows = last || across ? Math.ceil(lines.length / columns) : sheet.rows;
  return Array.from({ length: Math.min(rows, sheet.rows) }, (_, row) =>
    across ? lines.slice(row * columns, (row + 1) * columns) : Array.from({ length: columns }, (_unused, column) => lines[column * rows + row]!),
  );
}
