/** Background jobs. */

import { then, type Maybe } from "../io/maybe";
import type { AndOr, Command } from "../syntax/ast";
import { unparseAndOr } from "../syntax/unparse";
import { beforeTurn } from "./attention";
import type { Code } from "./code";
import { live } from "./life";
import type { Shell } from "./shell";

export interface Job {
  readonly number: number;
  readonly pid: number;
  readonly text: string;
  readonly process: Shell;
  readonly ended: Promise<number>;
  status: number | undefined;
  /** Whether `wait` or `jobs` told of its end. */
  told: boolean;
}

function isOld(job: Job): boolean {
  return job.told || (job.status !== undefined && job.process.signals.killed);
}

function jobFor(process: Shell, number: number, text: string, ended: Promise<number>): Job {
  const job: Job = { number, pid: process.pid, text, process, ended, status: undefined, told: false };
  void ended.then((status) => (job.status = status));
  return job;
}

export class Jobs {
  readonly list: Job[] = [];
  /** The last process substitution: no job that is listed, but one that can be waited for. */
  substitution: Job | undefined;

  /** Those of the parent, which a subshell lists until it has its own. */
  constructor(private readonly inherited: readonly Job[] = []) {}

  /** Statuses of processes that were told of, by pid: `wait` may ask again. */
  private readonly past = new Map<number, number>();

  add(process: Shell, text: string, ended: Promise<number>): Job {
    this.tidy();
    const job = jobFor(process, (this.list[this.list.length - 1]?.number ?? 0) + 1, text, ended);
    this.list.push(job);
    return job;
  }

  substitute(process: Shell, ended: Promise<number>): void {
    this.substitution = jobFor(process, 0, "", ended);
  }

  get running(): Job[] {
    const { substitution } = this;
    return (substitution ? [...this.list, substitution] : this.list).filter((job) => job.status === undefined);
  }

  byPid(pid: number): Job | undefined {
    return this.substitution?.pid === pid ? this.substitution : this.list.find((job) => job.pid === pid);
  }

  /** `%1`, `%+`, `%-`, `%name`, `%?text`. */
  find(spec: string): Job | undefined {
    const body = spec.slice(1);
    if (/^\d+$/.test(body)) return this.list.find((job) => job.number === Number(body));
    if (body === "" || body === "+" || body === "%") return this.list[this.list.length - 1];
    if (body === "-") return this.list[this.list.length - 2] ?? this.list[this.list.length - 1];
    if (body.startsWith("?")) return this.list.find((job) => job.text.includes(body.slice(1)));
    return this.list.find((job) => job.text.startsWith(body));
  }

  /** Those that `jobs` lists: a job that was waited for, or that a signal ended, is no news. */
  get shown(): Job[] {
    return (this.list.length > 0 ? this.list : this.inherited).filter((job) => !isOld(job));
  }

  /** The status of a process that was told of and is a job no more. */
  statusOf(pid: number): number | undefined {
    return this.past.get(pid);
  }

  /** A job that was told of stays in the list until the next one is waited for or started, or the script's line is over. */
  tell(job: Job): void {
    this.tidy();
    job.told = true;
  }

  /** All have ended: those that were not told of before are kept a while, if nobody had to wait for them. */
  tellAll(hadToWait: boolean): void {
    this.tidy();
    for (const job of this.list) job.told = true;
    if (hadToWait) this.tidy();
    this.past.clear();
  }

  /** Those that were told of are jobs no more. */
  tidy(): void {
    for (const job of this.list.filter(isOld)) this.forget(job);
  }

  forget(job: Job): void {
    if (job.status !== undefined) this.past.set(job.pid, job.status);
    const at = this.list.indexOf(job);
    if (at >= 0) this.list.splice(at, 1);
  }
}

/** Starts the command as a process of its own; it first runs when its parent waits or ends. */
export function startJob(shell: Shell, code: Code, command: AndOr): Maybe<number> {
  const simple = simpleOf(command);
  return then(simple && beforeTurn(shell, simple), () => {
    const child = shell.fork();
    if (simple) {
      child.signals.standForCommand();
      child.alone = child.calls.length;
    }
    if (shell.attention) child.seen = simple;
    detach(shell, child, code, unparseAndOr(command));
    return 0;
  });
}

/** Lets a child go on by itself, as a job. */
export function detach(shell: Shell, child: Shell, code: Code, text: string): void {
  child.background();
  const ended = Promise.resolve().then(() => live(child, () => child.signals.killable(() => code(child))));
  shell.lastBackground = shell.jobs.add(child, text, ended).pid;
  shell.session.hold(ended);
}

/** The simple command that is all there is. */
function simpleOf({ first, rest }: AndOr): Command | undefined {
  const [command] = first.commands;
  return rest.length === 0 && first.commands.length === 1 && command!.kind === "simple" ? command : undefined;
}
