/** How commands end: statuses, `set -e`, and traps that see failures. */

import { then, type Maybe } from "../io/maybe";
import { ExpressionFault } from "../expand/errors";
import { NameFault, type ShellError } from "./errors";
import { leaveProcess } from "./life";
import { runSource } from "./program";
import type { Shell } from "./shell";
import { undoing } from "./undoing";

/** Says what is wrong in an expression, or with a variable in it. */
export function tell(shell: Shell, error: ShellError, prefix: string): void {
  if (error instanceof ExpressionFault || error instanceof NameFault) shell.warn(prefix + error.message);
  else shell.report(error.message);
}

/** Takes note of a command's failure; ends the shell under `set -e`. */
export function failed(shell: Shell, status: number): Maybe<number> {
  shell.status = shell.pipeStatus = status;
  if (shell.guards > 0 || (shell.traps.size === 0 && !shell.options.has("errexit"))) return status;
  return trapError(shell, status);
}

/** Takes note of a command's status. */
export function concluded(shell: Shell, status: number): Maybe<number> {
  shell.status = status;
  if (status === 0 || shell.guards > 0) return status;
  if (!shell.options.has("errexit") && !shell.traps.has("ERR")) return status;
  return trapError(shell, status);
}

function trapError(shell: Shell, status: number): Maybe<number> {
  const action = shell.traps.get("ERR");
  const heard = action && !shell.trapping && !shell.deaf && shell.alone !== shell.calls.length;
  shell.deaf = false;
  return then(heard ? runTrap(shell, action, "error trap") : undefined, () => {
    shell.status = status;
    return shell.options.has("errexit") ? leaveProcess(shell, status, false) : status;
  });
}

/** A function, or text that was evaluated or sourced, ended: an ERR trap that it set, beyond those `before`, does not hear that it failed. */
export function deafen(shell: Shell, before: Shell["traps"], status: number): number {
  shell.deaf = status !== 0 && shell.guards === 0 && !before.has("ERR") && shell.traps.has("ERR");
  return status;
}

/** Runs a trap's commands; `$?` and PIPESTATUS are as before, inside and after. Their own status is what comes back. */
export function runTrap(shell: Shell, action: string, by: string): Maybe<number> {
  if (shell.trapping) return 0;
  const { status, pipeStatus, line, trapped, running, beforeTrap } = shell;
  shell.trapping = true;
  shell.beforeTrap = by === "debug trap" ? undefined : status;
  shell.trapped ??= shell.running;
  const restore = (): void => {
    shell.trapping = false;
    shell.beforeTrap = beforeTrap;
    shell.trapped = trapped;
    shell.running = running;
    shell.status = status;
    shell.pipeStatus = pipeStatus;
    shell.line = line;
  };
  return undoing(() => runSource(shell, action, { line, by }), restore);
}
