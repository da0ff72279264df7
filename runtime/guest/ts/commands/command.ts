/** How a command is defined: its options, its help, and what it does. */

import { then, type Maybe } from "../shell/io/maybe";
import { describeErrno } from "../shell/io/errors";
import type { Command, Process } from "../shell/process";
import { describeOptions, Grammar, type Options, type OptionTable, UsageFault } from "./options";
import { Errno } from "../vfs/errors";

export interface Definition<T extends OptionTable> {
  readonly name: string;
  /** What follows the name, one for each form: "[OPTION]... [FILE]...". */
  readonly usage: string | readonly string[];
  /** A sentence or some. */
  readonly about: string;
  readonly options: T;
  /** The option that `-N`, digits alone, is another spelling of. */
  readonly digits?: keyof T & string;
  /** Status of a wrong command line; 1 unless told otherwise. */
  readonly failure?: number;
  /** Whether the first operand ends the options, as for commands that run commands. */
  readonly inOrder?: boolean;
  /** Rewrites obsolete forms (`head -5`) before options are read. */
  readonly rewrite?: (args: readonly string[]) => readonly string[];
  /** Returns the status. */
  readonly run: (process: Process, options: Options<T>, operands: string[]) => Maybe<number>;
}

const COMMON = { help: ["--help", "print this help"], version: ["--version", "print the version"] } as const satisfies OptionTable;

/** Ends the command: its message goes to stderr behind the command's name. */
export class Failure {
  constructor(
    readonly message: string,
    readonly status = 1,
  ) {}
}

export function command<const T extends OptionTable>(definition: Definition<T>): Command {
  let grammar: Grammar<T & typeof COMMON> | undefined;
  return (process) => {
    grammar ??= new Grammar({ ...definition.options, ...COMMON }, definition.digits);
    const work = (): Maybe<number> => then(start(process, definition, grammar!), (status) => then(process.flush(), () => status));
    return then(guarded(process, definition.failure ?? 1, work), (status) => then(process.flush(), () => status));
  };
}

/** Commands that no GNU package has. */
const OTHERS = /^(clear|column|file|flock|hd|hexdump|iconv|js|jq|less|more|rev|rg|tree|unzip|uptime|which|xxd|yq|zip)$/;

/** Scripts ask for it to tell GNU's commands from BSD's. */
export function versionOf(name: string): string {
  return `${name} (amla${OTHERS.test(name) ? "" : `, in place of GNU ${name}`})\n`;
}

function start<T extends OptionTable>(process: Process, definition: Definition<T>, grammar: Grammar<T & typeof COMMON>): Maybe<number> {
  const args = definition.rewrite?.(process.args) ?? process.args;
  const { options, operands } = grammar.parse(args, definition.inOrder);
  if (options.has("help")) return then(process.stdout.write(help(definition)), () => 0);
  if (options.has("version")) return then(process.stdout.write(versionOf(definition.name)), () => 0);
  return definition.run(process, options as unknown as Options<T>, operands);
}

/** Failures and wrong command lines become messages and a status, wherever they arise. */
function guarded(process: Process, failure: number, work: () => Maybe<number>): Maybe<number> {
  const caught = (error: unknown): number => {
    if (error instanceof Failure) {
      complain(process, error.message);
      return error.status;
    }
    if (!(error instanceof UsageFault)) {
      complain(process, describeErrno(error));
      return failure;
    }
    if (error.message.startsWith("Usage: ")) process.stderr.print(`${error.message}\n`);
    else complain(process, error.message);
    if (error.hint) process.stderr.print(`${/^(cmp|diff3?|sdiff)$/.test(process.name) ? `${process.name}: ` : ""}Try '${process.name} --help' for more information.\n`);
    return error.status ?? failure;
  };
  try {
    const result = work();
    return result instanceof Promise ? result.catch(caught) : result;
  } catch (error) {
    return caught(error);
  }
}

/** What was printed is out before a message on what came after it. */
function release({ stdout }: Process): void {
  try {
    if (!stdout.file.full) void stdout.flush();
  } catch (error) {
    if (!(error instanceof Errno)) throw error;
  }
}

/** A line on stderr that begins with the command's name. */
export function complain(process: Process, message: string): void {
  release(process);
  process.stderr.print(`${process.name}: ${message}\n`);
  void process.stderr.flush();
}

function help<T extends OptionTable>({ name, usage, about, options }: Definition<T>): string {
  const forms = typeof usage === "string" ? [usage] : usage;
  const lines = forms.map((form, index) => `${index === 0 ? "Usage:" : "  or: "} ${name} ${form}\n`).join("");
  return `${lines}${about}\n\n${describeOptions({ ...options, ...COMMON })}`;
}
