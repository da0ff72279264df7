import { native } from "../bridge/native";
import type { Maybe } from "../shell/io/maybe";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { describeErrno } from "../shell/io/errors";
import { Machine, Quit, RuntimeFault, type Statement, TOO_DEEP } from "./bc_machine";
import { ProgramParser } from "./bc_program";
import { Incomplete, SyntaxFault, type Token, tokensOf } from "./bc_tokens";
import { command, Failure } from "./command";
import { close, openReader } from "./files";

const LIBRARY_SCALE = 20;

/** Runs the lines of one file as they come. */
class Interpreter {
  private text = "";
  private first = 1;
  private line = 1;

  constructor(
    private readonly process: Process,
    private readonly machine: Machine,
    private readonly library: boolean,
    private readonly file: string,
  ) {}

  /** Takes a line with its end; what is complete is run. */
  take(line: string): Maybe<void> {
    this.text += line;
    this.line += 1;
    if (!/\\\n$/.test(this.text)) return this.run(false);
  }

  /** No more lines come. */
  end(): Maybe<void> {
    if (this.text.trim() !== "") return this.run(true);
  }

  private run(last: boolean): Maybe<void> {
    let tokens: Token[];
    try {
      tokens = tokensOf(this.text, this.first);
    } catch (error) {
      if (error instanceof Incomplete && !last) return;
      this.refuse(error);
      return;
    }
    if (!last && isOpen(tokens)) return;
    return this.statements(new ProgramParser(tokens, this.library), last);
  }

  private statements(parser: ProgramParser, last: boolean): Maybe<void> {
    try {
      for (let statement = parser.next(); statement; statement = parser.next()) {
        this.clear();
        const done = this.guarded(statement);
        if (done instanceof Promise) return done.then(() => this.statements(parser, last));
      }
      this.clear();
    } catch (error) {
      if (error instanceof Incomplete && !last) return;
      this.refuse(error);
    }
  }

  private clear(): void {
    this.text = "";
    this.first = this.line;
  }

  private refuse(error: unknown): void {
    if (!(error instanceof SyntaxFault) && !(error instanceof Incomplete)) throw error;
    const { line, message } = error instanceof SyntaxFault ? error : new SyntaxFault(this.line);
    this.tell(`${this.file} ${line}: ${message}`);
    this.clear();
  }

  private guarded(statement: Statement): Maybe<unknown> {
    const failed = (error: unknown): void => {
      const large = error instanceof RangeError && !isOverflow(error);
      if (!(error instanceof RuntimeFault) && !large) throw error;
      this.tell(`Runtime error (func=(main), adr=0): ${error.message}`);
    };
    try {
      const flow = statement(this.machine);
      return flow instanceof Promise ? flow.catch(failed) : flow;
    } catch (error) {
      failed(error);
    }
  }

  private tell(message: string): void {
    this.process.stderr.print(`${message}\n`);
    void this.process.stderr.flush();
  }
}

/** What the engine throws where the stack ends; it also throws RangeError for numbers that are too large. */
function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

/** Whether braces are open: then the lines that follow belong to it, and to try would be in vain. */
function isOpen(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind !== "operator") continue;
    if (text === "{") depth += 1;
    else if (text === "}") depth -= 1;
  }
  return depth > 0;
}

async function feed(process: Process, interpreter: Interpreter, reader: Reader): Promise<void> {
  for (;;) {
    const pulled = reader.lineBytes();
    // Who gives the lines may first want what those before came to.
    if (pulled instanceof Promise) await process.stdout.flush();
    const bytes = pulled instanceof Promise ? await pulled : pulled;
    if (bytes.length === 0) break;
    const text = native.text.decode(bytes);
    const done = interpreter.take(text.endsWith("\n") ? text : `${text}\n`);
    if (done instanceof Promise) await done;
    if (process.stdout.file.full) await process.stdout.flush();
  }
  await interpreter.end();
}

export const bc = command({
  name: "bc",
  usage: "[OPTION]... [FILE]...",
  about: "Calculate with numbers of any length: the programs in the FILEs, then those from standard input.",
  options: {
    help: ["-h", "as --help"],
    interactive: ["-i, --interactive", "ignored"],
    library: ["-l, --mathlib", "define e l s c a j, and set scale to 20"],
    quiet: ["-q, --quiet", "ignored"],
    standard: ["-s, --standard", "ignored"],
    warn: ["-w, --warn", "ignored"],
    expression: ["-e, --expression=EXPR", "run EXPR first"],
  },
  async run(process, options, operands) {
    const library = options.has("library");
    const machine = new Machine(process, () => {
      const line = process.stdin.line();
      return line instanceof Promise ? machine.fault("read() found no line yet") : line;
    });
    if (library) machine.scale = LIBRARY_SCALE;
    const interpreter = (file: string): Interpreter => new Interpreter(process, machine, library, file);
    try {
      for (const text of options.list("expression")) {
        const one = interpreter("(expression)");
        await one.take(`${text}\n`);
        await one.end();
      }
      for (const path of operands) {
        const reader = opened(process, path);
        await feed(process, interpreter(path), reader);
        if (reader !== process.stdin) close(reader);
      }
      await feed(process, interpreter("(standard_in)"), process.stdin);
    } catch (error) {
      if (isOverflow(error)) throw new Failure(TOO_DEEP);
      if (!(error instanceof Quit)) throw error;
    }
    return 0;
  },
});

function opened(process: Process, path: string): Reader {
  try {
    return openReader(process, path);
  } catch (error) {
    throw new Failure(`File ${path} is unavailable: ${describeErrno(error)}`);
  }
}
