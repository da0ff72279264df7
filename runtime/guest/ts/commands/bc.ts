import { native } from "../bridge/native";
import type { Reader } from "../shell/io/reader";
import type { Process } from "../shell/process";
import { describeErrno } from "../shell/io/errors";
import { Machine, Quit, RuntimeFault, TOO_DEEP } from "./bc_machine";
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
  take(line: string): void {
    this.text += line;
    this.line += 1;
    if (!/\\\n$/.test(this.text)) this.run(false);
  }

  /** No more lines come. */
  end(): void {
    if (this.text.trim() !== "") this.run(true);
  }

  private run(last: boolean): void {
    let tokens: Token[];
    try {
      tokens = tokensOf(this.text, this.first);
    } catch (error) {
      if (error instanceof Incomplete && !last) return;
      this.refuse(error);
      return;
    }
    if (!last && isOpen(tokens)) return;
    const parser = new ProgramParser(tokens, this.library);
    try {
      for (let statement = parser.next(); statement; statement = parser.next()) {
        this.clear();
        this.guarded(() => statement!(this.machine));
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
    this.tell(`${this.file} ${error instanceof SyntaxFault ? error.line : this.line}: syntax error`);
    this.clear();
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      const large = error instanceof RangeError && !isOverflow(error);
      if (!(error instanceof RuntimeFault) && !large) throw error;
      this.tell(`Runtime error (func=(main), adr=0): ${error.message}`);
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
    const bytes = pulled instanceof Promise ? await pulled : pulled;
    if (bytes.length === 0) break;
    const text = native.text.decode(bytes);
    interpreter.take(text.endsWith("\n") ? text : `${text}\n`);
    if (process.stdout.file.full || pulled instanceof Promise) await process.stdout.flush();
  }
  interpreter.end();
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
        one.take(`${text}\n`);
        one.end();
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
