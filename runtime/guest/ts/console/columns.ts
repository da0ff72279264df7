/** Long lists in columns: as many as make the whole about square, without passing the line length. */

import type { Context } from "./context";
import { isAscii, textWidth } from "./width";

const COLUMN_GAP = 2;
const MAX_COLUMNS = 15;
/** A character is about this many times taller than it is wide; the columns aim at a square. */
const CHARACTER_RATIO = 2.5;

function lengths(ctx: Context, entries: readonly string[], count: number): number[] {
  const measured = entries.slice(0, count);
  // One look at all of them together is much cheaper than one at each.
  if (isAscii(measured.join(""))) return measured.map((entry) => entry.length);
  return measured.map((entry) => textWidth(entry, ctx.colors));
}

/** How many columns suit entries that are `widths` wide; 1 where columns would not look better. */
function columnCount(ctx: Context, widths: readonly number[], entryCount: number): number {
  const longest = Math.max(...widths);
  const widest = longest + COLUMN_GAP;
  const total = widths.reduce((sum, width) => sum + width + COLUMN_GAP, 0);
  const fits = widest * 3 + ctx.indent < ctx.breakLength && (total / widest > 5 || longest <= 6);
  if (!fits) return 1;
  const bias = Math.sqrt(widest - total / entryCount);
  const biased = Math.max(widest - 3 - bias, 1);
  return Math.min(
    Math.round(Math.sqrt(CHARACTER_RATIO * biased * widths.length) / biased),
    Math.floor((ctx.breakLength - ctx.indent) / widest),
    Number(ctx.compact) * 4,
    MAX_COLUMNS,
  );
}

function columnWidths(widths: readonly number[], columns: number): number[] {
  const result = new Array<number>(columns).fill(0);
  widths.forEach((width, index) => {
    const column = index % columns;
    result[column] = Math.max(result[column] ?? 0, width);
  });
  return result;
}

const isNumeric = (value: unknown): boolean => typeof value === "number" || typeof value === "bigint";

/** Numbers are set to the right, everything else to the left. */
function alignsRight(value: object, count: number): boolean {
  const list = value as ArrayLike<unknown>;
  for (let index = 0; index < count; index++) if (!isNumeric(list[index])) return false;
  return true;
}

/** Entries in rows of columns; the same array where columns do not suit them. */
export function inColumns(ctx: Context, entries: string[], value: object): string[] {
  const cut = ctx.maxArrayLength < entries.length;
  const count = cut ? entries.length - 1 : entries.length;
  const widths = lengths(ctx, entries, count);
  const columns = columnCount(ctx, widths, entries.length);
  if (columns <= 1) return entries;
  const right = alignsRight(value, entries.length);
  const room = columnWidths(widths, columns);
  const rows: string[] = [];
  for (let first = 0; first < count; first += columns) {
    const last = Math.min(first + columns, count) - 1;
    let row = "";
    for (let index = first; index <= last; index++) {
      const padding = " ".repeat((room[index - first] ?? 0) - (widths[index] ?? 0));
      const text = index < last ? `${entries[index]}, ` : `${entries[index]}`;
      row += right ? padding + text : index < last ? text + padding : text;
    }
    rows.push(row);
  }
  if (cut) rows.push(entries[count] ?? "");
  return rows;
}
