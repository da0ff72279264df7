import { native } from "../bridge/native";
import { textWidth } from "../console/width";
import type { Process } from "../shell/process";
import { type Column, layoutJson, layoutTable } from "./column_table";
import { command, Failure } from "./command";
import { eachInput } from "./files";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";

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
  extremes: ["-E, --table-noextreme=COLUMNS", "ignored: lines are not limited"],
  wrap: ["-W, --table-wrap=COLUMNS", "ignored: lines are not limited"],
  truncate: ["-T, --table-truncate=COLUMNS", "ignored: lines are not limited"],
  maximum: ["-m, --table-maxout", "ignored"],
  repeat: ["-e, --table-header-repeat", "ignored"],
  output: ["-o, --output-separator=STRING", "put STRING between columns, not two spaces"],
  separator: ["-s, --separator=CHARS", "cells are separated by each of CHARS, not by runs of blanks"],
  empty: ["-L, --keep-empty-lines", "do not leave out empty lines"],
  width: ["-c, --output-width=WIDTH", "lines are WIDTH wide, not 80"],
  rows: ["-x, --fillrows", "fill rows before columns"],
  tree: ["-r, --tree=COLUMN", "not supported"],
} as const;

type Given = Options<typeof TABLE>;

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

function cellsOf(line: string, options: Given): string[] {
  const separator = options.value("separator");
  const limit = Number(options.value("limit") ?? 0);
  if (separator === undefined) {
    const cells = line.trim().split(/[ \t]+/);
    if (limit === 0 || cells.length <= limit) return cells;
    const head = new RegExp(`^[ \\t]*((?:[^ \\t]+[ \\t]+){${limit - 1}})([^]*)$`).exec(line)!;
    return [...head[1]!.trim().split(/[ \t]+/), head[2]!].filter((cell, index) => index > 0 || cell !== "" || limit > 1);
  }
  const set = new Set(separator);
  const cells = [""];
  for (const character of line) {
    if (set.has(character) && (limit === 0 || cells.length < limit)) cells.push("");
    else cells[cells.length - 1] += character;
  }
  return cells;
}

const listOf = (text: string | undefined): string[] => (text === undefined ? [] : text.split(","));

/** The columns that a list names, by name or number. */
function chosen(list: string | undefined, columns: readonly Column[]): number[] {
  return listOf(list).flatMap((word) => {
    if (word === "-") return columns.map((column, index) => (column.name === undefined ? index : -1)).filter((index) => index >= 0);
    if (word === "0") return columns.map((_, index) => index);
    const named = columns.findIndex(({ name }) => name === word);
    const index = named >= 0 ? named : /^\d+$/.test(word) ? Number(word) - 1 : -1;
    if (index < 0) throw new Failure(`undefined column name ${quoted(word)}`);
    return index < columns.length ? [index] : [];
  });
}

function table(lines: readonly string[], options: Given): string {
  const rows = lines.map((line) => (line === "" ? [] : cellsOf(line, options)));
  const names = listOf(options.value("names"));
  const count = rows.reduce((most, row) => Math.max(most, row.length), names.length);
  const plain: Column[] = Array.from({ length: count }, (_, index) => ({ name: names[index], right: false, hidden: false }));
  const [right, hidden] = [chosen(options.value("right"), plain), chosen(options.value("hide"), plain)];
  const columns = plain.map((column, index) => ({ ...column, right: right.includes(index), hidden: hidden.includes(index) }));
  const first = chosen(options.value("order"), plain);
  const order = [...first, ...columns.map((_, index) => index).filter((index) => !first.includes(index))];
  const sorted = <T>(items: readonly T[]): T[] => order.map((index) => items[index]!);
  if (options.has("json")) {
    if (names.length === 0) throw new Failure("option --table-columns required for --json");
    return layoutJson(rows.map(sorted), sorted(columns), options.value("name") ?? "table");
  }
  return layoutTable(rows.map(sorted), sorted(columns), options.value("output") ?? "  ", names.length > 0 && !options.has("noHeadings"));
}

async function linesOf(process: Process, operands: readonly string[]): Promise<[lines: string[], status: number]> {
  const lines: string[] = [];
  const status = await eachInput(process, operands, async (reader) => {
    const text = native.text.decode(await reader.all());
    const own = text.split("\n");
    if (own.at(-1) === "") own.pop();
    lines.push(...own);
  });
  return [lines, status];
}

export const column = command({
  name: "column",
  usage: "[OPTION]... [FILE]...",
  about: "Print the lines of the files, or of standard input, in columns, or as a table.",
  options: TABLE,
  async run(process, options, operands) {
    if (options.has("tree")) throw new UsageFault("--tree is not supported here", false);
    const width = Number(options.value("width") ?? process.env.get("COLUMNS") ?? 80);
    if (!(width > 0)) throw new Failure(`invalid columns argument: ${quoted(options.value("width") ?? "")}`);
    const [all, status] = await linesOf(process, operands);
    const lines = all.filter((line) => /[^ \t]/.test(line) || (options.has("empty") && options.has("table"))).map((line) => (/[^ \t]/.test(line) ? line : ""));
    if (lines.length === 0) return status;
    if (options.has("table") && lines.every((line) => line === "")) return 1;
    await process.stdout.write(options.has("table") || options.has("json") ? table(lines, options) : fill(lines, width, options.has("rows")));
    return status;
  },
});
