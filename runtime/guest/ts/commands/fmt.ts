import type { Process } from "../shell/process";
import { ByteWriter, byteText, LineSource } from "./byte_text";
import { command, Failure } from "./command";
import { eachInput } from "./files";
import { brokenInParts, type Word } from "./fmt_lines";
import type { Options } from "./options";
import { quoted } from "./sizes";

const TABLE = {
  crown: ["-c, --crown-margin", "keep the indentation of the first two lines"],
  prefix: ["-p, --prefix=STRING", "change only lines that begin with STRING"],
  split: ["-s, --split-only", "break long lines, but do not join short ones"],
  tagged: ["-t, --tagged-paragraph", "the first line's indentation differs from the second's"],
  uniform: ["-u, --uniform-spacing", "one space between words, two between sentences"],
  width: ["-w, --width=WIDTH", "lines are at most WIDTH wide, not 75"],
  goal: ["-g, --goal=WIDTH", "lines are about WIDTH wide, not 93 % of the width"],
} as const;

type Given = Options<typeof TABLE>;

const TAG_INDENT = 3;

/** A line as fmt sees it. */
interface Line {
  readonly raw: string;
  /** Columns in front of the prefix, and in front of the text. */
  readonly prefixIndent: number;
  readonly indent: number;
  /** What is behind prefix and indentation; undefined where the line is not to be changed. */
  readonly text: string | undefined;
}

function columns(blanks: string, from = 0): number {
  let column = from;
  for (const blank of blanks) column = blank === "\t" ? column - (column % 8) + 8 : column + 1;
  return column;
}

const PUNCTUATION: ReadonlySet<string> = new Set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~");
const OPENING: ReadonlySet<string> = new Set("(['`\"");

class Formatter {
  private lines: Line[] = [];
  private tabs = false;
  private tagIndent = 0;
  private readonly prefix: string;
  private readonly prefixLead: number;
  private readonly most: number;
  private readonly goal: number;

  constructor(
    private readonly options: Given,
    private readonly out: ByteWriter,
  ) {
    const prefix = byteText(options.value("prefix") ?? "");
    this.prefixLead = /^ */.exec(prefix)![0].length;
    this.prefix = prefix.trim();
    const [width, goal] = [number(options, "width"), number(options, "goal")];
    this.most = width ?? (goal === undefined ? 75 : goal + 10);
    this.goal = goal ?? Math.trunc((this.most * 187) / 200);
    if (goal !== undefined && goal > this.most) throw new Failure(`invalid width: ${quoted(options.value("goal")!)}`);
  }

  async file(source: LineSource): Promise<void> {
    this.tabs = false;
    for (;;) {
      const next = source.next();
      const raw = next instanceof Promise ? await next : next;
      if (raw === undefined) break;
      const wait = this.take(this.parse(raw));
      if (wait) await wait;
    }
    await this.paragraph();
  }

  private parse(raw: string): Line {
    if (raw.includes("\t")) this.tabs = true;
    const [blanks] = /^[ \t]*/.exec(raw)!;
    const prefixIndent = columns(blanks);
    const rest = raw.slice(blanks.length);
    const plain = { raw, prefixIndent, indent: prefixIndent, text: undefined };
    if (this.prefix === "") return { ...plain, prefixIndent: Math.min(this.prefixLead, prefixIndent), text: rest === "" ? undefined : rest };
    if (prefixIndent < this.prefixLead || !rest.startsWith(this.prefix)) return plain;
    const behind = rest.slice(this.prefix.length);
    const [inner] = /^[ \t]*/.exec(behind)!;
    const text = behind.slice(inner.length);
    return { raw, prefixIndent, indent: columns(inner, prefixIndent + this.prefix.length), text: text === "" ? undefined : text };
  }

  private take(line: Line): unknown {
    if (line.text === undefined) return this.flushThen(this.untouched(line));
    if (this.lines.length > 0 && !this.belongs(line)) {
      const wait = this.paragraph();
      this.lines.push(line);
      return wait;
    }
    this.lines.push(line);
  }

  /** A line that is not to be changed; one of blanks, or of the prefix alone, is put without what ends it. */
  private untouched({ raw, prefixIndent }: Line): string {
    const rest = raw.replace(/^[ \t]*/, "");
    if (rest === "") return "\n";
    if (this.prefix !== "" && prefixIndent >= this.prefixLead && rest.startsWith(this.prefix)) return `${this.blanks(0, prefixIndent)}${this.prefix}\n`;
    return `${this.blanks(0, prefixIndent)}${rest}\n`;
  }

  private flushThen(text: string): unknown {
    const wait = this.paragraph();
    return wait instanceof Promise ? wait.then(() => this.out.put(text)) : this.out.put(text);
  }

  /** Whether the line goes on with the present paragraph. */
  private belongs(line: Line): boolean {
    const { options, lines } = this;
    const [first, second] = lines;
    if (options.has("split")) return false;
    if (line.prefixIndent !== first!.prefixIndent) return false;
    if (options.has("crown")) return second === undefined || line.indent === second.indent;
    if (options.has("tagged")) return second === undefined ? line.indent !== first!.indent : line.indent === second.indent;
    return line.indent === first!.indent;
  }

  private paragraph(): unknown {
    const { lines } = this;
    if (lines.length === 0) return;
    this.lines = [];
    const words = lines.flatMap((line) => this.words(line.text!, line.indent));
    Object.assign(words.at(-1)!, { period: true, final: true });
    const first = lines[0]!;
    const measures = { most: this.most, goal: this.goal, firstIndent: first.indent, indent: this.otherIndent(lines) };
    let text = "";
    for (const [part, next] of brokenInParts(words, measures)) text += this.layout(part, next, first, measures.indent);
    return this.out.put(text);
  }

  /** The indentation of all lines but the first. */
  private otherIndent([first, second]: readonly Line[]): number {
    if (this.options.has("split")) return first!.indent;
    if (this.options.has("crown")) return second?.indent ?? first!.indent;
    if (!this.options.has("tagged")) return first!.indent;
    // A single line takes that of the paragraph before, which must differ from the first line's.
    if (second) this.tagIndent = second.indent;
    else if (this.tagIndent === first!.indent) this.tagIndent = first!.indent === 0 ? TAG_INDENT : 0;
    return this.tagIndent;
  }

  private words(text: string, indent: number): Word[] {
    const uniform = this.options.has("uniform");
    const words: Word[] = [];
    let column = indent;
    for (const [, body, blanks] of text.matchAll(/([^ \t]+)([ \t]*)/g)) {
      const start = column + body!.length;
      column = columns(blanks!, start);
      words.push(wordOf(body!, column - start));
    }
    const last = words.at(-1)!;
    last.final = last.period;
    last.space = last.final ? 2 : 1;
    if (uniform) for (const word of words) word.space = word.final ? 2 : 1;
    return words;
  }

  private layout(words: readonly Word[], next: readonly number[], first: Line, indent: number): string {
    let result = "";
    for (let start = 0; start < words.length; start = next[start]!) {
      const lead = this.blanks(0, first.prefixIndent) + this.prefix;
      let column = first.prefixIndent + this.prefix.length;
      const to = start === 0 ? first.indent : indent;
      result += lead + this.blanks(column, to);
      column = Math.max(column, to);
      for (let at = start; at < next[start]!; at += 1) {
        const { text, space } = words[at]!;
        column += text.length;
        result += text + (at + 1 < next[start]! ? this.blanks(column, column + space) : "");
        column += space;
      }
      result += "\n";
    }
    return result;
  }

  /** What leads from one column to another: also tabs, if the file had any. */
  private blanks(from: number, to: number): string {
    if (to <= from) return "";
    const stop = to - (to % 8);
    if (!this.tabs || from + 1 >= stop) return " ".repeat(to - from);
    return "\t".repeat(Math.ceil((stop - from) / 8)) + " ".repeat(to - stop);
  }
}

function wordOf(text: string, space: number): Word {
  const punctuated = PUNCTUATION.has(text[text.length - 1]!);
  const period = punctuated && /[.?!][)\]'"]*$/.test(text);
  return { text, space, opens: OPENING.has(text[0]!), punctuated, period, final: period && space > 1 };
}

function number(options: Given, key: "width" | "goal"): number | undefined {
  const text = options.value(key);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) > 2500) throw new Failure(`invalid width: ${quoted(text)}`);
  return Number(text);
}

async function run(process: Process, options: Given, operands: readonly string[]): Promise<number> {
  const out = new ByteWriter(process.stdout);
  const formatter = new Formatter(options, out);
  const status = await eachInput(process, operands, (reader) => formatter.file(new LineSource(reader)));
  await out.flush();
  return status;
}

export const fmt = command({
  name: "fmt",
  usage: "[-WIDTH] [OPTION]... [FILE]...",
  about: "Print the paragraphs of the files, or of standard input, with lines of about equal length.",
  options: TABLE,
  rewrite: (args) => (/^-\d+$/.test(args[0] ?? "") ? [`-w${args[0]!.slice(1)}`, ...args.slice(1)] : args),
  run,
});
