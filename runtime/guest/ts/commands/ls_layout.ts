/** Texts in columns, in lines and in a row, as ls lays them out. */

import { textWidth } from "../console/width";

const GAP = 2;
const LEAST = 3;

export interface Cell {
  readonly text: string;
  readonly width: number;
}

export function cell(text: string, shown = text): Cell {
  return { text: shown, width: textWidth(text, false) };
}

/** Spaces, and tabs where they reach further. */
function indent(from: number, to: number, tab: number): string {
  let text = "";
  let at = from;
  while (at < to) {
    const next = tab > 0 ? (Math.floor(at / tab) + 1) * tab : Infinity;
    if (tab > 0 && Math.floor(to / tab) > Math.floor((at + 1) / tab)) {
      text += "\t";
      at = next;
    } else {
      text += " ";
      at += 1;
    }
  }
  return text;
}

/** Widths of the columns when there are so many; undefined where the line is too short for them. */
function widthsOf(cells: readonly Cell[], columns: number, vertical: boolean, width: number): number[] | undefined {
  const rows = Math.ceil(cells.length / columns);
  const widths = new Array<number>(columns).fill(LEAST);
  let sum = columns * LEAST;
  let fits = true;
  cells.forEach((each, index) => {
    const column = vertical ? Math.floor(index / rows) : index % columns;
    const wanted = each.width + (column === columns - 1 ? 0 : GAP);
    if (wanted <= widths[column]!) return;
    sum += wanted - widths[column]!;
    widths[column] = wanted;
    fits = sum < width;
  });
  return fits ? widths : undefined;
}

export function columns(cells: readonly Cell[], vertical: boolean, width: number, tab: number): string {
  if (cells.length === 0) return "";
  let count = Math.min(cells.length, Math.max(1, Math.ceil(width / LEAST)));
  let widths = widthsOf(cells, count, vertical, width);
  while (!widths && count > 1) widths = widthsOf(cells, --count, vertical, width);
  const rows = Math.ceil(cells.length / count);
  let text = "";
  for (let row = 0; row < rows; row += 1) {
    const line = cells.filter((_, index) => (vertical ? index % rows === row : Math.floor(index / count) === row));
    text += `${oneLine(line, widths ?? [], tab)}\n`;
  }
  return text;
}

function oneLine(cells: readonly Cell[], widths: readonly number[], tab: number): string {
  let text = "";
  let start = 0;
  cells.forEach((each, column) => {
    text += each.text;
    if (column === cells.length - 1) return;
    text += indent(start + each.width, start + widths[column]!, tab);
    start += widths[column]!;
  });
  return text;
}

export function commas(cells: readonly Cell[], width: number): string {
  let text = "";
  let at = 0;
  cells.forEach((each, index) => {
    if (index > 0) {
      const fits = at + each.width + 2 < width;
      text += fits ? ", " : ",\n";
      at = fits ? at + 2 : 0;
    }
    text += each.text;
    at += each.width;
  });
  return `${text}\n`;
}
