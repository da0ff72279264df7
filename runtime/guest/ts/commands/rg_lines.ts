/** What rg prints that grep cannot: replacements, columns, headings, counts of matches, all lines. */

import { native, type RegexHandle } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import { type Maybe, then } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { complain, Failure } from "./command";
import { openReader, using } from "./files";
import { type Found, JsonReport, jsonSummary, Stats } from "./rg_stats";

export interface Style {
  readonly pattern: string;
  /** Of c/regex/regex.h. */
  readonly flags: number;
  readonly invert: boolean;
  readonly names: boolean;
  readonly lineNumbers: boolean;
  readonly columns: boolean;
  readonly offsets: boolean;
  readonly heading: boolean;
  /** Each match is a line: alone, or (`each`) with its whole line. */
  readonly only: boolean;
  readonly each: boolean;
  readonly countMatches: boolean;
  readonly count: boolean;
  /** Only names of files with a match. */
  readonly list: boolean;
  /** Matches may go over lines. */
  readonly multiline: boolean;
  readonly json: boolean;
  readonly stats: boolean;
  readonly all: boolean;
  readonly trim: boolean;
  readonly quiet: boolean;
  readonly text: boolean;
  readonly most: number;
  readonly before: number;
  readonly after: number;
  /** Lines that are longer are left out. */
  readonly longest: number;
  readonly replacement: string | undefined;
}

/** `[start, end, …]` of a match and its groups, in bytes. */
type Match = readonly number[];

const CAPTURE = /\$(?:(\$)|\{(\w+)\}|(\w+))/g;

/** The numbers of groups with names. */
function namesOf(pattern: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  let count = 0;
  for (const [piece, name] of pattern.matchAll(/\\.|\[\^?\]?(?:\\.|[^\]])*\]|\((?:\?P?<([A-Za-z_]\w*)>|(?!\?))/g)) {
    if (name !== undefined) names.set(name, (count += 1));
    else if (piece === "(") count += 1;
  }
  return names;
}

export class LineSearch {
  found = false;
  failed = false;
  private readonly regex: RegexHandle;
  private readonly spans: number;
  private readonly names: ReadonlyMap<string, number>;
  private printed = false;
  private readonly total = new Stats();

  constructor(
    private readonly process: Process,
    private readonly style: Style,
  ) {
    try {
      this.regex = native.regex.create(native.text.encode(style.pattern), style.flags);
    } catch (error) {
      if (error instanceof SyntaxError) throw new Failure(error.message, 2);
      throw error;
    }
    this.spans = native.regex.groups(this.regex) + 1;
    this.names = style.replacement === undefined ? new Map() : namesOf(style.pattern);
  }

  file(path: string): Maybe<void> {
    let reader: Reader;
    try {
      reader = openReader(this.process, path);
    } catch (error) {
      this.failed = true;
      complain(this.process, `${path}: ${describeErrno(error)}`);
      return;
    }
    const stats = new Stats();
    const search = new FileSearch(this, this.process, this.style, path === "-" ? "<stdin>" : path, stats);
    // As rg has it: --json tells of files with a match only.
    return then(using(this.process, reader, () => search.run(reader)), () => (this.style.json && stats.withMatch === 0 ? undefined : this.total.add(stats)));
  }

  /** Tells of the whole search. */
  summary(): Maybe<void> {
    const { json, stats, quiet } = this.style;
    const time = this.total.milliseconds;
    if (json && !quiet) return this.process.stdout.write(jsonSummary(this.total, time));
    if (stats) return this.process.stdout.write(this.total.text(time));
  }

  /** All matches in a line. */
  matches(line: Uint8Array): Match[] {
    const found: Match[] = [];
    for (let at = 0; at <= line.length; ) {
      const match = native.regex.search(this.regex, line, at, this.spans);
      if (!match) break;
      found.push(match);
      at = match[1]! > match[0]! ? match[1]! : match[1]! + 1;
    }
    return found;
  }

  /** What stands in a match's place. */
  replaced(line: Uint8Array, match: Match): string {
    const text = (group: number | undefined): string => {
      const start = group === undefined ? -1 : (match[group * 2] ?? -1);
      return start < 0 ? "" : native.text.decode(line.subarray(start, match[group! * 2 + 1]));
    };
    const { replacement } = this.style;
    if (replacement === undefined) return text(0);
    return replacement.replace(CAPTURE, (_, dollar?: string, braced?: string, bare?: string) => {
      const name = braced ?? bare;
      return dollar ?? text(/^\d+$/.test(name!) ? Number(name) : this.names.get(name!));
    });
  }

  /** Begins a file's lines, or another group of them. */
  begin(name: string, isFirst: boolean): Maybe<void> {
    const { heading, names, before, after } = this.style;
    let text = "";
    if (heading && names && isFirst) text = `${this.printed ? "\n" : ""}${name}\n`;
    else if (this.printed && (before > 0 || after > 0)) text = "--\n";
    this.printed = true;
    return text === "" ? undefined : this.process.stdout.write(text);
  }
}

function lineCount(bytes: Uint8Array): number {
  let count = 1;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

/** Behind the end of the line that the byte at `at` is in. */
function lineEnd(text: Uint8Array, at: number): number {
  const found = text.indexOf(10, at);
  return found < 0 ? text.length : found + 1;
}

/** The search through one file. */
class FileSearch {
  private number = 0;
  private offset = 0;
  private selected = 0;
  private held: (readonly [Found, readonly Match[]])[] = [];
  private trailing = 0;
  /** The number of the line behind the last one that was shown. */
  private nextShown = 0;
  private readonly report: JsonReport | undefined;

  constructor(
    private readonly search: LineSearch,
    private readonly process: Process,
    private readonly style: Style,
    private readonly name: string,
    private readonly counts: Stats,
  ) {
    this.report = style.json ? new JsonReport(process.stdout, name, counts) : undefined;
  }

  async run(reader: Reader): Promise<void> {
    this.counts.searches = 1;
    await (this.style.multiline ? this.texts(await reader.all()) : this.lines(reader));
    this.counts.searched = this.offset;
    await this.report?.end();
    const { matches, lines } = this.counts;
    const count = (this.style.countMatches || this.style.multiline) && !this.style.invert ? matches : lines;
    if (this.style.list && count > 0) await this.process.stdout.write(`${this.name}\n`);
    else if (this.counting && count > 0) await this.process.stdout.write(`${this.style.names ? `${this.name}:` : ""}${count}\n`);
  }

  private get counting(): boolean {
    return this.style.count || this.style.countMatches || this.style.list;
  }

  private async lines(reader: Reader): Promise<void> {
    for (;;) {
      const whole = await reader.lineBytes();
      if (whole.length === 0) return;
      if (!this.style.text && whole.includes(0)) return;
      if (await this.take(whole.slice(), (line) => this.search.matches(line))) return;
    }
  }

  /** The lines of a text; those that a match goes over are taken as one. */
  private async texts(text: Uint8Array): Promise<void> {
    if (!this.style.text && text.includes(0)) return;
    const matches = this.search.matches(text);
    let next = 0;
    for (let at = 0, end; at < text.length; at = end) {
      end = lineEnd(text, at);
      const own: Match[] = [];
      for (let match = matches[next]; match && match[0]! < end; match = matches[(next += 1)]) {
        own.push(match.map((place) => (place < 0 ? place : place - at)));
        if (match[1]! > end) end = lineEnd(text, match[1]! - 1);
      }
      if (await this.take(text.subarray(at, end), () => own)) return;
    }
  }

  /** Whether no more are wanted. */
  private async take(whole: Uint8Array, matchesIn: (line: Uint8Array) => Match[]): Promise<boolean> {
    const { style } = this;
    const ended = whole[whole.length - 1] === 10;
    const bytes = ended ? whole.subarray(0, -1) : whole;
    const line = { bytes, number: this.number + 1, offset: this.offset, ended };
    this.number += lineCount(bytes);
    this.offset += whole.length;
    if (this.selected === style.most) {
      if (this.trailing === 0) return true;
      await this.context(line);
      return false;
    }
    await this.line(line, matchesIn(bytes));
    return style.quiet && !style.stats && this.search.found;
  }

  private async line(line: Found, matches: readonly Match[]): Promise<void> {
    const { style } = this;
    if (matches.length > 0 === style.invert) return this.context(line, matches);
    this.selected += 1;
    this.counts.withMatch = 1;
    this.counts.lines += lineCount(line.bytes);
    this.counts.matches += matches.length;
    this.search.found = true;
    if (style.quiet || this.counting) return;
    for (const [before, its] of this.held) await this.show(before, its, "-");
    this.held = [];
    await this.show(line, matches, ":");
    this.trailing = style.after;
  }

  private async context(line: Found, matches: readonly Match[] = []): Promise<void> {
    const { before, all } = this.style;
    if (this.style.quiet || this.counting) return;
    if (this.trailing > 0 || all) {
      this.trailing -= 1;
      return this.show(line, matches, "-");
    }
    if (before === 0) return;
    this.held.push([line, matches]);
    if (this.held.length > before) this.held.shift();
  }

  private write(text: string): Maybe<void> {
    this.counts.printed += native.bytes.utf8Length(text);
    return this.process.stdout.write(text);
  }

  private async show(line: Found, matches: readonly Match[], mark: ":" | "-"): Promise<void> {
    if (this.report) return this.report.line(mark === ":" ? "match" : "context", line, matches);
    return this.showLine(line, mark === ":" ? matches : [], mark);
  }

  private async showLine(line: Found, matches: readonly Match[], mark: ":" | "-"): Promise<void> {
    if (this.nextShown !== line.number) await this.search.begin(this.name, this.nextShown === 0);
    this.nextShown = line.number + lineCount(line.bytes);
    const { only, each } = this.style;
    const write = async (text: string, match?: Match): Promise<void> => {
      let number = line.number + (only && match ? lineCount(line.bytes.subarray(0, match[0])) - 1 : 0);
      for (const part of text.slice(0, -1).split("\n")) await this.write(`${this.head({ ...line, number: number++ }, match, mark)}${part}\n`);
    };
    if (only) for (const match of matches) await write(`${this.search.replaced(line.bytes, match)}\n`, match);
    else if (each && matches.length > 0) for (const match of matches) await write(this.whole(line, matches), match);
    else await write(this.whole(line, matches), matches[0]);
  }

  private head(line: Found, match: Match | undefined, mark: string): string {
    const { style } = this;
    const parts: (string | number)[] = [];
    if (style.names && !style.heading) parts.push(this.name);
    if (style.lineNumbers) parts.push(line.number);
    if (style.columns && match) parts.push(match[0]! + 1);
    if (style.offsets) parts.push(line.offset + (style.only && match ? match[0]! : 0));
    return parts.map((part) => `${part}${mark}`).join("");
  }

  private whole({ bytes }: Found, matches: readonly Match[]): string {
    const { longest, trim, replacement } = this.style;
    let text = native.text.decode(bytes);
    if (replacement !== undefined) {
      let from = 0;
      text = "";
      for (const match of matches) {
        text += native.text.decode(bytes.subarray(from, match[0])) + this.search.replaced(bytes, match);
        from = match[1]!;
      }
      text += native.text.decode(bytes.subarray(from));
    }
    if (bytes.length > longest) return matches.length > 0 ? "[Omitted long matching line]\n" : "[Omitted long context line]\n";
    return `${trim ? text.replace(/^[ \t]+/, "") : text}\n`;
  }
}
