import { native, type RegexHandle } from "../bridge/native";
import { formatInteger, parseFlags } from "../shell/format/directive";
import type { Process } from "../shell/process";
import { unlink } from "../vfs/tree";
import { command, complain, Failure } from "./command";
import { close, openWriter } from "./files";
import { localeFlag } from "./locale";
import { type Options, UsageFault } from "./options";
import { quoted } from "./sizes";
import { openForReading } from "./named";

const TABLE = {
  suffix: ["-b, --suffix-format=FORMAT", "number files by this printf format, not %02d"],
  prefix: ["-f, --prefix=PREFIX", "begin names with PREFIX, not xx"],
  keep: ["-k, --keep-files", "leave the files there on errors"],
  suppress: ["--suppress-matched", "leave out lines that match"],
  digits: ["-n, --digits=DIGITS", "number files by this many digits, not 2"],
  quiet: ["-s, -q, --quiet, --silent", "do not print the sizes of files"],
  noEmpty: ["-z, --elide-empty-files", "leave out empty files"],
} as const;

type Given = Options<typeof TABLE>;

/** Where a piece ends. */
interface Pattern {
  readonly text: string;
  /** The line that the next piece begins with, or an expression that it matches. */
  readonly line?: number;
  readonly regex?: RegexHandle;
  readonly offset: number;
  /** The piece is not written. */
  readonly skips: boolean;
  /** How often it is used again; Infinity for as long as it matches. */
  repeats: number;
}

function parsePattern(text: string, flags: number): Pattern {
  if (/^\s*\+?\d+$/.test(text)) {
    if (Number(text) === 0) throw new Failure(`${text}: line number must be greater than zero`);
    return { text, line: Number(text), offset: 0, skips: false, repeats: 0 };
  }
  const mark = text[0];
  if (mark !== "/" && mark !== "%") throw new Failure(`${quoted(text)}: invalid pattern`);
  const end = text.lastIndexOf(mark);
  if (end === 0) throw new Failure(`${text}: closing delimiter '${mark}' missing`);
  const offset = text.slice(end + 1);
  if (!/^(?:[-+]?\d+)?$/.test(offset)) throw new Failure(`${text}: integer expected after delimiter`);
  try {
    return { text, regex: native.regex.create(native.text.encode(text.slice(1, end)), flags), offset: Number(offset), skips: mark === "%", repeats: 0 };
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure(`${text}: invalid regular expression: ${error.message}`);
    throw error;
  }
}

/** Line numbers go up; `warn` is told of one that does not, but stays. */
function parsePatterns(operands: readonly string[], flags: number, warn: (message: string) => void): Pattern[] {
  const patterns: Pattern[] = [];
  let before = 0;
  for (const text of operands) {
    const [, count] = /^\{(\*|\d+)\}$/.exec(text) ?? [];
    if (count === undefined) {
      const pattern = parsePattern(text, flags);
      patterns.push(pattern);
      const { line = Infinity } = pattern;
      if (line < before) throw new Failure(`line number ${quoted(text)} is smaller than preceding line number, ${before}`);
      if (line === before) warn(`warning: line number ${quoted(text)} is the same as preceding line number`);
      before = pattern.line ?? before;
    }
    else if (patterns.length === 0) throw new Failure(`${quoted(text)}: invalid pattern`);
    else patterns.at(-1)!.repeats = count === "*" ? Infinity : Number(count);
  }
  return patterns;
}

function namer(options: Given): (index: number) => string {
  const prefix = options.value("prefix") ?? "xx";
  const digits = options.value("digits") ?? "2";
  if (!/^\d+$/.test(digits)) throw new Failure(`invalid number: ${quoted(digits)}`);
  const format = options.value("suffix") ?? `%0${digits}d`;
  const [, before, flags, width, precision, conversion, after] = /^((?:[^%]|%%)*)%([-+ #0']*)(\d*)(?:\.(\d+))?([diouxX])((?:[^%]|%%)*)$/.exec(format) ?? [];
  if (conversion === undefined) throw new Failure(format.includes("%") ? "invalid conversion specifier in suffix" : "missing % conversion specification in suffix");
  const directive = { ...parseFlags(flags!), width: Number(width), precision: precision === undefined ? undefined : Number(precision), conversion };
  const plain = (text: string): string => text.replaceAll("%%", "%");
  return (index) => `${prefix}${plain(before!)}${formatInteger(BigInt(index), directive)}${plain(after!)}`;
}

/** The text in lines, each with its end. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(10, at);
    const stop = found < 0 ? bytes.length : found + 1;
    lines.push(bytes.subarray(at, stop));
    at = stop;
  }
  return lines;
}

class Splitter {
  private at = 0;
  /** The line from which on an expression is looked for. */
  private after = 0;
  private readonly written: string[] = [];

  constructor(
    private readonly process: Process,
    private readonly options: Given,
    private readonly lines: readonly Uint8Array[],
    private readonly name: (index: number) => string,
  ) {}

  async run(patterns: readonly Pattern[]): Promise<void> {
    try {
      for (const pattern of patterns) await this.repeat(pattern);
      await this.piece(this.lines.length, false);
    } catch (error) {
      if (error instanceof Failure && !this.options.has("keep")) for (const name of this.written) unlink(this.process.context, name);
      throw error;
    }
  }

  private async repeat(pattern: Pattern): Promise<void> {
    for (let count = 0; count <= pattern.repeats; count += 1) {
      if (!(await (pattern.regex ? this.toMatch(pattern, count) : this.toLine(pattern, count)))) return;
    }
  }

  private async toLine(pattern: Pattern, count: number): Promise<true> {
    if (this.lines.length === 0) throw new Failure("input disappeared");
    const line = pattern.line! * (count + 1) - 1;
    const target = Math.max(line, this.at); // a line that was passed leaves an empty piece
    if (target >= this.lines.length) {
      await this.piece(this.lines.length, false);
      throw new Failure(`${quoted(pattern.text)}: line number out of range${count > 0 ? ` on repetition ${count}` : ""}`);
    }
    await this.piece(target, false);
    this.after = target;
    if (this.options.has("suppress")) this.at = Math.max(this.at, target + 1);
    return true;
  }

  private async toMatch(pattern: Pattern, count: number): Promise<boolean> {
    const found = this.find(pattern.regex!, Math.max(this.at, this.after));
    if (found < 0) {
      if (pattern.repeats === Infinity) return false;
      if (!pattern.skips) await this.piece(this.lines.length, false);
      throw new Failure(`${quoted(pattern.text)}: match not found${count > 0 ? ` on repetition ${count}` : ""}`);
    }
    const target = found + pattern.offset;
    if (target < this.at || target > this.lines.length) {
      if (!pattern.skips) await this.piece(target < this.at ? this.at : this.lines.length, false);
      throw new Failure(`${quoted(pattern.text)}: line number out of range`);
    }
    await this.piece(target, pattern.skips);
    // The line that a piece begins with ended the one before: it isn't looked at again.
    this.after = Math.max(found, target) + 1;
    if (this.options.has("suppress")) this.at = target + 1;
    return true;
  }

  private find(regex: RegexHandle, from: number): number {
    for (let at = from; at < this.lines.length; at += 1) {
      const line = this.lines[at]!;
      const text = line.at(-1) === 10 ? line.subarray(0, -1) : line;
      if (native.regex.search(regex, text, 0, 0) !== undefined) return at;
    }
    return -1;
  }

  private async piece(end: number, skips: boolean): Promise<void> {
    const lines = this.lines.slice(this.at, end);
    this.at = Math.max(this.at, end);
    if (skips || (lines.length === 0 && this.options.has("noEmpty"))) return;
    const name = this.name(this.written.length);
    const writer = openWriter(this.process, name);
    this.written.push(name);
    for (const line of lines) await writer.write(line);
    close(writer);
    if (!this.options.has("quiet")) this.process.stdout.print(`${lines.reduce((sum, { length }) => sum + length, 0)}\n`);
  }
}

export const csplit = command({
  name: "csplit",
  usage: "[OPTION]... FILE PATTERN...",
  about: "Write pieces of FILE to xx00, xx01 and so on, and print their sizes.\nPATTERN is LINE, /REGEX/[OFFSET], %REGEX%[OFFSET], or {N} or {*} to repeat the one before.",
  options: TABLE,
  async run(process, options, operands) {
    if (operands.length === 0) throw new UsageFault("missing operand");
    if (operands.length === 1) throw new UsageFault(`missing operand after ${quoted(operands[0]!)}`);
    const [file, ...texts] = operands as [string, ...string[]];
    const patterns = parsePatterns(texts, localeFlag(process), (message) => complain(process, message));
    const reader = openForReading(process, file);
    const bytes = (await reader.all()).slice();
    if (reader !== process.stdin) close(reader);
    await new Splitter(process, options, linesOf(bytes), namer(options)).run(patterns);
    return 0;
  },
});
