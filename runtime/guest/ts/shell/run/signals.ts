/** Signals to one shell process, and the processes that it waits for. */

import { native } from "../../bridge/native";
import { finally_, then, type Maybe } from "../io/maybe";
import { Killed } from "../io/signals";
import { die, endWhileWaiting } from "./life";
import { runSource } from "./program";
import type { Shell } from "./shell";
import { signalName } from "./traps";

const KILL = 9;
const TERM = 15;
/** Those that end nobody who has no trap for them. */
const HARMLESS: ReadonlySet<string> = new Set(["CHLD", "CONT", "WINCH", "URG"]);

/** A signal that is to come at a moment. */
interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

export class Signals {
  /** What the process dies of. */
  private deadly: number | undefined;
  private pending: { readonly signal: number; readonly action: string }[] | undefined;
  private interrupts: Set<() => void> | undefined;
  private children: Set<Shell> | undefined;
  private alarms: Set<Alarm> | undefined;
  private die: ((status: number) => void) | undefined;
  /** Whether only the EXIT trap is left to run. */
  private dying = false;
  /** Calls that there were when the process began to stand for a command. */
  private standing = -1;

  /** Held weakly, so that a process that has ended goes without the collector. */
  constructor(private readonly holder: WeakRef<Shell>) {}

  private get shell(): Shell {
    return this.holder.deref()!;
  }

  adopt(child: Shell): void {
    (this.children ??= new Set()).add(child);
  }

  disown(child: Shell): void {
    this.children?.delete(child);
  }

  /** From now on the process is the one command that it runs, as after exec: signals are for that command. */
  standForCommand(): void {
    this.standing = this.shell.calls.length;
  }

  get standsForCommand(): boolean {
    return this.standing >= 0;
  }

  /** `die` is called with the status when a signal ends the process while it waits. */
  onDeath(die: (status: number) => void): void {
    this.die = die;
  }

  /** Calls `interrupt` when a signal comes, until the function returned is called. */
  onSignal(interrupt: () => void): () => void {
    const interrupts = (this.interrupts ??= new Set());
    interrupts.add(interrupt);
    return () => interrupts.delete(interrupt);
  }

  /** From now on the process runs its EXIT trap, of whatever it died. False where there is no time for that. */
  allowLastWords(): boolean {
    this.dying = true;
    this.shell.look();
    return this.deadly !== KILL;
  }

  /** Whether a signal ended the process. */
  get killed(): boolean {
    return this.deadly !== undefined;
  }

  /** Whether something waits at the next command's beginning. */
  get waiting(): boolean {
    return (this.killed && !this.dying) || (this.pending?.length ?? 0) > 0;
  }

  /** The signal that is delivered next. */
  get next(): number {
    return this.deadly ?? this.pending?.[0]?.signal ?? 0;
  }

  /** Throws where the process is to die. */
  check(): void {
    if (this.deadly !== undefined && !this.dying) throw new Killed(this.deadly);
  }

  /** Sends a signal: to its trap, or as the end of the process and of those it waits for. */
  send(signal: number): void {
    const { shell, children } = this;
    if (this.standing === shell.calls.length && children !== undefined && children.size > 0) return this.toChildren(signal);
    const name = signalName(String(signal)) ?? "";
    const action = signal === KILL ? undefined : shell.traps.get(name);
    if (action === "" || (action === undefined && HARMLESS.has(name))) return;
    if (action !== undefined) (this.pending ??= []).push({ signal, action });
    else {
      this.deadly = signal;
      this.toChildren(signal);
    }
    shell.look();
    for (const interrupt of [...(this.interrupts ?? [])]) interrupt();
    if (this.killed && this.die) this.endBy(signal, this.die);
  }

  /** Sends a signal after so many milliseconds, unless the function returned is called. */
  alarm(ms: number, signal: number): () => void {
    const alarms = (this.alarms ??= new Set());
    const ring = (): void => {
      stop();
      this.send(signal);
    };
    const alarm = { at: native.clock.monotonic() + ms, ring };
    const forget = this.shell.session.host.timer(ms, ring);
    const stop = (): void => {
      forget();
      alarms.delete(alarm);
    };
    alarms.add(alarm);
    return stop;
  }

  /** For a process that gives timers no turn: sends what is due to it, or to those that wait for it. */
  ringDue(): void {
    for (let shell: Shell | undefined = this.shell; shell !== undefined; shell = shell.parent) {
      for (const { at, ring } of [...(shell.signals.alarms ?? [])]) if (native.clock.monotonic() >= at) ring();
    }
  }

  private toChildren(signal: number): void {
    for (const child of [...(this.children ?? [])]) child.signals.send(signal);
  }

  private endBy(signal: number, die: (status: number) => void): void {
    const status = 128 + signal;
    this.die = undefined;
    void then(endWhileWaiting(this.shell, status, signal !== KILL), () => die(status));
  }

  /** Dies, whatever traps there are: what the process waits for will not come. */
  giveUp(): void {
    if (this.killed || !this.die) return;
    this.deadly = TERM;
    this.shell.look();
    this.endBy(TERM, this.die);
  }

  /** Dies of a signal, or runs the traps of those that came. */
  deliver(): Maybe<void> {
    if (this.deadly !== undefined && !this.dying) return die(this.shell, this.deadly);
    const pending = this.pending?.shift();
    this.shell.look();
    if (pending === undefined) return;
    const { shell } = this;
    const { status, pipeStatus, beforeTrap } = shell;
    shell.beforeTrap = status;
    const run = finally_(() => runSource(shell, pending.action, { by: "trap" }), () => (shell.beforeTrap = beforeTrap));
    return then(run, () => {
      Object.assign(shell, { status, pipeStatus });
      return this.deliver();
    });
  }

  /** Runs a command's work; a signal that came is seen first. */
  killable(work: () => Maybe<number>): Maybe<number> {
    return this.shell.attention && this.waiting ? then(this.deliver(), work) : work();
  }

  sleep(ms: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const stop = this.shell.session.host.timer(ms, () => finish());
      const forget = this.onSignal(() => finish());
      const finish = (): void => {
        stop();
        forget();
        resolve();
      };
    }).then(() => this.check());
  }
}
