/** The parser of bash: scripts to trees, command by command. */

import type { List, Position } from "./ast";
import { SyntaxFault } from "./errors";
import { parseProgram, readComplete } from "./lists";
import { Reader, type Settings } from "./reader";

type Aliases = ReadonlyMap<string, string>;

export interface ParserOptions {
  /** Looked at whenever a word stands where a command may; undefined: aliases are not expanded. */
  readonly aliases?: Aliases | (() => Aliases | undefined) | undefined;
  /** The number of the script's first line. */
  readonly line?: number | undefined;
  /** Whether `@(…)` and the like are patterns outside `[[`; true unless told otherwise. */
  readonly extglob?: boolean | (() => boolean) | undefined;
  /** Whether quotes are read as in bash's POSIX mode; false unless told otherwise. */
  readonly posix?: (() => boolean) | undefined;
  /** What bash says about the script without refusing it. */
  readonly warn?: ((message: string, position: Position) => void) | undefined;
}

function settingsOf({ aliases, extglob = true, posix = () => false, warn = () => undefined }: ParserOptions): Settings {
  return {
    aliases: typeof aliases === "function" ? aliases : () => aliases,
    extglob: typeof extglob === "function" ? extglob : () => extglob,
    posix,
    warn,
  };
}

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

  constructor(
    private readonly source: string,
    options: ParserOptions = {},
  ) {
    this.reader = new Reader(source, settingsOf(options), { line: options.line ?? 1, column: 1 });
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
}

/** The whole script. Throws SyntaxFault. */
export function parseAll(source: string, options: ParserOptions = {}): List {
  return bounded(new Reader(source, settingsOf(options), { line: options.line ?? 1, column: 1 }), parseProgram);
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
