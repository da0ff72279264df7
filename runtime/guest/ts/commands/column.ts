import { native } from "../bridge/native";
import { textWidth } from "../console/width";
import type { Process } from "../shell/process";
import { layoutJson } from "./column_json";
import { type Column, layoutTable, type Row, rowOf } from "./column_table";
import { branches, nodesOf, type TreeColumns } from "./column_tree";
import { command, Failure } from "./command";
import { eachInput } from "./files";
import type { Options } from "./options";

const TABLE = {
  table: ["-t, --table", "make a table"],
  names: ["-N, --table-columns=NAMES", "names of the columns, separated by commas"],
  order: ["-O, --table-order=COLUMNS", "in this order"],
  hide: ["-H, --table-hide=COLUMNS", "leave these out; - for those without a name"],
  right: ["-R, --table-right=COLUMNS", "align these to the right; 0 for all"],
  noHeadings: ["-d, --table-noheadings", "do not print the names"],
  limit: ["-l, --table-columns-limit=NUMBER", "at most NUMBER columns; the last has the rest of the line"],
  name: ["-n, --table-name=NAME", "the table's name in JSON"],
  json: ["-J, --json", "print JSON"],
  extremes: ["-E, --table-noextreme=COLUMNS", "cells of these that are much wider than others do not count"],
  wrap: ["-W, --table-wrap=COLUMNS", "cells of these go on below where lines are too long"],
  truncate: ["-T, --table-truncate=COLUMNS", "cells of these are cut off where lines are too long"],
  maximum: ["-m, --table-maxout", "ignored"],
  repeat: ["-e, --table-header-repeat", "ignored"],
  output: ["-o, --output-separator=STRING", "put STRING between columns, not two spaces"],
  separator: ["-s, --separator=CHARS", "cells are separated by each of CHARS, not by runs of blanks"],
  empty: ["-L, --keep-empty-lines", "do not leave out empty lines"],
  width: ["-c, --output-width=WIDTH", "lines are WIDTH wide, not 80"],
  rows: ["-x, --fillrows", "fill rows before columns"],
  tree: ["-r, --tree=COLUMN", "print rows below their parents, with branches in this column"],
  treeId: ["-i, --tree-id=COLUMN", "rows are named in this column"],
  treeParent: ["-p, --tree-parent=COLUMN", "rows tell their parents in this column"],
} as const;

type Given = Options<typeof TABLE>;

/** Options that say something about tables. */
const TABLE_ONLY: ReadonlySet<string> = new Set(["names", "order", "hide", "right", "noHeadings", "limit", "name", "extremes", "wrap", "truncate", "repeat"]);

/** Words are quoted as util-linux does it. */
const quotedWord = (word: string): string => `'${word}'`;

const TAB = 8;

/** Lines in as many columns as fit in the width, which tabs align. */
function fill(lines: readonly string[], width: number, byRows: boolean): string {
  const widest = lines.reduce((most, line) => Math.max(most, textWidth(line, false)), 0);
  const each = Math.floor(widest / TAB) * TAB + TAB;
  const columns = Math.max(1, Math.floor(width / each));
  if (columns === 1 || widest >= width) return lines.map((line) => `${line}\n`).join("");
  const height = Math.ceil(lines.length / columns);
  let result = "";
  for (let row = 0; row < height; row += 1) {
    const cells = byRows ? lines.slice(row * columns, (row + 1) * columns) : Array.from({ length: columns }, (_, column) => lines[column * height + row]).filter((cell) => cell !== undefined);
    cells.forEach((cell, index) => {
      const tabs = Math.ceil((each - textWidth(cell, false)) / TAB);
      result += index + 1 < cells.length ? cell + "\t".repeat(tabs) : cell;
    });
    result += "\n";
  }
  return result;
}

/** Words between blanks; those of most lines have one space between them. */
function wordsOf(line: string): string[] {
  const bare = line.trim();
  return bare.includes("  ") || bare.includes("\t") ? bare.split(/[ \t]+/) : bare.split(" ");
}

/** Splits lines into cells. */
function splitter(options: Given): (line: string) => string[] {
  const separator = options.value("separator");
  const limit = Number(options.value("limit") ?? 0);
  if (separator !== undefined) return separated(separator, limit);
  if (limit === 0) return wordsOf;
  const parts = new RegExp(`^[ \\t]*((?:[^ \\t]+[ \\t]+){${limit - 1}})([^]*)$`);
  return (line) => {
    const cells = wordsOf(line);
    if (cells.length <= limit) return cells;
    const [, head, rest] = parts.exec(line)!;
    return [...head!.trim().split(/[ \t]+/), rest!].filter((cell, index) => index > 0 || cell !== "" || limit > 1);
  };
}

function separated(separator: string, limit: number): (line: string) => string[] {
  if (limit === 0 && separator.length === 1) return (line) => line.split(separator);
  const set = new Set(separator);
  return (line) => {
    const cells = [""];
    for (const character of line) {
      if (set.has(character) && (limit === 0 || cells.length < limit)) cells.push("");
      else cells[cells.length - 1] += character;
    }
    return cells;
  };
}

const listOf = (text: string | undefined): string[] => (text === undefined ? [] : text.split(","));

/** The column that a word names, by name or number; -1 where a number is too large. */
function columnOf(word: string, names: readonly string[], count: number): number {
  const named = names.indexOf(word);
  const index = named >= 0 ? named : /^[1-9]\d*$/.test(word) ? Number(word) - 1 : undefined;
  if (index === undefined) throw new Failure(`undefined column name ${quotedWord(word)}`);
  return index < count ? index : -1;
}

/** The columns that a list names, in its order. */
function chosen(list: string | undefined, names: readonly string[], count: number): number[] {
  const all = Array.from({ length: count }, (_, index) => index);
  return listOf(list).flatMap((word) => (word === "0" ? all : columnOf(word, names, count))).filter((index) => index >= 0);
}

function columnsOf(options: Given, names: readonly string[], count: number): Column[] {
  const marked = (key: "right" | "hide" | "wrap" | "truncate" | "extremes"): Set<number> => new Set(chosen(options.value(key), names, count));
  const hide = listOf(options.value("hide"));
  const hidden = new Set(chosen(hide.filter((word) => word !== "-").join(",") || undefined, names, count));
  if (hide.includes("-")) for (let index = names.length; index < count; index += 1) hidden.add(index);
  const [right, wrap, truncate, extremes] = [marked("right"), marked("wrap"), marked("truncate"), marked("extremes")];
  return Array.from({ length: count }, (_, index) => ({
    name: names[index],
    right: right.has(index),
    hidden: hidden.has(index),
    wrap: wrap.has(index),
    truncate: truncate.has(index),
    extremes: extremes.has(index),
  }));
}

function treeOf(options: Given, names: readonly string[], count: number): TreeColumns | undefined {
  const [tree, id, parent] = [options.value("tree"), options.value("treeId"), options.value("treeParent")];
  if (tree === undefined) return undefined;
  if (id === undefined || parent === undefined) throw new Failure("options --tree-id and --tree-parent are required for tree formatting");
  return { tree: columnOf(tree, names, count), id: columnOf(id, names, count), parent: columnOf(parent, names, count) };
}

/** Columns and rows in the order in which they are printed. */
function ordered(options: Given, columns: readonly Column[], names: readonly string[], rows: readonly Row[]): { columns: Column[]; rows: readonly Row[]; place: (index: number) => number } {
  const first = chosen(options.value("order"), names, columns.length);
  if (first.length === 0) return { columns: [...columns], rows, place: (index) => index };
  const order = [...new Set([...first, ...columns.keys()])];
  return {
    columns: order.map((index) => columns[index]!),
    rows: rows.map(({ cells, plain }) => ({ cells: order.map((index) => cells[index] ?? ""), plain })),
    place: (index) => order.indexOf(index),
  };
}

function* table(lines: readonly string[], options: Given, width: number): Generator<string> {
  const split = splitter(options);
  const found = lines.map((line) => rowOf(line === "" ? [] : split(line), line));
  const names = listOf(options.value("names"));
  const count = found.reduce((most, { cells }) => Math.max(most, cells.length), names.length);
  const { columns, rows, place } = ordered(options, columnsOf(options, names, count), names, found);
  const tree = treeOf(options, names, count);
  const nodes = nodesOf(rows, tree && { tree: place(tree.tree), id: place(tree.id), parent: place(tree.parent) });
  if (options.has("json")) {
    if (names.length === 0) throw new Failure("option --table-columns required for --json");
    yield layoutJson(nodes, columns, options.value("name") ?? "table");
    return;
  }
  const last = columns.findLastIndex(({ hidden }) => !hidden);
  if (last >= 0 && !options.has("extremes")) columns[last] = { ...columns[last]!, extremes: true };
  const layout = { separator: options.value("output") ?? "  ", header: names.length > 0 && !options.has("noHeadings"), width: width || Infinity };
  yield* layoutTable(tree ? [...branches(nodes, place(tree.tree))] : rows, columns, layout);
}

async function linesOf(process: Process, operands: readonly string[]): Promise<[lines: string[], status: number]> {
  const lines: string[] = [];
  const status = await eachInput(process, operands, async (reader) => {
    const text = native.text.decode(await reader.all());
    const own = text.split("\n");
    if (own.at(-1) === "") own.pop();
    for (const line of own) lines.push(line);
  });
  return [lines, status];
}

export const column = command({
  name: "column",
  usage: "[OPTION]... [FILE]...",
  about: "Print the lines of the files, or of standard input, in columns, or as a table.",
  options: TABLE,
  async run(process, options, operands) {
    const given = options.value("width") ?? process.env.get("COLUMNS") ?? "80";
    const isTable = options.has("table") || options.has("json");
    if (!/^\s*\+?\d+$/.test(given)) throw new Failure(`invalid columns argument: ${quotedWord(given)}`);
    if (!isTable && options.order.some(({ key }) => TABLE_ONLY.has(key))) throw new Failure("option --table required for all --table-*");
    const [all, status] = await linesOf(process, operands);
    const lines = all.map((line) => (/[^ \t]/.test(line) ? line : "")).filter((line) => line !== "" || (options.has("empty") && options.has("table")));
    if (lines.length === 0) return status;
    if (options.has("table") && lines.every((line) => line === "")) return 1;
    const width = Number(given);
    for (const text of isTable ? table(lines, options, width) : [fill(lines, width || 80, options.has("rows"))]) {
      process.stdout.print(text);
      if (process.stdout.file.full) await process.stdout.flush();
    }
    return status;
  },
});
