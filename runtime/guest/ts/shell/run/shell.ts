/** One shell process: its state, and how it starts, runs and ends. */

import type { Context } from "../../vfs/context";
import { fork as forkContext } from "../../vfs/context";
import { assignVariable } from "../expand/assign";
import type { Scope } from "../expand/scope";
import { then, type Maybe } from "../io/maybe";
import { Reader } from "../io/reader";
import { Killed } from "../io/signals";
import { Writer } from "../io/writer";
import type { ArrayLiteral, Command, CommandSubstitution, ProcessSubstitution } from "../syntax/ast";
import type { Code } from "./code";
import { PAUSED } from "./compound";
import { IndexedArray } from "./arrays";
import { Break, Continue, Exit, Return } from "./control";
import { ShellError } from "./errors";
import { Jobs } from "./jobs";
import type { Session } from "./session";
import { defineDynamics, specialParameter } from "./special";
import { processSubstitution, substitute } from "./substitution";
import { runSource } from "./program";
import { signalName } from "./traps";
import { Variables } from "./variables";

export interface ShellFunction {
  readonly body: Command;
  readonly code: Code;
  readonly line: number;
  readonly source?: string;
}

/** A function, sourced file or the script itself that is running. */
export interface Call {
  readonly name: string;
  /** Where it was called. */
  readonly line: number;
  readonly source: string;
}

/** Loop turns between two looks at whatever else could run. */
const TURNS = 1024;
/** Calls that may nest on the engine's stack before the next one starts on a fresh one. */
const STACKED = 40;
/** Calls that may nest at all. */
const NESTED_MOST = 10_000;

/** What bash sets that is no part of the environment. */
const OWN: Readonly<Record<string, string>> = {
  BASH: "/bin/bash",
  BASH_VERSION: "5.2.15(1)-release",
  HOSTNAME: "sandbox",
  HOSTTYPE: "wasm32",
  IFS: " \t\n",
  MACHTYPE: "wasm32-amla-linux-gnu",
  OPTERR: "1",
  OPTIND: "1",
  OSTYPE: "linux-gnu",
  PS4: "+ ",
};
const READONLY: Readonly<Record<string, string | readonly string[]>> = {
  BASH_VERSINFO: ["5", "2", "15", "1", "release", "wasm32-amla-linux-gnu"],
  EUID: "1000",
  PPID: "1",
  UID: "1000",
};

/** Options that a shell starts with. */
const DEFAULT_OPTIONS = [
  "braceexpand", "hashall", "interactive-comments", "cmdhist", "complete_fullquote", "extquote", "force_fignore",
  "globasciiranges", "globskipdots", "hostcomplete", "interactive_comments", "patsub_replacement", "progcomp",
  "promptvars", "sourcepath",
];

export class Shell implements Scope {
  readonly options: Set<string>;
  readonly functions: Map<string, ShellFunction>;
  /** Functions that `readonly -f` protects. */
  readonly fixedFunctions = new Set<string>();
  readonly aliases: Map<string, string>;
  /** By canonical name; the empty string ignores the signal. */
  readonly traps = new Map<string, string>();
  /** The parent's traps, which `trap` lists until the child sets its own. */
  shownTraps: ReadonlyMap<string, string> | undefined;
  readonly jobs = new Jobs();
  readonly pid: number;
  positional: readonly string[] = [];
  status = 0;
  pipeStatus: readonly number[] = [0];
  line = 1;
  /** More than zero where a failure is a condition. */
  guards = 0;
  loops = 0;
  calls: Call[] = [];
  lastArgument = "";
  /** Where in a word of bundled letters `getopts` stopped; a function has its own. */
  optionPlace: { readonly index: number; readonly at: number } = { index: 1, at: 1 };
  lastBackground: number | undefined;
  /** Status of the last command substitution of the running command. */
  substituted: number | undefined;
  /** What was piped or redirected to the running command itself, as opposed to what it inherits. */
  ownInput: Reader["file"] | undefined;
  /** Descriptors of process substitutions, closed when the command that uses them ends. */
  borrowed: number[] = [];
  /** Arrays that a declaration builtin is about to be given, in the order of its arguments. */
  readonly declared: { name: string; append: boolean; value: ArrayLiteral }[] = [];
  /** Builtins that `enable -n` switched off. */
  readonly disabled = new Set<string>();
  /** $$ of the shell that the run is, $BASHPID is `pid`. */
  readonly rootPid: number;
  level = 0;
  depth = 0;
  background_ = false;
  private ticks = 0;
  private signal: number | undefined;
  private readonly interrupts = new Set<() => void>();
  private readonly children = new Set<Shell>();
  private die: ((status: number) => void) | undefined;
  private readonly pendingTraps: string[] = [];
  private trapping = false;
  private over = false;

  constructor(
    readonly session: Session,
    readonly context: Context,
    readonly variables: Variables,
    public name: string,
    readonly parent?: Shell,
    inherit?: Shell,
  ) {
    this.options = new Set(inherit?.options ?? DEFAULT_OPTIONS);
    this.functions = new Map(inherit?.functions);
    this.aliases = new Map(inherit?.aliases);
    this.pid = session.register(this);
    this.rootPid = inherit?.rootPid ?? this.pid;
    this.depth = parent ? parent.depth + 1 : 0;
    parent?.children.add(this);
    defineDynamics(this);
  }

  // --- processes -------------------------------------------------------------------------

  /** A child with a copy of all state, as `( )` makes. */
  fork(): Shell {
    const child = new Shell(this.session, forkContext(this.context), this.variables.fork(), this.name, this, this);
    child.positional = this.positional;
    child.status = this.status;
    child.line = this.line;
    child.guards = this.guards;
    child.calls = [...this.calls];
    child.lastArgument = this.lastArgument;
    child.lastBackground = this.lastBackground;
    child.level = this.level + 1;
    child.shownTraps = this.shownTraps ?? new Map(this.traps);
    for (const [signal, action] of this.traps) {
      if (action === "" || (this.options.has("errtrace") && signal === "ERR")) child.traps.set(signal, action);
    }
    return child;
  }

  /** A child that is a shell of its own: it knows only the environment. */
  spawn(name: string, env: ReadonlyMap<string, string> = this.variables.exported): Shell {
    const child = new Shell(this.session, forkContext(this.context), new Variables(), name, this);
    child.initialise(env);
    return child;
  }

  /** The variables that a new shell has: bash's own, and the environment. */
  initialise(env: ReadonlyMap<string, string>): void {
    for (const [key, value] of Object.entries(OWN)) this.variables.set(key, value);
    for (const [key, value] of Object.entries(READONLY)) {
      this.variables.declare(key).value = typeof value === "string" ? value : new IndexedArray(value);
      this.variables.declare(key).readonly = true;
    }
    for (const [key, value] of env) if (!(key in READONLY)) this.export(key, value);
    if (!env.has("PATH")) this.variables.set("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    if (this.variables.get("PWD") !== this.context.cwd) this.export("PWD", this.context.cwd);
  }

  background(): void {
    this.background_ = true;
    this.parent?.children.delete(this);
  }

  export(name: string, value: string): void {
    const variable = this.variables.declare(name);
    variable.value = value;
    variable.exported = true;
    this.variables.changed();
  }

  /** Runs code as the whole life of this process; its exit status. */
  live(code: Code): Maybe<number> {
    let result: Maybe<number>;
    try {
      result = this.nested(() => code(this));
    } catch (error) {
      return this.end(this.caught(error));
    }
    if (typeof result === "number") return this.end(result);
    const running = result.then(
      (status) => this.end(status),
      (error: unknown) => this.end(this.caught(error)),
    );
    return new Promise((resolve, reject) => {
      this.die = resolve;
      running.then(resolve, reject);
    });
  }

  /** The status that an error thrown through the whole process gives it. */
  caught(error: unknown): number {
    if (error instanceof Exit || error instanceof Return || error instanceof Killed) return error.status & 255;
    if (error instanceof Break || error instanceof Continue) return 0;
    if (!(error instanceof ShellError)) throw error;
    if (error.message !== "") this.warn(error.message);
    return error.status;
  }

  private end(status: number): Maybe<number> {
    this.status = status;
    const action = this.traps.get("EXIT");
    if (action) {
      this.traps.delete("EXIT");
      let done: Maybe<number>;
      try {
        done = then(runSource(this, action), () => this.status);
      } catch (error) {
        return this.close(this.caught(error));
      }
      if (typeof done === "number") return this.close(status);
      return done.then(
        () => this.close(status),
        (error: unknown) => this.close(this.caught(error)),
      );
    }
    return this.close(status);
  }

  private close(status: number): number {
    if (this.over) return status;
    this.over = true;
    this.session.release(this.pid);
    this.parent?.children.delete(this);
    if (this.parent) this.context.descriptors.closeAll();
    return status;
  }

  /** Delivers a signal: to its trap, or as the end of the process and of those it waits for. */
  kill(signal: number): void {
    const name = signalName(String(signal)) ?? "";
    const action = signal === 9 ? undefined : this.traps.get(name);
    if (action === "") return;
    if (action !== undefined) this.pendingTraps.push(action);
    else if (["CHLD", "CONT", "WINCH", "URG"].includes(name)) return;
    else {
      this.signal = signal;
      for (const child of [...this.children]) child.kill(signal);
    }
    for (const interrupt of [...this.interrupts]) interrupt();
    if (this.signal !== undefined && this.die) {
      const status = 128 + signal;
      const { die } = this;
      this.die = undefined;
      void then(this.end(status), () => die(status));
    }
  }

  /** Whether something waits at the next command's beginning. */
  get interrupted(): boolean {
    return this.signal !== undefined || this.pendingTraps.length > 0;
  }

  /** Dies of a signal, or runs the traps of those that came. */
  deliver(): Maybe<void> {
    if (this.signal !== undefined) throw new Killed(this.signal);
    const action = this.pendingTraps.shift();
    if (action === undefined) return;
    const { status } = this;
    return then(runSource(this, action), () => {
      this.status = status;
      return this.deliver();
    });
  }

  /** Calls `interrupt` when a signal comes, until the function returned is called. */
  onSignal(interrupt: () => void): () => void {
    this.interrupts.add(interrupt);
    return () => this.interrupts.delete(interrupt);
  }

  sleep(ms: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const stop = this.session.host.timer(ms, () => finish());
      const forget = this.onSignal(() => finish());
      const finish = (): void => {
        stop();
        forget();
        resolve();
      };
    }).then(() => {
      if (this.signal !== undefined) throw new Killed(this.signal);
    });
  }

  /** Now and then in a loop: lets others run, and sees signals. */
  pause(): Promise<number> | undefined {
    this.ticks += 1;
    if (this.ticks % TURNS !== 0 && this.signal === undefined) return undefined;
    if (this.signal !== undefined) throw new Killed(this.signal);
    if (!this.session.shared) return undefined;
    return this.yield().then(() => PAUSED);
  }

  /** Comes back after all that is ready has run. */
  yield(): Promise<void> {
    return new Promise<void>((resolve) => void this.session.host.timer(0, resolve));
  }

  /** Runs work one call deeper; when the stack has grown, on a fresh one. */
  nested<T>(work: () => Maybe<T>): Maybe<T> {
    this.depth += 1;
    if (this.depth > this.nestingMost) {
      this.depth -= 1;
      throw new ShellError(`maximum function nesting level exceeded (${this.nestingMost})`, 1, true);
    }
    let result: Maybe<T>;
    try {
      result = this.depth % STACKED === 0 ? Promise.resolve().then(work) : work();
    } catch (error) {
      this.depth -= 1;
      throw error;
    }
    if (result instanceof Promise) return result.finally(() => (this.depth -= 1));
    this.depth -= 1;
    return result;
  }

  private get nestingMost(): number {
    const limit = Number(this.variables.get("FUNCNEST"));
    return limit > 0 ? Math.min(limit, NESTED_MOST) : NESTED_MOST;
  }

  /** Runs a command's work; a signal that comes meanwhile is seen when it waits. */
  killable(work: () => Maybe<number>): Maybe<number> {
    if (this.interrupted) return then(this.deliver(), work);
    return work();
  }

  /** Runs a script's text as the work of this shell. */
  runSource(source: string): Maybe<number> {
    return runSource(this, source);
  }

  /** Whether something must be looked at before a command. */
  get attention(): boolean {
    return this.signal !== undefined || this.pendingTraps.length > 0 || this.traps.has("DEBUG");
  }

  // --- streams ---------------------------------------------------------------------------

  get stdin(): Reader {
    return new Reader(this.descriptor(0));
  }

  get stdout(): Writer {
    return new Writer(this.descriptor(1));
  }

  get stderr(): Writer {
    return new Writer(this.descriptor(2));
  }

  descriptor(number: number): Reader["file"] {
    const { descriptors } = this.context;
    if (!descriptors.has(number)) throw new ShellError(`${number}: Bad file descriptor`);
    return descriptors.get(number);
  }

  /** The file whose commands run now. */
  get sourceName(): string {
    return this.calls[this.calls.length - 1]?.source ?? this.name;
  }

  /** `script: line N: message` on stderr. */
  warn(message: string): void {
    if (!this.context.descriptors.has(2)) return;
    void this.stderr.write(`${this.sourceName}: line ${this.line}: ${message}\n`);
  }

  // --- results ---------------------------------------------------------------------------

  succeeded(): number {
    this.pipeStatus = ZERO;
    return (this.status = 0);
  }

  /** Takes note of a command's failure; ends the shell under `set -e`. */
  failed(status: number): number {
    this.status = status;
    this.pipeStatus = [status];
    if (this.guards === 0 && (this.options.has("errexit") || this.traps.has("ERR"))) return this.errexit(status);
    return status;
  }

  concluded(status: number): Maybe<number> {
    this.status = status;
    if (status === 0 || this.guards > 0) return status;
    if (!this.options.has("errexit") && !this.traps.has("ERR")) return status;
    return this.trapError(status);
  }

  /** A failure where no trap can wait: in tests. */
  private errexit(status: number): number {
    const result = this.trapError(status);
    return typeof result === "number" ? result : status;
  }

  private trapError(status: number): Maybe<number> {
    const action = this.traps.get("ERR");
    const heard = action && !this.trapping && (this.calls.length === 0 || this.options.has("errtrace") || !this.inFunction);
    return then(heard ? this.runTrap(action) : undefined, () => {
      this.status = status;
      if (this.options.has("errexit")) throw new Exit(status);
      return status;
    });
  }

  private get inFunction(): boolean {
    return this.variables.insideFunction;
  }

  /** Runs a trap's commands; `$?` is as before, inside and after. */
  runTrap(action: string): Maybe<void> {
    if (this.trapping) return;
    const { status, line } = this;
    this.trapping = true;
    const restore = (): void => {
      this.trapping = false;
      this.status = status;
      this.line = line;
    };
    try {
      const done = runSource(this, action, { line });
      if (typeof done !== "number") return done.then(restore, (error: unknown) => {
        restore();
        throw error;
      });
      restore();
    } catch (error) {
      restore();
      throw error;
    }
  }

  trace(text: () => string): void {
    if (this.options.has("xtrace")) void this.stderr.write(`${this.variables.get("PS4") ?? "+ "}${text()}\n`);
  }

  // --- scope for expansions ----------------------------------------------------------------

  special(name: string): string | undefined {
    return specialParameter(this, name);
  }

  substitute(part: CommandSubstitution): Maybe<string> {
    return substitute(this, part);
  }

  processSubstitution(part: ProcessSubstitution): Maybe<string> {
    return processSubstitution(this, part);
  }

  // --- names -------------------------------------------------------------------------------

  assign(name: string, value: string): Maybe<void> {
    const variable = this.variables.own(name);
    if (variable === undefined || !variable.special) return this.variables.set(name, value);
    return assignVariable(this, name, undefined, value, false);
  }

  defineFunction(name: string, definition: ShellFunction): void {
    if (this.fixedFunctions.has(name)) throw new ShellError(`${name}: readonly function`);
    this.functions.set(name, definition);
  }

  coprocess(_name: string, _code: Code, _body: Command, _line: number): Maybe<number> {
    throw new ShellError("coproc: not supported in this sandbox: use a background job and a named file, or a pipe", 2, true);
  }
}

const ZERO: readonly number[] = [0];
