import { describeErrno } from "../shell/io/errors";
import { formatTime } from "../shell/format/time";
import { native } from "../bridge/native";
import type { Process } from "../shell/process";
import { ByteWriter, byteText, LineSource } from "./byte_text";
import { command, complain, Failure } from "./command";
import { close, openReader } from "./files";
import type { Options } from "./options";
import { arrange, expanded, layoutRow, type Sheet } from "./pr_page";
import { quoted } from "./sizes";
import { nameShown } from "./quoting";

const TABLE = {
  columns: ["--columns=N", "print N columns (also -N)"],
  across: ["-a, --across", "fill columns across the page"],
  double: ["-d, --double-space", "put an empty line behind each"],
  dates: ["-D, --date-format=FORMAT", "of the date in the header"],
  expand: ["-e, --expand-tabs", "turn tabs into blanks"],
  formFeed: ["-f, -F, --form-feed", "separate pages by form feeds, not by empty lines"],
  header: ["-h, --header=TEXT", "print TEXT in the header, not the name of the file"],
  join: ["-J, --join-lines", "print whole lines"],
  length: ["-l, --length=LINES", "a page has LINES lines, not 66"],
  merge: ["-m, --merge", "print the files side by side"],
  number: ["-n[SEPDIGITS], --number-lines[=SEPDIGITS]", "number lines"],
  first: ["-N, --first-line-number=NUMBER", "begin to count at NUMBER"],
  margin: ["-o, --indent=MARGIN", "indent lines by MARGIN"],
  noWarnings: ["-r, --no-file-warnings", "be silent about files that can't be read"],
  pages: ["--pages=FIRST", "print pages from FIRST, or FIRST:LAST, on (also +FIRST)"],
  separator: ["-s[CHAR], --separator[=CHAR]", "separate columns by CHAR, a tab unless told otherwise"],
  string: ["-S[STRING], --sep-string[=STRING]", "separate columns by STRING"],
  noHeader: ["-t, --omit-header", "print no headers"],
  noPages: ["-T, --omit-pagination", "print no headers, and leave out form feeds"],
  width: ["-w, --width=COLUMNS", "lines of several columns are 72 wide"],
  pageWidth: ["-W, --page-width=COLUMNS", "lines are 72 wide, and are cut"],
} as const;

type Given = Options<typeof TABLE>;

const HEADER_LINES = 5;
const TRAILER_LINES = 5;

function integer(options: Given, key: "columns" | "length" | "margin" | "width" | "pageWidth" | "first", usual: number): number {
  const text = options.value(key);
  if (text === undefined) return usual;
  if (!/^\s*\+?\d+$/.test(text) || (Number(text) === 0 && key !== "margin")) throw new Failure(`invalid number: ${quoted(text)}`);
  return Number(text);
}

function pagesOf(options: Given): { first: number; last: number } {
  const text = options.value("pages") ?? "1";
  const [, first, last] = /^(\d+)(?::(\d+))?$/.exec(text) ?? [];
  if (first === undefined || Number(first) === 0 || Number(last ?? Infinity) < Number(first)) throw new Failure(`invalid page range ${quoted(text)}`);
  return { first: Number(first), last: Number(last ?? Infinity) };
}

/** How lines are numbered: what -n says. */
function numbering(options: Given): ((number: number) => string) | undefined {
  if (!options.has("number")) return undefined;
  const [, separator, digits] = /^(\D?)(\d*)$/.exec(options.value("number") ?? "") ?? [];
  if (separator === undefined) throw new Failure(`invalid number of digits: ${quoted(options.value("number")!)}`);
  const width = Number(digits || 5);
  return (number) => String(number).slice(-width).padStart(width) + (separator || "\t");
}

class Printer {
  private readonly sheet: Sheet;
  private readonly length: number;
  private readonly plain: boolean;
  private readonly numbered: ((number: number) => string) | undefined;
  private readonly lead: string;

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    private readonly out: ByteWriter,
    columns: number,
  ) {
    this.length = integer(options, "length", 66);
    this.plain = options.has("noHeader") || options.has("noPages") || this.length <= HEADER_LINES + TRAILER_LINES;
    const body = this.plain ? this.length : this.length - HEADER_LINES - TRAILER_LINES;
    const string = options.last("separator", "string");
    this.sheet = {
      columns,
      rows: Math.max(1, options.has("double") ? Math.floor(body / 2) : body),
      width: integer(options, "pageWidth", integer(options, "width", 72)),
      separator: string && byteText(options.order.findLast(({ key }) => key === string)!.value ?? (string === "separator" ? "\t" : "")),
      aligned: string !== "separator",
      across: options.has("across") || options.has("merge"),
      joins: options.has("join"),
    };
    this.numbered = numbering(options);
    this.lead = " ".repeat(integer(options, "margin", 0));
  }

  async print(sources: readonly LineSource[], name: string, seconds: number): Promise<void> {
    let number = integer(this.options, "first", 1);
    const { first, last } = pagesOf(this.options);
    for (let page = 1; ; page += 1) {
      const { lines, over } = await this.take(sources);
      if (lines.length === 0) return;
      const shown = this.options.has("merge") ? this.merged(lines, number) : this.numbered ? lines.map((line, index) => this.numbered!(number + index) + line) : lines;
      number += this.options.has("merge") ? Math.ceil(lines.length / this.sheet.columns) : lines.length;
      if (page > last) return;
      if (page >= first) await this.page(shown, over, page, name, seconds);
      if (over) return;
    }
  }

  private merged(lines: readonly string[], number: number): string[] {
    const { columns } = this.sheet;
    if (!this.numbered) return [...lines];
    return lines.map((line, index) => (index % columns === 0 ? this.numbered!(number + index / columns) + line : line));
  }

  /** The lines of a page; side by side, they are taken from the files in turn. */
  private async take(sources: readonly LineSource[]): Promise<{ lines: string[]; over: boolean }> {
    const { rows, columns } = this.sheet;
    const lines: string[] = [];
    for (let at = 0; at < rows * columns; at += 1) {
      const line = await sources[at % sources.length]!.next();
      if (line === undefined && sources.length === 1) return { lines, over: true };
      lines.push(this.options.has("expand") ? expanded(line ?? "") : (line ?? ""));
      if (sources.length > 1 && at % columns === columns - 1 && (await this.ended(sources, lines))) return { lines, over: true };
    }
    return { lines, over: false };
  }

  private async ended(sources: readonly LineSource[], lines: string[]): Promise<boolean> {
    if (sources.some((source) => !source.finished)) return false;
    const row = lines.slice(-sources.length);
    if (row.every((line) => line === "")) lines.length -= sources.length;
    return true;
  }

  private async page(lines: readonly string[], last: boolean, page: number, name: string, seconds: number): Promise<void> {
    const rows = arrange(lines, this.sheet, last).map((cells) => this.lead + layoutRow(cells, this.sheet));
    const end = this.options.has("double") ? "\n\n" : "\n";
    const body = rows.map((row) => row + end).join("");
    if (this.plain) return void (await this.out.put(body));
    const used = rows.length * (this.options.has("double") ? 2 : 1);
    const trailer = this.options.has("formFeed") ? "\f" : "\n".repeat(this.length - HEADER_LINES - used);
    await this.out.put(`\n\n${this.lead}${this.heading(page, name, seconds)}\n\n\n${body}${trailer}`);
  }

  private heading(page: number, name: string, seconds: number): string {
    const date = formatTime(this.options.value("dates") ?? "%Y-%m-%d %H:%M", seconds, this.process.env.get("TZ"));
    const right = `Page ${page}`;
    const text = byteText(this.options.value("header") ?? name);
    const space = Math.max(2, this.sheet.width - date.length - right.length - text.length);
    return `${date}${" ".repeat(Math.floor(space / 2))}${text}${" ".repeat(Math.ceil(space / 2))}${right}`;
  }
}

/** Files that can be read, as they were given. */
function openAll(process: Process, names: readonly string[], silent: boolean): { name: string; source: LineSource; seconds: number }[] {
  return names.flatMap((name) => {
    try {
      const reader = openReader(process, name);
      const regular = name !== "-";
      const seconds = (regular ? (reader.file.node?.mtime ?? 0) : native.clock.now()) / 1000;
      return [{ name: regular ? name : "", source: new LineSource(reader), seconds: Math.floor(seconds) }];
    } catch (error) {
      if (!silent) complain(process, `${nameShown(name)}: ${describeErrno(error)}`);
      return [];
    }
  });
}

export const pr = command({
  name: "pr",
  usage: "[OPTION]... [FILE]...",
  about: "Print the files, or standard input, in pages with headers, or in columns.",
  options: TABLE,
  digits: "columns",
  rewrite: (args) => args.map((arg) => (/^\+\d+(:\d+)?$/.test(arg) ? `--pages=${arg.slice(1)}` : arg)),
  async run(process, options, operands) {
    const names = operands.length > 0 ? operands : ["-"];
    const files = openAll(process, names, options.has("noWarnings"));
    const merge = options.has("merge");
    const out = new ByteWriter(process.stdout);
    const printer = new Printer(process, options, out, merge ? Math.max(files.length, 1) : integer(options, "columns", 1));
    if (merge && files.length > 0) await printer.print(files.map(({ source }) => source), "", Math.floor(native.clock.now() / 1000));
    else for (const { source, name, seconds } of files) await printer.print([source], name, seconds);
    await out.flush();
    for (const { source } of files) if (source.reader !== process.stdin) close(source.reader);
    return files.length < names.length ? 1 : 0;
  },
});
