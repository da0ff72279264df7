/** Tables as column -t prints them. */

import { isAscii, textWidth } from "../console/width";

export interface Column {
  readonly name: string | undefined;
  readonly right: boolean;
  readonly hidden: boolean;
  /** What becomes of cells that are wider than the column: they go on below, or are cut off. */
  readonly wrap: boolean;
  readonly truncate: boolean;
  /** Cells that are much wider than others do not count. */
  readonly extremes: boolean;
}

/** A row's cells; `plain`: each is as wide as it is long. */
export interface Row {
  readonly cells: readonly string[];
  readonly plain: boolean;
}

export const rowOf = (cells: readonly string[], line: string): Row => ({ cells, plain: isAscii(line) });

export interface Layout {
  readonly separator: string;
  readonly header: boolean;
  /** Columns of the output, which hold where wrapping or cutting helps. */
  readonly width: number;
}

interface Measured extends Column {
  readonly index: number;
  readonly least: number;
  readonly most: number;
  /** Of cells that are not extreme. */
  readonly usual: number;
  readonly isExtreme: boolean;
  width: number;
}

const widthOf = ({ plain }: Row, cell: string): number => (plain ? cell.length : textWidth(cell, false));

function measured(column: Column, index: number, rows: readonly Row[], header: boolean): Measured {
  const least = header ? textWidth(column.name ?? "", false) : 0;
  let [most, sum] = [least, 0];
  for (const row of rows) {
    const cell = row.cells[index];
    if (cell === undefined) continue;
    const width = row.plain ? cell.length : widthOf(row, cell);
    sum += width;
    if (width > most) most = width;
  }
  const average = Math.floor(sum / Math.max(rows.length, 1));
  const isExtreme = column.extremes && average > 0 && most > 2 * average;
  const usual = isExtreme ? rows.map((row) => widthOf(row, row.cells[index] ?? "")).reduce((widest, width) => (width > 2 * average ? widest : Math.max(widest, width)), least) : most;
  return { ...column, index, least, most, usual, isExtreme, width: most };
}

/** Makes columns narrower until the lines fit, as far as their cells allow. */
function fit(columns: readonly Measured[], { separator, width }: Layout): void {
  const between = textWidth(separator, false) * (columns.length - 1);
  const total = (): number => columns.reduce((sum, column) => sum + column.width, between);
  if (total() <= width) return;
  const extreme = columns.filter(({ isExtreme }) => isExtreme);
  for (const column of extreme) column.width = column.usual;
  for (const column of extreme) column.width = Math.min(column.most, column.width + Math.max(0, width - total()));
  let over = total() - width;
  for (let before = Infinity; over > 0 && over < before; ) {
    before = over;
    for (const column of columns) {
      if (over <= 0 || !(column.wrap || column.truncate) || column.width <= Math.max(column.least, 1)) continue;
      column.width -= 1;
      over -= 1;
    }
  }
}

/** How many characters of the text fit into a width, one at least. */
function fitting(text: string, width: number): number {
  let [length, used] = [0, 0];
  for (const character of text) {
    used += textWidth(character, false);
    if (used > width && length > 0) break;
    length += character.length;
  }
  return length;
}

function wrapped(text: string, width: number): string[] {
  const parts: string[] = [];
  let rest = text;
  do {
    const length = fitting(rest, width);
    parts.push(rest.slice(0, length));
    rest = rest.slice(length);
  } while (rest !== "");
  return parts;
}

/** One row after the other; nothing is put behind the last column. */
class Printer {
  /** Whether cells may take several lines, or be cut off. */
  private readonly isPlain: boolean;

  constructor(
    private readonly columns: readonly Measured[],
    private readonly separator: string,
  ) {
    this.isPlain = columns.every(({ wrap, truncate, width, most }) => !(wrap || truncate) || width === most);
  }

  row(row: Row): string {
    if (this.isPlain) return this.line(this.columns.map(({ index }) => row.cells[index] ?? ""), row);
    const parts = this.columns.map((column) => this.parts(column, row));
    const height = parts.reduce((most, each) => Math.max(most, each.length), 1);
    let text = "";
    for (let line = 0; line < height; line += 1) text += this.line(parts.map((each) => each[line] ?? ""), row, line > 0);
    return text;
  }

  private parts({ index, wrap, truncate, width }: Measured, row: Row): string[] {
    const cell = row.cells[index] ?? "";
    if (!(wrap || truncate) || widthOf(row, cell) <= width) return [cell];
    return wrap ? wrapped(cell, width) : [cell.slice(0, fitting(cell, width))];
  }

  /** What goes on below is not aligned to the right. */
  private line(cells: readonly string[], row: Row, goesOn = false): string {
    const { columns, separator } = this;
    const last = columns.length - 1;
    let text = "";
    for (let place = 0; place <= last; place += 1) {
      const cell = cells[place]!;
      const { width, right } = columns[place]!;
      const missing = width - widthOf(row, cell);
      if (missing <= 0) text += cell;
      else if (right && !goesOn) text += " ".repeat(missing) + cell;
      else text += place === last ? cell : cell + " ".repeat(missing);
      if (place < last) text += missing < 0 ? this.below(place) : separator;
    }
    return `${text}\n`;
  }

  /** What lies behind a cell that is too wide goes on below. */
  private below(place: number): string {
    return `\n${this.columns.slice(0, place + 1).map(({ width }) => " ".repeat(width) + this.separator).join("")}`;
  }
}

export function* layoutTable(rows: readonly Row[], columns: readonly Column[], layout: Layout): Generator<string> {
  const shown = columns.map((column, index) => ({ column, index })).filter(({ column }) => !column.hidden);
  const titles = columns.map(({ name }) => name ?? "");
  const all = shown.map(({ column, index }) => measured(column, index, rows, layout.header));
  fit(all, layout);
  const printer = new Printer(all, layout.separator);
  if (layout.header) yield printer.row(rowOf(titles, titles.join("")));
  for (const row of rows) yield printer.row(row);
}
