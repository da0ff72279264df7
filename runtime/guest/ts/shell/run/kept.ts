/**
 * Scripts that were parsed lately. Loops evaluate the same text again and again, `sh -c` and traps do too, and so do
 * callers of a sandbox; the trees are the same each time, and what was compiled of them is found by them.
 */

import type { List } from "../syntax/ast";
import { Parser } from "../syntax/parser";
import type { Shell } from "./shell";

/** Kept at most, and of what length: about a megabyte of trees and code. */
const SCRIPTS_MOST = 16;
const LENGTH_MOST = 2000;

interface Kept {
  readonly line: number;
  readonly rules: number;
  /** The commands that some run has come to. */
  readonly commands: List[];
  /** Whether these are all. */
  complete: boolean;
}

const scripts = new Map<string, Kept>();

/** The options that the parser reads by, as bits. */
const EXTGLOB = 1;
const POSIX = 2;

function rulesOf({ options }: Shell): number {
  return (options.has("extglob") ? EXTGLOB : 0) | (options.has("posix") ? POSIX : 0);
}

function keptFor(source: string, line: number, rules: number): Kept {
  const known = scripts.get(source);
  if (known?.line === line && known.rules === rules) return known;
  const kept: Kept = { line, rules, commands: [], complete: false };
  scripts.delete(source);
  if (scripts.size >= SCRIPTS_MOST) for (const oldest of scripts.keys()) if (scripts.delete(oldest)) break;
  scripts.set(source, kept);
  return kept;
}

/** A script's complete commands, one after the other. */
export class Commands {
  private kept: Kept | undefined;
  private readonly rules: number;
  /** Commands given so far, and how many of them the parser has read: those before were kept. */
  private given = 0;
  private read = 0;
  private parser: Parser | undefined;

  constructor(
    private readonly shell: Shell,
    private readonly source: string,
    private readonly line: number,
    readonly by?: string,
  ) {
    this.rules = rulesOf(shell);
    if (source.length <= LENGTH_MOST && !this.aliased) this.kept = keptFor(source, line, this.rules);
  }

  /** Undefined at the end; throws SyntaxFault. */
  next(): List | undefined {
    // The next command may have to be read by other rules than those before it.
    if (this.kept && (this.aliased || this.verbose || rulesOf(this.shell) !== this.rules)) this.kept = undefined;
    const { kept } = this;
    const list = kept && this.given < kept.commands.length ? kept.commands[this.given] : kept?.complete ? undefined : this.parse();
    this.given += 1;
    return list;
  }

  /** Goes on behind the line in which a fault was found. */
  skipLine(): void {
    scripts.delete(this.source);
    this.kept = undefined;
    this.given += 1;
    this.parser!.skipLine();
  }

  private parse(): List | undefined {
    const parser = (this.parser ??= this.open());
    for (; this.read < this.given; this.read += 1) parser.next();
    this.read += 1;
    const list = this.verbose ? this.shown(parser) : parser.next();
    const { kept } = this;
    if (kept && list === undefined) kept.complete = true;
    else if (kept && this.given === kept.commands.length) kept.commands.push(list!);
    return list;
  }

  /** `set -v`: the lines that are read. */
  private shown(parser: Parser): List | undefined {
    const from = parser.place;
    try {
      return parser.next();
    } finally {
      const lines = this.source.slice(from, parser.place);
      if (lines !== "") this.shell.say(lines.replace(/\n$/, ""));
    }
  }

  /** A script that is warned of is read anew each time, to be warned of again. */
  private warn(message: string, line: number): void {
    if (this.read < this.given) return;
    scripts.delete(this.source);
    this.shell.line = line;
    this.shell.warn(`warning: ${message}`);
  }

  private get verbose(): boolean {
    return this.shell.options.has("verbose");
  }

  private get aliased(): boolean {
    return this.shell.options.has("expand_aliases");
  }

  /** Commands that were kept, which the parser skips, were read without aliases. */
  private open(): Parser {
    const skips = (): boolean => this.read < this.given;
    const follows = (rule: number): boolean => ((skips() ? this.rules : rulesOf(this.shell)) & rule) !== 0;
    return new Parser(this.source, {
      line: this.line,
      warn: (message, { line }) => this.warn(message, line),
      aliases: () => (this.aliased && !skips() ? this.shell.aliases : undefined),
      extglob: () => follows(EXTGLOB),
      posix: () => follows(POSIX),
    });
  }
}
