/** One shell process: all that it knows and holds while it runs. How it begins is in birth.ts, how it ends in life.ts. */

import { ClosedErrors } from "../../vfs/closed";
import { type Context, fork as forkContext } from "../../vfs/context";
import { assignVariable, type Item } from "../expand/assign";
import type { Scope } from "../expand/scope";
import type { Maybe } from "../io/maybe";
import { Reader } from "../io/reader";
import { Writer } from "../io/writer";
import type { ArrayLiteral, Command, CommandSubstitution, ProcessSubstitution } from "../syntax/ast";
import { Exit } from "./control";
import { ShellError, VariableFault } from "./errors";
import { Jobs } from "./jobs";
import { runSource } from "./program";
import type { Session } from "./session";
import { Signals } from "./signals";
import { DYNAMICS, specialParameter } from "./special";
import { HEARD_INSIDE, State } from "./state";
import { processSubstitution, substitute } from "./substitution";
import type { Variable } from "./variable";
import { Variables } from "./variables";

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
  /** Where also what is reported is a condition: text that is evaluated as one, and what `command` runs. */
  excused = false;
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
  /** Pauses since others had their turn. */
  pauses = 0;
  signals: Signals;
  private ownJobs: Jobs | undefined;
  /** While a trap runs. */
  trapping = false;
  private over = false;
  /** Whether only `exit` ends it: a session's shell. */
  goesOn = false;
  /** In the EXIT trap: the status without it. */
  leavingWith: number | undefined;
  /** In any trap but that of DEBUG: the status before it, which `return` gives a function there. */
  beforeTrap: number | undefined;
  /** While its EXIT trap runs in another process. */
  ending: Maybe<number> | undefined;

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

  /** At the end of a line of the script. */
  tidyJobs(): void {
    this.ownJobs?.tidy();
  }

  /** `( )` knows nothing of the jobs around it; in pipelines and substitutions `jobs` lists them. */
  forgetJobs(): void {
    this.ownJobs = undefined;
  }

  look(): void {
    this.attention = this.signals.waiting || this.traps.has("DEBUG") || this.options.has("noexec");
  }

  override setOption(name: string, on: boolean): void {
    const changes = this.options.has(name) !== on;
    super.setOption(name, on);
    if (name !== "posix" || !changes) return;
    if (on) this.variables.set("POSIXLY_CORRECT", "y");
    else this.variables.unset("POSIXLY_CORRECT");
  }

  // --- processes -------------------------------------------------------------------------

  /** A child with a copy of all state, as `( )` makes. */
  fork(): Shell {
    this.session.demandRoom();
    const child = new Shell(this.session, forkContext(this.context), this.name, this, this);
    child.status = this.status;
    child.line = this.line;
    child.guards = this.guards;
    child.excused = this.excused;
    child.beforeTrap = this.beforeTrap;
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

  background(): void {
    this.parent?.signals.disown(this);
  }

  /** The process is over, and holds nothing open any more. */
  close(status: number): number {
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
    this.leavingWith = this.beforeTrap = undefined;
    this.guards = this.loops = this.depth = this.evaluating = this.traceDepth = this.ticks = 0;
    this.calls = [];
    this.signals = new Signals(new WeakRef<Shell>(this));
    this.trapping = this.excused = false;
    this.running = this.trapped = this.borrowed = undefined;
    this.session.abandon(this);
    this.look();
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

  // --- messages --------------------------------------------------------------------------

  /** The file whose commands run now. */
  get sourceName(): string {
    return this.calls[this.calls.length - 1]?.source ?? this.name;
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
    if (this.endsByReport) throw new Exit(this.status || 1);
  }

  get endsByReport(): boolean {
    return this.options.has("errexit") && !this.excused;
  }

  /** Says what ended a command, or ends the shell with it. */
  tell(error: ShellError): void {
    if (error instanceof VariableFault) this.report(error.message);
    else this.warn(error.message);
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

  export(name: string, value: string): void {
    this.variables.set(name, value);
    this.variables.declare(name).exported = true;
    this.variables.changed();
  }

  assign(name: string, value: string): Maybe<void> {
    if (this.exporting || !this.variables.assign(name, value)) return assignVariable(this, name, undefined, value, false);
  }
}
