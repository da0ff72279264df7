/** One shell process: how it starts, runs and ends. */

import { native } from "../../bridge/native";
import { ClosedErrors } from "../../vfs/closed";
import type { Context } from "../../vfs/context";
import { fork as forkContext } from "../../vfs/context";
import { assignVariable, type Item } from "../expand/assign";
import type { Scope } from "../expand/scope";
import { then, type Maybe } from "../io/maybe";
import { Reader } from "../io/reader";
import { Killed, SIGNALS } from "../io/signals";
import { Writer } from "../io/writer";
import type { ArrayLiteral, Command, CommandSubstitution, ProcessSubstitution } from "../syntax/ast";
import type { Code } from "./code";
import { importFunctions } from "./exported_functions";
import { PAUSED } from "./compound";
import { Break, Continue, Exit, Return } from "./control";
import { exceeded, ShellError } from "./errors";
import { Jobs } from "./jobs";
import type { Session } from "./session";
import { DYNAMICS, specialParameter } from "./special";
import { processSubstitution, substitute } from "./substitution";
import { runSource } from "./program";
import { Signals } from "./signals";
import { HEARD_INSIDE, State } from "./state";
import type { Variable } from "./variable";
import { Variables } from "./variables";
import { leadsTo } from "./places";

/** Calls that may nest on the engine's stack before the next one starts on a fresh one. */
const STACKED = 40;
/** Depth up to which calls are not counted: the engine's stack cannot be at its end there. */
export const NESTED_FREE = 10;
/** Calls that may nest at all. */
const NESTED_MOST = 10_000;

/** Pauses of a loop until others get their turn. */
const PAUSES = 16;

/** `items`: its words, where they were expanded to be shown. */
export interface Declared {
  readonly name: string;
  readonly append: boolean;
  readonly value: ArrayLiteral;
  readonly items: readonly Item[] | undefined;
}

/** What functions come from that are defined in no file, by how the shell was started. */
const ORIGINS: Readonly<Record<string, string>> = { c: "environment", s: "main" };
const NO_LIMITS: ReadonlyMap<string, string> = new Map();

export class Shell extends State implements Scope {
  /** What `ulimit` set, also for processes that are shells of their own: see builtins/ulimit.ts. */
  limits: ReadonlyMap<string, string>;
  /** Whether something must be looked at before a command: a signal, a DEBUG trap, or `set -n`. */
  attention = false;
  readonly variables: Variables;
  readonly pid: number;
  /** How often `set` gave new parameters. */
  parametersSet = 0;
  status = 0;
  /** One number where one command ran. */
  pipeStatus: number | readonly number[] = 0;
  line = 1;
  /** What runs now; while a trap runs, `trapped` is what it was when the trap began. */
  running: Command | undefined;
  trapped: Command | undefined;
  /** What the DEBUG trap saw before this process was made for it. */
  seen: Command | undefined;
  /** Calls that there were when the process was made for one simple command: that it failed is for its parent to notice. */
  alone = -1;
  /** More than zero where a failure is a condition. */
  guards = 0;
  loops = 0;
  lastArgument = "";
  lastBackground: number | undefined;
  /** Status of the last command substitution of the running command. */
  substituted: number | undefined;
  /** What was piped or redirected to the running command itself, as opposed to what it inherits. */
  ownInput: Reader["file"] | undefined;
  /** Descriptors of process substitutions, closed when the command that uses them ends. */
  borrowed: number[] | undefined;
  /** Arrays that a declaration builtin is about to be given, in the order of its arguments. */
  declared: Declared[] | undefined;
  /** State of RANDOM after it was assigned to. */
  seed: number | undefined;
  /** FUNCNEST. */
  nestedMost: string | undefined;
  /** The moment that SECONDS counts from. */
  secondsZero: number;
  /** $$ of the shell that the run is, $BASHPID is `pid`. */
  readonly rootPid: number;
  level = 0;
  /** Variables that assignments before the running command hide, to be put back. */
  temporary: [name: string, hidden: Variable | undefined][] | undefined;
  /** How deep `set -x` shows commands to be: in command substitutions and eval. */
  traceDepth = 0;
  depth = 0;
  evaluating = 0;
  /** Loop turns since the last pause. */
  ticks = 0;
  private pauses = 0;
  signals: Signals;
  private ownJobs: Jobs | undefined;
  /** While a trap runs. */
  trapping = false;
  private over = false;
  /** Whether only `exit` ends it: a session's shell. */
  goesOn = false;
  /** In the EXIT trap: the status without it. */
  leavingWith: number | undefined;
  /** While its EXIT trap runs elsewhere. */
  private ending: Maybe<number> | undefined;

  constructor(
    readonly session: Session,
    readonly context: Context,
    public name: string,
    readonly parent?: Shell,
    inherit?: Shell,
  ) {
    super(inherit);
    this.limits = parent?.limits ?? NO_LIMITS;
    this.secondsZero = inherit?.secondsZero ?? session.started;
    const me = new WeakRef<Shell>(this);
    this.signals = new Signals(me);
    this.variables = inherit ? inherit.variables.fork(me) : new Variables(me, DYNAMICS);
    this.pid = session.register(this);
    this.rootPid = inherit?.rootPid ?? this.pid;
    this.depth = parent ? parent.depth + 1 : 0;
    if (parent) parent.signals.adopt(this);
  }

  get jobs(): Jobs {
    return (this.ownJobs ??= new Jobs());
  }

  /** `( )` knows nothing of the jobs around it; in pipelines and substitutions `jobs` lists them. */
  forgetJobs(): void {
    this.ownJobs = undefined;
  }

  look(): void {
    this.attention = this.signals.waiting || this.traps.has("DEBUG") || this.options.has("noexec");
  }

  // --- processes -------------------------------------------------------------------------

  /** A child with a copy of all state, as `( )` makes. */
  fork(): Shell {
    this.session.demandRoom();
    const child = new Shell(this.session, forkContext(this.context), this.name, this, this);
    child.status = this.status;
    child.line = this.line;
    child.guards = this.guards;
    child.lastArgument = this.lastArgument;
    child.lastBackground = this.lastBackground;
    child.level = this.level + 1;
    child.nestedMost = this.nestedMost;
    child.traceDepth = this.traceDepth;
    if (this.traps.size > 0 || this.shownTraps) this.bequeath(child);
    if (this.ownJobs) child.ownJobs = new Jobs(this.ownJobs.shown);
    return child;
  }

  /** Ignored signals stay ignored in a child; its other traps are for `trap` to list. */
  private bequeath(child: Shell): void {
    child.shownTraps = this.shownTraps ?? this.traps;
    for (const [signal, action] of this.traps) {
      const option = HEARD_INSIDE[signal];
      if (action === "" || (option !== undefined && this.options.has(option))) child.setTrap(signal, action);
    }
  }

  /** A child that is a shell of its own: it knows only the environment. */
  spawn(name: string, env: ReadonlyMap<string, string> = this.variables.exported): Shell {
    this.session.demandRoom();
    const child = new Shell(this.session, forkContext(this.context), name, this);
    child.initialise(env);
    child.variables.declare("PPID").value = String(this.around.pid);
    for (const [signal, action] of this.traps) if (action === "" && SIGNALS[signal] !== undefined) child.setTrap(signal, action);
    return child;
  }

  /** The shell that runs the command which this process is there for: a shell that it begins has that as its parent. */
  private get around(): Shell {
    let shell = this.parent ?? this;
    while (shell.signals.standsForCommand && shell.parent) shell = shell.parent;
    return shell;
  }

  /** The variables that a new shell has: bash's own, and the environment. */
  initialise(env: ReadonlyMap<string, string>): void {
    this.variables.start(env);
    this.here = this.startingPlace(env.get("PWD"));
    if (env.get("PWD") !== this.here) this.export("PWD", this.here);
    importFunctions(this, env);
  }

  /** What PWD says, if it is an absolute path to where the shell is. */
  private startingPlace(said: string | undefined): string {
    const { cwd } = this.context;
    return said !== undefined && said !== cwd && said.startsWith("/") && leadsTo(this.context, said, cwd) ? said : cwd;
  }

  background(): void {
    this.parent?.signals.disown(this);
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
      result = this.nested(code);
    } catch (error) {
      return this.end(this.caught(error));
    }
    if (typeof result === "number") return this.end(result);
    const running = result.then(
      (status) => this.end(status),
      (error: unknown) => this.end(this.caught(error)),
    );
    return new Promise((resolve, reject) => {
      this.signals.onDeath(resolve);
      running.then(resolve, reject);
    });
  }

  /** The status that an error thrown through the whole process gives it. */
  caught(error: unknown): number {
    if (error instanceof Exit || error instanceof Return || error instanceof Killed) return error.status & 255;
    if (error instanceof Break || error instanceof Continue) return 0;
    const limit = exceeded(error);
    if (limit !== undefined) {
      this.warn(limit);
      return 1;
    }
    if (!(error instanceof ShellError)) throw error;
    if (error.message !== "") this.warn(error.message);
    return error.status;
  }

  /**
   * Ends a process that a signal met while it waited. What it waits for may still come, and has to find it dead: its EXIT
   * trap runs in another.
   */
  endWhileWaiting(status: number, speaks: boolean): Maybe<number> {
    const action = this.traps.get("EXIT");
    if (!action || !speaks) return this.close(status);
    this.setTrap("EXIT", undefined);
    const speaker = this.fork();
    speaker.level = this.level;
    speaker.trapped = this.running;
    return (this.ending = then(speaker.live(() => runSource(speaker, action, { by: "exit trap" })), () => this.close(status)));
  }

  /** Ends the process: its EXIT trap runs first, unless it has run where the process was left. */
  end(status: number): Maybe<number> {
    return this.ending ?? then(this.lastWords(status), (last) => this.close(last));
  }

  /**
   * Leaves the process, asked by `exit` or by a failure. Its EXIT trap runs here, where functions, their variables and
   * redirections are still in force; but what `set -e` ends has no local variables any more, save in a subshell.
   */
  leave(status: number, isAsked: boolean): Maybe<never> {
    if (!isAsked && this.goesOn) throw new Exit(status);
    if (!isAsked && !this.parent) this.variables.locals.forget(this.variables);
    this.guards = 0;
    return then(this.lastWords(status), (last) => {
      throw new Exit(last, isAsked);
    });
  }

  /** Runs the EXIT trap, if it has not run; gives the status of the process after it. */
  private lastWords(status: number): Maybe<number> {
    this.status = status;
    const action = this.traps.get("EXIT");
    if (!action || !this.signals.allowLastWords()) return status;
    this.setTrap("EXIT", undefined);
    this.trapped = this.running;
    this.leavingWith = status;
    const over = (last: number): number => {
      this.setTrap("EXIT", undefined);
      return last;
    };
    try {
      const done = runSource(this, action, { by: "exit trap" });
      return typeof done === "number" ? over(status) : done.then(() => over(status), (error: unknown) => over(this.caught(error)));
    } catch (error) {
      return over(this.caught(error));
    }
  }

  private close(status: number): number {
    if (this.over) return status;
    this.over = true;
    this.session.release(this.pid);
    this.background();
    if (this.parent) this.context.descriptors.closeAll();
    return status;
  }

  /** Back to where no command runs, whatever ended the last one: for a shell that goes on after it. */
  rest(): void {
    this.variables.leave(1);
    this.leavingWith = undefined;
    this.guards = this.loops = this.depth = this.evaluating = this.traceDepth = this.ticks = 0;
    this.calls = [];
    this.signals = new Signals(new WeakRef<Shell>(this));
    this.trapping = false;
    this.running = this.trapped = this.borrowed = undefined;
    this.session.abandon(this);
    this.look();
  }

  /** Now and then in a loop: sees signals and the run's end, and lets others run. */
  pause(): Promise<number> | undefined {
    this.ticks = 0;
    native.host.poll();
    this.signals.ringDue();
    this.signals.check();
    const turn = (this.pauses = (this.pauses + 1) % PAUSES) === 0;
    return (turn && this.session.shared) || this.session.crowded ? this.yield().then(() => PAUSED) : undefined;
  }

  /** Comes back after all that is ready has run. */
  yield(): Promise<void> {
    return new Promise<void>((resolve) => void this.session.host.timer(0, resolve));
  }

  /** Runs code one call deeper; where the stack has grown, on a fresh one. */
  nested(code: Code): Maybe<number> {
    const depth = (this.depth += 1);
    if (depth > NESTED_FREE) this.checkNesting(depth);
    let status: Maybe<number>;
    try {
      status = depth % STACKED === 0 ? Promise.resolve().then(() => code(this)) : code(this);
    } catch (error) {
      this.depth = depth - 1;
      throw error;
    }
    if (typeof status !== "number") return status.finally(() => (this.depth -= 1));
    this.depth = depth - 1;
    return status;
  }

  private checkNesting(depth: number): void {
    if (depth <= NESTED_MOST) return;
    this.depth = depth - 1;
    throw new ShellError(`maximum function nesting level exceeded (${NESTED_MOST})`, 1, true);
  }

  /** Runs a script's text as the work of this shell. */
  runSource(source: string): Maybe<number> {
    return runSource(this, source, { main: true });
  }

  // --- streams ---------------------------------------------------------------------------

  get stdin(): Reader {
    return new Reader(this.descriptor(0));
  }

  get stdout(): Writer {
    return new Writer(this.descriptor(1));
  }

  get stderr(): Writer {
    const { descriptors } = this.context;
    return new Writer(descriptors.has(2) ? descriptors.get(2) : new ClosedErrors());
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

  override setOption(name: string, on: boolean): void {
    const changes = this.options.has(name) !== on;
    super.setOption(name, on);
    if (name !== "posix" || !changes) return;
    if (on) this.variables.set("POSIXLY_CORRECT", "y");
    else this.variables.unset("POSIXLY_CORRECT");
  }

  /** The file that a function comes from which is defined now. */
  get origin(): string {
    return this.calls[this.calls.length - 1]?.source ?? ORIGINS[this.source] ?? this.name;
  }

  /** `script: line N: message` on stderr; `by`: who found what is wrong, where that comes before the line. */
  warn(message: string, by?: string): void {
    this.say(`${this.sourceName}: ${by === undefined ? "" : `${by}: `}line ${this.line}: ${message}`);
  }

  report(message: string): void {
    this.warn(message);
    if (this.options.has("errexit") && (this.guards === 0 || this.traceDepth === 0)) throw new Exit(1);
  }

  /** A line on stderr. */
  say(line: string): void {
    void this.stderr.write(`${line}\n`);
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
    if (this.exporting || !this.variables.assign(name, value)) return assignVariable(this, name, undefined, value, false);
  }
}
