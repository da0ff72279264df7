/** `console.table`: rows of data as a table in box-drawing characters. */

import { native } from "../bridge/native";
import { inspect } from "./inspect";
import { contents } from "./kinds";
import { textWidth } from "./width";

const { types } = native;

const INDEX = "(index)";
const ITERATION = "(iteration index)";
const VALUES = "Values";

interface Column {
  title: string;
  /** Cells from the top; holes are empty. */
  cells: (string | undefined)[];
}

function cell(value: unknown): string {
  const isList = Array.isArray(value) || types.isTypedArray(value);
  const wide = typeof value === "object" && value !== null && !isList && Object.keys(value).length > 2;
  return inspect(value, { depth: wide ? -1 : 0, maxArrayLength: 3, breakLength: Infinity });
}

function line(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((text, index) => ` ${text}${" ".repeat((widths[index] ?? 0) - textWidth(text))} `);
  return `│${padded.join("│")}│`;
}

function draw(columns: readonly Column[]): string {
  const height = Math.max(...columns.map(({ cells }) => cells.length));
  const widths = columns.map(({ title, cells }) =>
    cells.reduce((width, text) => Math.max(width, textWidth(text ?? "")), textWidth(title)));
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => "─".repeat(width + 2)).join(middle) + right;
  const rows = Array.from({ length: height }, (_, row) => line(columns.map(({ cells }) => cells[row] ?? ""), widths));
  const titles = line(columns.map(({ title }) => title), widths);
  return [rule("┌", "┬", "┐"), titles, rule("├", "┼", "┤"), ...rows, rule("└", "┴", "┘")].join("\n");
}

const isPrimitive = (value: unknown): boolean =>
  value === null || (typeof value !== "object" && typeof value !== "function");

/** One column for each property of any row, then one for rows that are no objects. */
function recordColumns(data: Record<string, unknown>, wanted?: readonly string[]): Column[] {
  const index: Column = { title: INDEX, cells: Object.keys(data) };
  const columns: Record<string, Column> = Object.create(null) as Record<string, Column>;
  const values: Column = { title: VALUES, cells: [] };
  index.cells.forEach((key, row) => {
    const item = data[key as string];
    if (isPrimitive(item) && wanted === undefined) values.cells[row] = cell(item);
    else addRecord(columns, row, item as Record<string, unknown>, wanted);
  });
  return [index, ...Object.values(columns), ...(values.cells.length > 0 ? [values] : [])];
}

function addRecord(columns: Record<string, Column>, row: number, item: Record<string, unknown>, wanted?: readonly string[]): void {
  for (const title of wanted ?? Object.keys(item)) {
    const column = (columns[title] ??= { title, cells: [] });
    if (!isPrimitive(item) && Object.hasOwn(item, title)) column.cells[row] = cell(item[title]);
  }
}

const counted = (length: number): Column => ({ title: ITERATION, cells: Array.from({ length }, (_, index) => String(index)) });

/** Keys and values of a Map, side by side. */
function pairColumns(flat: readonly unknown[]): Column[] {
  const pick = (parity: number): string[] => flat.filter((_, index) => index % 2 === parity).map(cell);
  return [counted(flat.length / 2), { title: "Key", cells: pick(0) }, { title: VALUES, cells: pick(1) }];
}

const itemColumns = (items: readonly unknown[]): Column[] => [counted(items.length), { title: VALUES, cells: items.map(cell) }];

/** The data as a table; `wanted` limits and orders the properties shown. */
export function table(data: object, wanted?: readonly string[]): string {
  if (types.isMap(data)) return draw(pairColumns(contents(data)));
  if (types.isSet(data)) return draw(itemColumns(contents(data)));
  if (types.isMapIterator(data) || types.isSetIterator(data)) {
    const entries = contents(data);
    return draw(types.isMapIterator(data) && types.previewsPairs(data) ? pairColumns(entries) : itemColumns(entries));
  }
  return draw(recordColumns(data as Record<string, unknown>, wanted));
}
