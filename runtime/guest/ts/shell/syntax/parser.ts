/** The parser of bash: scripts to trees, command by command. */

import type { Expression, List, Position, Word } from "./ast";
import { parseExpanded } from "./arithmetic-tree";
import { SyntaxFault } from "./errors";
import { parseProgram, readComplete } from "./lists";
import { Reader, type Settings } from "./reader";
import { readText } from "./words";

type Aliases = ReadonlyMap<string, string>;

export interface ParserOptions {
  /** Looked at whenever a word stands where a command may; undefined: aliases are not expanded. */
  readonly aliases?: Aliases | (() => Aliases | undefined) | undefined;
  /** The number of the script's first line. */
  readonly line?: number | undefined;
  /** Whether `@(…)` and the like are patterns outside `[[`; true unless told otherwise. */
  readonly extglob?: boolean | (() => boolean) | undefined;
  /** What bash says about the script without refusing it. */
  readonly warn?: ((message: string, position: Position) => void) | undefined;
}

const START: Position = { line: 1, column: 1 };

function settingsOf({ aliases, extglob = true, warn = () => undefined }: ParserOptions): Settings {
  return {
    aliases: typeof aliases === "function" ? aliases : () => aliases,
    extglob: typeof extglob === "function" ? extglob : () => extglob,
    warn,
  };
}

const PLAIN = settingsOf({});

/** Deep in functions the stack may end before the nesting's own limit: that is a fault of the script as well. */
function bounded<T>(reader: Reader, read: (reader: Reader) => T): T {
  try {
    return read(reader);
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxFault("syntax error: nesting too deep", reader.position());
    throw error;
  }
}

/** Reads a script one complete command at a time, so that a command may change how the next ones are read. */
export class Parser {
  private readonly reader: Reader;

  private readonly first: number;

  constructor(
    private readonly source: string,
    options: ParserOptions = {},
  ) {
    this.first = options.line ?? 1;
    this.reader = new Reader(source, settingsOf(options), { line: this.first, column: 1 });
  }

  /** The commands up to the next newline that ends them; undefined at the end. Throws SyntaxFault. */
  next(): List | undefined {
    return bounded(this.reader, readComplete);
  }

  /** Goes on behind the line in which a fault was found. */
  skipLine(): void {
    const { reader } = this;
    const end = reader.text.indexOf("\n", reader.pos);
    reader.pos = end < 0 ? reader.text.length : end + 1;
    reader.pending = [];
    reader.depth = 0;
  }

  /** Where the next command begins. */
  get position(): Position {
    return this.reader.position();
  }

  /** How much of the source is read. */
  get place(): number {
    return this.source.length - this.reader.remaining;
  }

  /** A line of the script, as messages quote it. */
  sourceLine(line: number): string {
    return this.source.split("\n")[line - this.first] ?? "";
  }
}

/** The whole script. Throws SyntaxFault. */
export function parseAll(source: string, options: ParserOptions = {}): List {
  return bounded(new Reader(source, settingsOf(options), { line: options.line ?? 1, column: 1 }), parseProgram);
}

/** A text with expansions, as in double quotes but for the quotes themselves. Throws SyntaxFault. */
export function parseWord(source: string, position: Position = START): Word {
  return readText(source, PLAIN, position);
}

/** An arithmetic expression that was expanded at run time. Throws ArithmeticFault. */
export function parseArithmetic(text: string, position: Position = START): Expression {
  return parseExpanded(text, position, PLAIN);
}

/** Whether more lines could make a script of `source`. */
export function isIncomplete(source: string, options: ParserOptions = {}): boolean {
  let open = false;
  const warn = (): void => {
    open = true;
  };
  try {
    parseAll(source, { ...options, warn });
  } catch (fault) {
    if (fault instanceof SyntaxFault) return fault.incomplete;
    throw fault;
  }
  return open || /(^|[^\\])(\\\\)*\\\n?$/.test(source);
}
