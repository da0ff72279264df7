/** How a process of the shell runs, and how it ends: by its last command, by `exit`, by a failure or by a signal. */

import { then, type Maybe } from "../io/maybe";
import { Killed } from "../io/signals";
import type { Code } from "./code";
import { Break, Continue, Exit, Return } from "./control";
import { exceeded, ShellError, VariableFault } from "./errors";
import { nested } from "./nesting";
import { runSource } from "./program";
import type { Shell } from "./shell";

/** Runs code as the whole life of a process; its exit status. */
export function live(shell: Shell, code: Code): Maybe<number> {
  let result: Maybe<number>;
  try {
    result = nested(shell, code);
  } catch (error) {
    return end(shell, fatalStatus(shell, error));
  }
  if (typeof result === "number") return end(shell, result);
  const running = result.then(
    (status) => end(shell, status),
    (error: unknown) => end(shell, fatalStatus(shell, error)),
  );
  return new Promise((resolve, reject) => {
    shell.signals.onDeath(resolve);
    running.then(resolve, reject);
  });
}

/** The status that an error thrown through the whole process gives it. */
export function fatalStatus(shell: Shell, error: unknown): number {
  if (error instanceof Exit || error instanceof Return || error instanceof Killed) return error.status & 255;
  if (error instanceof Break || error instanceof Continue) return 0;
  const limit = exceeded(error);
  if (limit !== undefined) {
    shell.warn(limit);
    return 1;
  }
  if (!(error instanceof ShellError)) throw error;
  if (error.message !== "") shell.warn(error.message);
  return error.status;
}

/**
 * Ends a process that a signal met while it waited. What it waits for may still come, and has to find it dead: its EXIT
 * trap runs in another.
 */
export function endWhileWaiting(shell: Shell, status: number, speaks: boolean): Maybe<number> {
  const action = shell.traps.get("EXIT");
  if (!action || !speaks) return shell.close(status);
  shell.setTrap("EXIT", undefined);
  const speaker = shell.fork();
  speaker.level = shell.level;
  speaker.trapped = shell.running;
  return (shell.ending = then(live(speaker, () => runSource(speaker, action, { by: "exit trap" })), () => shell.close(status)));
}

/** Ends the process: its EXIT trap runs first, unless it has run where the process was left. */
function end(shell: Shell, status: number): Maybe<number> {
  return shell.ending ?? then(lastWords(shell, status), (last) => shell.close(last));
}

/**
 * Leaves the process, asked by `exit` or by a failure. Its EXIT trap runs here, where functions, their variables and
 * redirections are still in force; but what `set -e` ends has no local variables any more, save in a subshell.
 */
export function leaveProcess(shell: Shell, status: number, isAsked: boolean): Maybe<never> {
  if (!isAsked && shell.goesOn) throw new Exit(status);
  if (!isAsked && !shell.parent) shell.variables.locals.forget(shell.variables);
  shell.guards = 0;
  return then(lastWords(shell, status), (last) => {
    throw new Exit(last, isAsked);
  });
}

/** Dies of a signal between two commands. Its EXIT trap runs here; `$?` in it is the last command's, and it changes no status. */
export function die(shell: Shell, signal: number): Maybe<never> {
  const killed = new Killed(signal);
  if (shell.goesOn) throw killed;
  return then(lastWords(shell, shell.status), () => {
    throw killed;
  });
}

/** For who is about to leave a function with an error: if that ends the process, the EXIT trap has run afterwards. */
export function havingSpoken(shell: Shell, error: unknown): Maybe<unknown> {
  const left = error instanceof VariableFault && shell.endsByReport ? new Exit(shell.status || 1) : error;
  if (!(left instanceof Exit) || shell.goesOn) return error;
  return then(lastWords(shell, left.status), (last) => new Exit(last, left.isAsked));
}

/** Runs the EXIT trap, if it has not run; gives the status of the process after it. */
function lastWords(shell: Shell, status: number): Maybe<number> {
  shell.status = status;
  const action = shell.traps.get("EXIT");
  if (!action || !shell.signals.allowLastWords()) return status;
  shell.setTrap("EXIT", undefined);
  shell.trapped = shell.running;
  shell.leavingWith = shell.beforeTrap = status;
  const over = (last: number): number => {
    shell.setTrap("EXIT", undefined);
    return last;
  };
  try {
    const done = runSource(shell, action, { by: "exit trap" });
    return typeof done === "number" ? over(status) : done.then(() => over(status), (error: unknown) => over(fatalStatus(shell, error)));
  } catch (error) {
    return over(fatalStatus(shell, error));
  }
}
