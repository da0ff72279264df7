/** A shell whose commands come on its standard input, a line at a time: what they read themselves is what comes behind. */

import type { Inode } from "../../vfs/inode";
import { OpenFile } from "../../vfs/openfile";
import type { Status } from "../../vfs/status";
import { native } from "../../bridge/native";
import { then, type Maybe } from "../io/maybe";
import { Reader } from "../io/reader";
import { runRead, runSource } from "../run/program";
import type { Shell } from "../run/shell";
import type { List } from "../syntax/ast";
import { SyntaxFault } from "../syntax/errors";
import { Parser } from "../syntax/parser";

/** An open file from which lines were taken too many, which are then the first to be read. */
class CommandInput extends OpenFile {
  private ahead: Uint8Array[] = [];

  constructor(private readonly file: OpenFile) {
    super(file.flags);
    file.references += 1;
  }

  override get node(): Inode | undefined {
    return this.file.node;
  }

  override status(): Status {
    return this.file.status();
  }

  override read(target: Uint8Array, offset: number, count: number): number {
    const [first] = this.ahead;
    if (first === undefined) return this.file.read(target, offset, count, null);
    const bytes = this.take(count)!;
    target.set(bytes, offset);
    return bytes.length;
  }

  override take(most: number): Uint8Array | undefined {
    const first = this.ahead.shift();
    if (first === undefined) return this.file.take(most);
    if (first.length > most) this.ahead.unshift(first.subarray(most));
    return first.subarray(0, most);
  }

  /** Lines that were taken are whole. */
  override takeLine(end: number): Uint8Array | undefined {
    const [first] = this.ahead;
    if (first === undefined) return this.file.takeLine(end);
    const at = first.indexOf(end);
    return this.take(at < 0 ? first.length : at + 1);
  }

  override wait(wake: () => void): void {
    this.file.wait(wake);
  }

  override close(): void {
    this.file.references -= 1;
    if (this.file.references === 0) this.file.close();
  }

  /** Lines to be read again. */
  giveBack(lines: readonly Uint8Array[]): void {
    this.ahead.unshift(...lines);
  }
}

const NEWLINE = 10;

/** One command with all of its lines; without lines the input is at its end. */
interface Portion {
  readonly text: string;
  readonly lines: number;
  /** Undefined for what cannot be read. */
  readonly list: List | undefined;
  /** Whether the shell ends with it. */
  readonly last: boolean;
}

const END: Portion = { text: "", lines: 0, list: undefined, last: true };
/** Of blank lines and comments. */
const NOTHING: List = [];

/** Runs the commands that come on standard input; the status of the last. */
export function runInput(shell: Shell): Maybe<number> {
  return goOn(shell, 1, 0);
}

function goOn(shell: Shell, line: number, before: number): Maybe<number> {
  let [at, seen] = [line, before];
  for (;;) {
    const portion = nextPortion(shell, at);
    const status = then(portion, (found) => runPortion(shell, found, at, seen));
    if (portion instanceof Promise || status instanceof Promise) return later(shell, portion, status, at);
    if (portion.last) return status;
    at += portion.lines;
    seen = status;
  }
}

async function later(shell: Shell, portion: Maybe<Portion>, status: Maybe<number>, line: number): Promise<number> {
  const { last, lines } = await portion;
  const ended = await status;
  return last ? ended : goOn(shell, line + lines, ended);
}

/** What cannot be read is read once more, to be told of, and what is to be shown, to be shown. */
function runPortion(shell: Shell, { text, lines, list }: Portion, line: number, before: number): Maybe<number> {
  if (lines === 0 || list === NOTHING) return before;
  return list === undefined || shell.options.has("verbose") ? runSource(shell, text, { line, main: true }) : runRead(shell, list);
}

/** What `exec` put in place of standard input is what commands come from then. */
function inputOf(shell: Shell): CommandInput {
  const file = shell.descriptor(0);
  if (file instanceof CommandInput) return file;
  const input = new CommandInput(file);
  shell.context.descriptors.set(0, input);
  return input;
}

function nextPortion(shell: Shell, line: number): Maybe<Portion> {
  return shell.context.descriptors.has(0) ? gather(shell, inputOf(shell), line, []) : END;
}

/** Takes lines until they make a command: as many more each time as there are, if they lie ready; what is behind it is given back. */
function gather(shell: Shell, input: CommandInput, line: number, lines: Uint8Array[]): Maybe<Portion> {
  const most = 2 * lines.length;
  return then(new Reader(input).lineBytes(), (first) => {
    if (first.length === 0) return lines.length === 0 ? END : { text: textOf(lines), lines: lines.length, list: undefined, last: true };
    let next: Uint8Array | undefined = first;
    while (next !== undefined && next.length > 0) {
      lines.push(next.slice());
      next = lines.length < most ? input.takeLine(NEWLINE) : undefined;
    }
    return portionOf(shell, input, line, lines) ?? gather(shell, input, line, lines);
  });
}

/** The first command of the lines; undefined when it goes on behind them. */
function portionOf(shell: Shell, input: CommandInput, line: number, lines: Uint8Array[]): Portion | undefined {
  const text = textOf(lines);
  if (CONTINUED.test(text)) return undefined;
  let open = false;
  const parser = new Parser(text, {
    line,
    aliases: () => (shell.options.has("expand_aliases") ? shell.aliases : undefined),
    extglob: () => shell.options.has("extglob"),
    posix: () => shell.options.has("posix"),
    warn: () => (open = true),
  });
  try {
    const list = parser.next() ?? NOTHING;
    const rest = text.slice(parser.place);
    return open ? undefined : portion(lines.length - countLines(rest), list);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    if (error.incomplete) return undefined;
    // What is wrong within an array ends its line.
    return portion(error.within === "array" ? error.position.line - line + 1 : lines.length, undefined, error.within !== "array");
  }
  function portion(used: number, list: List | undefined, last = false): Portion {
    input.giveBack(lines.splice(used));
    return { text: textOf(lines), lines: used, list, last };
  }
}

/** A backslash at the end joins the next line. */
const CONTINUED = /(^|[^\\])(\\\\)*\\\n?$/;

function countLines(text: string): number {
  const ends = text.split("\n").length - 1;
  return text === "" || text.endsWith("\n") ? ends : ends + 1;
}

function textOf(lines: readonly Uint8Array[]): string {
  return lines.map((line) => native.text.decode(line)).join("");
}
