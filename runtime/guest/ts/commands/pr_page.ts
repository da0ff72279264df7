/** Columns of a page of pr. */

export interface Sheet {
  readonly columns: number;
  /** Rows of the body. */
  readonly rows: number;
  readonly width: number;
  /** Between columns, in place of blanks up to the next; undefined for those. */
  readonly separator: string | undefined;
  /** Columns begin at the same place all the same, as -S has it. */
  readonly aligned: boolean;
  /** Lines go across the page, not down. */
  readonly across: boolean;
  readonly joins: boolean;
}

const TAB = 8;

/** Tabs as spaces. */
export function expanded(text: string): string {
  let result = "";
  for (const character of text) result += character === "\t" ? " ".repeat(TAB - (result.length % TAB)) : character;
  return result;
}

/** Runs of spaces as tabs, where they reach a stop. */
function tabbed(text: string): string {
  return text.replace(/ {2,}/g, (run, start: number) => {
    const end = start + run.length;
    let tabs = "";
    let at = start;
    for (let stop = at - (at % TAB) + TAB; end - at > 1 && stop <= end; stop += TAB) {
      tabs += "\t";
      at = stop;
    }
    return tabs + " ".repeat(end - at);
  });
}

/** Cells of a row; those at the end that are missing are left out. */
export function layoutRow(cells: readonly (string | undefined)[], sheet: Sheet): string {
  if (sheet.columns === 1) return cells[0] ?? "";
  const shown = cells.slice(0, cells.findLastIndex((cell) => cell !== undefined) + 1).map((cell) => expanded(cell ?? ""));
  const { separator = " ", columns, width } = sheet;
  if (sheet.joins || !sheet.aligned) return shown.join(sheet.separator ?? "\t");
  const each = Math.max(1, Math.floor((width - (columns - 1) * separator.length) / columns));
  return tabbed(shown.map((cell, index) => (index + 1 < shown.length ? cell.slice(0, each).padEnd(each) : cell.slice(0, each).replace(/ +$/, ""))).join(separator));
}

/** The rows of a page with these lines; on the `last` page columns are made equally long. */
export function arrange(lines: readonly string[], sheet: Sheet, last: boolean): string[][] {
  const { columns, across } = sheet;
  const rows = last || across ? Math.ceil(lines.length / columns) : sheet.rows;
  if (across) return Array.from({ length: Math.min(rows, sheet.rows) }, (_, row) => lines.slice(row * columns, (row + 1) * columns));
  const heights = Array.from({ length: columns }, (_, column) => (last ? Math.floor((lines.length + columns - 1 - column) / columns) : sheet.rows));
  let from = 0;
  const parts = heights.map((height) => lines.slice(from, (from += height)));
  return Array.from({ length: Math.min(rows, sheet.rows) }, (_, row) => parts.map((part) => part[row]!));
}
