/** jobs, wait, kill, fg, bg, disown. */

import { assignReference } from "../expand/assign";
import { givenReference } from "../expand/references";
import { then, type Maybe } from "../io/maybe";
import { SIGNALS } from "../io/signals";
import { UsageFault } from "../run/errors";
import type { Job } from "../run/jobs";
import type { Shell } from "../run/shell";
import { signalName, signalNumber } from "../run/traps";
import { type Builtin, print, readOptions, refuse } from "./builtin";
import { signalList } from "./trap";

const NO_SUCH = 127;

function describe(shell: Shell, job: Job, pid: boolean): string {
  const list = shell.jobs.shown;
  const mark = job === list[list.length - 1] ? "+" : job === list[list.length - 2] ? "-" : " ";
  const state = job.status === undefined ? "Running" : job.status === 0 ? "Done" : job.status > 128 ? "Terminated" : `Exit ${job.status}`;
  const tail = job.status === undefined ? " &" : "";
  return `[${job.number}]${mark} ${pid ? `${job.pid} ` : " "}${state.padEnd(24)}${job.text}${tail}\n`;
}

export const jobs: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "lnprsx", "jobs [-lnprs] [jobspec ...] or jobs -x command [args]");
  shell.jobs.tidy();
  const wanted = operands.length > 0 ? operands.map((operand) => shell.jobs.find(operand) ?? refuse(name, `${operand}: no such job`)) : shell.jobs.shown;
  const shown = wanted.filter((job) => (options.has("r") ? job.status === undefined : options.has("s") ? false : true));
  const text = shown.map((job) => (options.has("p") ? `${job.pid}\n` : describe(shell, job, options.has("l")))).join("");
  for (const job of shown) job.told = job.status !== undefined;
  return print(shell, name, text);
};

/** The job that an operand of wait, kill, fg or disown means. */
function jobOf(shell: Shell, operand: string): Job | undefined {
  return operand.startsWith("%") ? shell.jobs.find(operand) : shell.jobs.byPid(Number(operand));
}

/** Waits for the job, or until a trapped signal comes: then the status is 128 + signal, which its trap sees too. */
function waitFor(shell: Shell, job: Job): Maybe<number> {
  return then(job.status ?? interruptible(shell, job.ended), (status) => {
    if (job.status !== undefined) shell.jobs.tell(job);
    return status;
  });
}

function interruptible(shell: Shell, ended: Promise<number>): Promise<number> {
  return new Promise((resolve, reject) => {
    const forget = shell.signals.onSignal(() => {
      forget();
      try {
        const status = 128 + shell.signals.next;
        if (!shell.signals.killed) shell.status = status;
        resolve(then(shell.signals.deliver(), () => status));
      } catch (error) {
        reject(error as Error);
      }
    });
    void ended.then((status) => {
      forget();
      resolve(status);
    });
  });
}

export const wait: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "fnp:", "wait [-fn] [-p var] [id ...]");
  const target = options.get("p");
  if (target !== undefined) clear(shell, target, name);
  const note = (job: Job, status: number): Maybe<number> =>
    then(target === undefined ? undefined : assignReference(shell, target, String(job.pid)), () => status);
  if (options.has("n")) return waitAny(shell, operands, note);
  if (operands.length === 0) return waitAll(shell);
  let status: Maybe<number> = 0;
  for (const operand of operands) {
    status = then(status, () => {
      const job = jobOf(shell, operand);
      if (job) return then(waitFor(shell, job), (ended) => note(job, ended));
      const past = shell.jobs.statusOf(Number(operand));
      if (past !== undefined) return past;
      shell.warn(operand.startsWith("%") ? `${name}: ${operand}: no such job` : `${name}: ${unknown(operand)}`);
      return /^(%|\d)/.test(operand) ? NO_SUCH : 1;
    });
  }
  return status;
};

/** The variable that `-p` names is unset where no job is found. */
function clear(shell: Shell, target: string, name: string): void {
  const reference = givenReference(shell, target) ?? refuse(name, `\`${target}': not a valid identifier`);
  if (reference.subscript !== undefined) return;
  if (shell.variables.own(target)?.readonly) refuse(name, `${target}: cannot unset: readonly variable`);
  shell.variables.unset(target);
}

function unknown(operand: string): string {
  return /^\d+$/.test(operand) ? `pid ${operand} is not a child of this shell` : `\`${operand}': not a pid or valid job spec`;
}

function waitAll(shell: Shell): Maybe<number> {
  const { jobs } = shell;
  const ended = jobs.running.map((job) => job.ended);
  const told = (): number => {
    jobs.tellAll(ended.length > 0);
    return 0;
  };
  return ended.length === 0 ? told() : interruptible(shell, Promise.all(ended).then(told));
}

function waitAny(shell: Shell, operands: readonly string[], note: (job: Job, status: number) => Maybe<number>): Maybe<number> {
  const candidates = (operands.length > 0 ? operands.flatMap((operand) => newsOf(shell, operand) ?? []) : shell.jobs.list).filter((job) => !job.told);
  if (candidates.length === 0) return NO_SUCH;
  let over = candidates.find((job) => job.status !== undefined);
  const first = over === undefined ? Promise.race(candidates.map((job) => job.ended.then(() => job))) : undefined;
  const ended = first && interruptible(shell, first.then((job) => (over = job).status!));
  return then(ended ?? over!.status!, (status) => {
    // Where a signal came, none is over.
    if (over === undefined) return status;
    shell.jobs.forget(over);
    return note(over, status);
  });
}

/** A job whose end nobody was told of. */
function newsOf(shell: Shell, operand: string): Job | undefined {
  const job = jobOf(shell, operand);
  if (job && !job.told) return job;
  shell.warn(`wait: ${operand}: no such job`);
  return undefined;
}

export const kill: Builtin = (shell, args, name) => {
  let signal = "TERM";
  let operands = [...args];
  const [first] = operands;
  if (first === "-l" || first === "-L") return listSignals(shell, operands.slice(1), name);
  if (first === "-s" || first === "-n") {
    signal = operands[1] ?? refuse(name, `${first}: option requires an argument`);
    operands = operands.slice(2);
  } else if (first !== undefined && /^-\w/.test(first)) {
    signal = first.slice(1);
    operands.shift();
  }
  if (operands[0] === "--") operands.shift();
  const known = signal === "0" ? "0" : signalName(signal);
  if (known === undefined) refuse(name, `${signal}: invalid signal specification`);
  if (operands.length === 0) throw new UsageFault(name, "kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]");
  let status = 0;
  for (const operand of operands) if (!send(shell, operand, known, name)) status = 1;
  // A trap sees the status of kill itself.
  shell.status = status;
  return shell.signals.waiting ? then(shell.signals.deliver(), () => status) : status;
};

function send(shell: Shell, operand: string, signal: string, name: string): boolean {
  const target = operand.startsWith("%") ? shell.jobs.find(operand)?.process : shell.session.processes.get(Number(operand));
  if (!target || (!operand.startsWith("%") && !/^\d+$/.test(operand))) {
    const known = /^-?\d+$/.test(operand);
    shell.warn(`${name}: ${operand.startsWith("%") ? `${operand}: no such job` : known ? `(${operand}) - No such process` : operand === "" ? "`': not a pid or valid job spec" : `${operand}: arguments must be process or job IDs`}`);
    return false;
  }
  const job = operand.startsWith("%") ? shell.jobs.find(operand) : undefined;
  if (job?.status !== undefined) {
    job.told = false;
    return true;
  }
  if (signal !== "0") target.signals.send(signalNumber(signal));
  return true;
}

function listSignals(shell: Shell, operands: readonly string[], name: string): Maybe<number> {
  if (operands.length === 0) return print(shell, name, signalList());
  const lines = operands.map((operand) => {
    if (/^\d+$/.test(operand)) {
      const number = Number(operand) > 128 ? Number(operand) - 128 : Number(operand);
      return signalName(String(number)) ?? refuse(name, `${operand}: invalid signal specification`);
    }
    const signal = signalName(operand);
    return signal === undefined ? refuse(name, `${operand}: invalid signal specification`) : String(SIGNALS[signal] ?? 0);
  });
  return print(shell, name, lines.map((line) => `${line}\n`).join(""));
}

function demandControl(shell: Shell, name: string): void {
  if (!shell.options.has("monitor")) refuse(name, "no job control");
}

export const fg: Builtin = (shell, args, name) => {
  demandControl(shell, name);
  const job = shell.jobs.find(args[0] ?? "%+") ?? refuse(name, `${args[0] ?? "current"}: no such job`);
  return then(print(shell, name, `${job.text}\n`), () => waitFor(shell, job));
};

export const bg: Builtin = (shell, args, name) => {
  demandControl(shell, name);
  if (!shell.jobs.find(args[0] ?? "%+")) refuse(name, `${args[0] ?? "current"}: no such job`);
  return 0;
};

export const disown: Builtin = (shell, args, name) => {
  const { options, operands } = readOptions(name, args, "ahr", "disown [-h] [-ar] [jobspec ... | pid ...]");
  if (operands.length === 0 && !options.has("a") && !options.has("r") && shell.jobs.shown.length === 0) refuse(name, "current: no such job");
  const chosen = options.has("a") || options.has("r") ? [...shell.jobs.list] : operands.length > 0 ? operands.map((operand) => jobOf(shell, operand) ?? refuse(name, `${operand}: no such job`)) : shell.jobs.list.slice(-1);
  for (const job of chosen) shell.jobs.forget(job);
  return 0;
};
