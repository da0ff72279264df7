/** What rg prints that grep cannot: replacements, columns, headings, counts of matches, all lines. */

import { native, type RegexHandle } from "../bridge/native";
import { describeErrno } from "../shell/io/errors";
import type { Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { complain, Failure } from "./command";
import { openReader, using } from "./files";

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
    const search = new FileSearch(this, this.process, this.style, path === "-" ? "<stdin>" : path);
    return using(this.process, reader, () => search.run(reader));
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

interface Line {
  readonly bytes: Uint8Array;
  readonly number: number;
  readonly offset: number;
}

/** The search through one file. */
class FileSearch {
  private number = 0;
  private offset = 0;
  private selected = 0;
  private matched = 0;
  private held: Line[] = [];
  private trailing = 0;
  private lastShown = -1;

  constructor(
    private readonly search: LineSearch,
    private readonly process: Process,
    private readonly style: Style,
    private readonly name: string,
  ) {}

  async run(reader: Reader): Promise<void> {
    const { style } = this;
    for (;;) {
      const whole = await reader.lineBytes();
      if (whole.length === 0) break;
      if (!style.text && whole.includes(0)) break;
      const end = whole[whole.length - 1] === 10 ? whole.length - 1 : whole.length;
      const line = { bytes: whole.slice(0, end), number: (this.number += 1), offset: this.offset };
      this.offset += whole.length;
      if (this.selected === style.most) {
        if (this.trailing === 0) break;
        await this.context(line);
        continue;
      }
      await this.line(line);
      if (style.quiet && this.search.found) return;
    }
    if (style.countMatches && this.matched > 0) await this.process.stdout.write(`${style.names ? `${this.name}:` : ""}${this.matched}\n`);
  }

  private async line(line: Line): Promise<void> {
    const { style } = this;
    const matches = this.search.matches(line.bytes);
    if (matches.length > 0 === style.invert) return this.context(line);
    this.selected += 1;
    this.matched += style.invert ? 1 : matches.length;
    this.search.found = true;
    if (style.quiet || style.countMatches) return;
    for (const before of this.held) await this.show(before, [], "-");
    this.held = [];
    await this.show(line, style.invert ? [] : matches, ":");
    this.trailing = style.after;
  }

  private async context(line: Line): Promise<void> {
    const { before, all } = this.style;
    if (this.style.quiet || this.style.countMatches) return;
    if (this.trailing > 0 || all) {
      this.trailing -= 1;
      return this.show(line, [], "-");
    }
    if (before === 0) return;
    this.held.push(line);
    if (this.held.length > before) this.held.shift();
  }

  private async show(line: Line, matches: readonly Match[], mark: ":" | "-"): Promise<void> {
    if (this.lastShown !== line.number - 1) await this.search.begin(this.name, this.lastShown < 0);
    this.lastShown = line.number;
    const { only, each } = this.style;
    const write = (text: string, match?: Match): Maybe<void> => this.process.stdout.write(this.head(line, match, mark) + text);
    if (only) for (const match of matches) await write(`${this.search.replaced(line.bytes, match)}\n`, match);
    else if (each && matches.length > 0) for (const match of matches) await write(this.whole(line, matches), match);
    else await write(this.whole(line, matches), matches[0]);
  }

  private head(line: Line, match: Match | undefined, mark: string): string {
    const { style } = this;
    const parts: (string | number)[] = [];
    if (style.names && !style.heading) parts.push(this.name);
    if (style.lineNumbers) parts.push(line.number);
    if (style.columns && match) parts.push(match[0]! + 1);
    if (style.offsets) parts.push(line.offset + (style.only && match ? match[0]! : 0));
    return parts.map((part) => `${part}${mark}`).join("");
  }

  private whole({ bytes }: Line, matches: readonly Match[]): string {
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
